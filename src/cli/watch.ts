import { cursorTo, moveCursor } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, CommandError, type Endpoint } from './api.ts';
import { draw, emptyPicture, fold, type Picture } from './bars.ts';
import { followSwarm } from './follow-swarm.ts';
import type { Batch } from './swarm-event.ts';

const PAGE = 500;
const PLAIN_MS = 2_000;

interface AgentPage {
  readonly swarm: {
    readonly agents: {
      readonly nodes: readonly {
        readonly key: string;
        readonly taskType: string | null;
        readonly role: string | null;
      }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  } | null;
}

const AGENTS = `query ($id: ID!, $first: Int!, $after: String) {
  swarm(id: $id) { agents(first: $first, after: $after) { nodes { key taskType role } pageInfo { hasNextPage endCursor } } }
}`;

/** Agents by their task type, else by their role, else all in one. */
async function readGroups(endpoint: Endpoint, id: string): Promise<Map<string, string>> {
  const groupOf = new Map<string, string>();
  for (let after: string | null = null; ; ) {
    const { swarm }: AgentPage = await ask<AgentPage>(endpoint, AGENTS, { id, first: PAGE, after });
    if (swarm === null) throw new CommandError(`There is no swarm ${id}.`);
    for (const { key, taskType, role } of swarm.agents.nodes) groupOf.set(key, taskType ?? role ?? 'agents');
    if (!swarm.agents.pageInfo.hasNextPage) return groupOf;
    after = swarm.agents.pageInfo.endCursor;
  }
}

/** Draws in place on a terminal; elsewhere says a line every few seconds. */
class Screen {
  readonly #out = process.stdout;
  #lines = 0;
  #saidAt = 0;

  show(lines: readonly string[], isLast: boolean): void {
    if (!this.#out.isTTY) {
      const now = Date.now();
      if (!isLast && now - this.#saidAt < PLAIN_MS) return;
      this.#saidAt = now;
      this.#out.write(`${lines.at(-1)}\n`);
      return;
    }
    if (this.#lines > 0) moveCursor(this.#out, 0, -this.#lines);
    for (const line of lines) {
      cursorTo(this.#out, 0);
      this.#out.write(`${line}\u001b[K\n`);
    }
    this.#lines = lines.length;
  }
}

/** Shows a swarm's progress to its end, or until it is paused; resolves with its last batch. */
export async function watch(endpoint: Endpoint, id: string, isJson: boolean): Promise<Batch | undefined> {
  const groupOf = isJson ? new Map<string, string>() : await readGroups(endpoint, id);
  const screen = new Screen();
  const startedAt = Date.now();
  let picture: Picture = emptyPicture(groupOf);
  for await (const batch of followSwarm(endpoint, id)) {
    picture = fold(picture, batch, groupOf);
    if (isJson) process.stdout.write(`${JSON.stringify(batch)}\n`);
    else screen.show(draw(picture, Date.now() - startedAt, process.stdout.columns ?? 100), false);
  }
  await sleep(0);
  if (!isJson) screen.show(draw(picture, Date.now() - startedAt, process.stdout.columns ?? 100), true);
  return picture.batch;
}
