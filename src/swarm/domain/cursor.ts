const CURSOR = /^swarm_[0-9a-z]{26}:(\d{1,10})$/;

/** An opaque position in one swarm's log; it names the swarm, so that it cannot be used on another. */
export function encodeCursor(swarmId: string, sequence: number): string {
  return Buffer.from(`${swarmId}:${sequence}`).toString('base64url');
}

/** The sequence that a cursor of this swarm stands for; undefined when it is not one. */
export function decodeCursor(swarmId: string, cursor: string): number | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const match = CURSOR.exec(text);
  return match !== null && text.startsWith(`${swarmId}:`) ? Number(match[1]) : undefined;
}
