import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { config as loadDotenv } from 'dotenv';
import { pino } from 'pino';
import { type Config, ConfigError, parseConfig } from './config.ts';
import { createHttpServer } from './http/create-http-server.ts';
import { openDatabase } from './open-database.ts';
import { startSandbox } from './sandbox/start-sandbox.ts';
import { createContext } from './schema/context.ts';
import { schema } from './schema/index.ts';
import { startupBanner } from './startup-banner.ts';
import { createEngine } from './swarm/engine/create-engine.ts';
import { createGateway, type Gateway } from './swarm/gateway/gateway.ts';
import { maskKey } from './swarm/gateway/mask-key.ts';
import { authenticator } from './swarm/store/authenticate.ts';
import { type AdminKey, ensureAdminKey } from './swarm/store/ensure-admin-key.ts';
import { AlreadyInUseError } from './swarm/store/lock-folder.ts';

const GRACE_MS = 5_000;
/** A stop that takes longer (the database is away, say) is broken off: supervisors kill after ten seconds. */
const STOP_LIMIT_MS = 9_500;

/** Things to close, in the reverse order of their making. */
class Cleanup {
  readonly #steps: (() => Promise<unknown>)[] = [];

  add(step: () => Promise<unknown>): void {
    this.#steps.unshift(step);
  }

  async run(): Promise<void> {
    for (const step of this.#steps) await step();
  }
}

export interface RunningServer {
  /** The GraphQL endpoint. */
  readonly url: string;
  readonly adminKey: AdminKey;
  readonly banner: string;
  /** Flushes, tells, closes; within about ten seconds, whoever is connected. */
  close(): Promise<void>;
}

async function openGateway(config: Config, cleanup: Cleanup): Promise<Gateway> {
  const userAgent = 'waggle/0.1.0';
  if (config.gateway !== undefined) {
    const gateway = createGateway({ name: 'default', userAgent, ...config.gateway });
    cleanup.add(() => gateway.close());
    return gateway;
  }
  const sandbox = await startSandbox({
    latency: { medianMs: 600, sigma: 0.4 },
    tokensPerSecond: 120,
    cachedShare: 0.2,
  });
  cleanup.add(() => sandbox.close());
  const gateway = createGateway({ name: 'sandbox', userAgent, baseUrl: sandbox.url, apiKey: undefined });
  cleanup.add(() => gateway.close());
  return gateway;
}

/** Config → parts → listening. Rejects with ConfigError or AlreadyInUseError for what the operator can cure. */
export async function startServer(
  config: Config,
  say: (line: string) => void = () => undefined,
): Promise<RunningServer> {
  const cleanup = new Cleanup();
  const log = pino({ level: config.logLevel, base: {} }, pino.destination(2));
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    const database = await openDatabase(config, say, (error) => {
      log.error({ err: error }, 'The connection that keeps a second server out broke.');
    });
    cleanup.add(() => database.close());
    const { prisma } = database;
    const adminKey = await ensureAdminKey(prisma, config.dataDir, config.adminKey, new Date());
    const gateway = await openGateway(config, cleanup);
    const engine = createEngine({ database, gateway, log });
    const http = createHttpServer({
      schema,
      log,
      authenticate: authenticator(prisma),
      createContext: (caller, signal) => createContext({ caller, engine, prisma, signal }),
      readiness: async () => {
        const reasons = await prisma.$queryRaw`SELECT 1`.then(
          () => [],
          () => ['The database does not answer.'],
        );
        return { isReady: reasons.length === 0, reasons };
      },
    });
    cleanup.add(() => http.close(GRACE_MS));
    // Before the streams are closed, so that they still get what the engine writes last.
    cleanup.add(() => engine.stop());
    const { url } = await http.listen(config.host, config.port);
    const recovered = await engine.recover();
    const banner = startupBanner({
      ...{ url, database: database.label, adminKey, recovered },
      gateway: config.gateway && {
        baseUrl: gateway.baseUrl,
        maskedKey: config.gateway.apiKey === undefined ? 'none' : maskKey(config.gateway.apiKey),
      },
    });
    return { url, adminKey, banner, close: () => cleanup.run() };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

async function main(): Promise<void> {
  loadDotenv({ quiet: true });
  const say = (line: string) => process.stdout.write(`${line}\n`);
  // biome-ignore lint/style/noProcessEnv: here, and nowhere else, the environment is read.
  const server = await startServer(parseConfig(process.env), say);
  process.stdout.write(server.banner);
  process.send?.({ type: 'listening', url: server.url, adminKeyFile: server.adminKey.file });
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    say(`${signal}: finishing (again to stop at once) …`);
    setTimeout(() => {
      process.stderr.write('Not everything could be written in time; it is taken up again at the next start.\n');
      process.exit(1);
    }, STOP_LIMIT_MS).unref();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`The server did not stop cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error: unknown) => {
    const isExpected = error instanceof ConfigError || error instanceof AlreadyInUseError;
    const listenFault = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    const text = listenFault
      ? 'The port is taken. Stop who uses it, or choose another one with PORT (0 picks one).'
      : isExpected
        ? error.message
        : String((error as Error).stack ?? error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
}
