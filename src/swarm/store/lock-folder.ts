import { createHash } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Somebody else uses what this server needs for itself. */
export class AlreadyInUseError extends Error {
  override readonly name = 'AlreadyInUseError';
}

export interface Lock {
  release(): Promise<void>;
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function listen(address: string): Promise<Lock | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => {
      // It is held for its own sake; it keeps no process alive.
      server.unref();
      resolve({ release: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

/**
 * Keeps a second server out of a data folder. The lock is a listening socket: the kernel drops it with its process,
 * however that ends, and no stale file or recycled process id can look like a living owner. Throws AlreadyInUseError.
 */
export async function lockFolder(folder: string): Promise<Lock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A socket's path is short, a folder's may be long.
  const name = `waggle-${createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 24)}`;
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : path.join(tmpdir(), `${name}.lock`);
  const lock = await listen(address);
  if (lock !== undefined) return lock;
  if (!(await isAnswered(address))) {
    await rm(address, { force: true });
    const second = await listen(address);
    if (second !== undefined) return second;
  }
  throw new AlreadyInUseError(
    `Another Waggle server is using ${folder}. Stop it, or give this one a folder of its own with WAGGLE_DATA_DIR.`,
  );
}
