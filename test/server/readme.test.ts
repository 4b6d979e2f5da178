import { readFile } from 'node:fs/promises';
import { buildSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type GraphqlResult, subscribeBySse } from '../support/graphql-client.ts';
import { aDataDir, cleanUpServers, type ServerProcess, startServerProcess } from '../support/server-process.ts';

const README = ['README.md', 'README.ko.md'];

let dataDir: string;
let server: ServerProcess;

beforeAll(async () => {
  dataDir = await aDataDir();
  server = await startServerProcess({ dataDir });
});

afterAll(async () => {
  server.kill('SIGTERM');
  await server.exited;
  await cleanUpServers([dataDir]);
});

const operations = (markdown: string) =>
  [...markdown.matchAll(/```graphql\n([\s\S]*?)```/g)].map((match) => String(match[1]));

describe.each(README)('%s', (file) => {
  it('has a tour that runs: launch, watch, result, routing', async () => {
    const [launch = '', watch = '', result = '', routing = ''] = operations(await readFile(file, 'utf8'));
    const launched = await ask(server, launch);
    expect(launched.errors).toBeUndefined();
    expect(launched.data.launchSwarm.__typename).toBe('LaunchSwarmSuccess');
    const { id } = launched.data.launchSwarm.swarm;
    let last: GraphqlResult | undefined;
    for await (const batch of subscribeBySse(server, watch, { id })) last = batch;

    const { data } = await ask(server, result, { id });

    expect(last?.data.swarmEvents.status).toBe('SUCCEEDED');
    expect(data.swarm).toMatchObject({ status: 'SUCCEEDED', fusion: { missing: [] } });
    expect(data.swarm.result.length).toBeGreaterThan(0);
    expect(Number(data.swarm.cost.totalUsd)).toBeGreaterThan(0);
    expect((await ask(server, routing)).data.routingRules).toHaveLength(4);
  });

  it('and .env.example name the same variables', async () => {
    const table = [...(await readFile(file, 'utf8')).matchAll(/^\| `([A-Z_]+)`/gm)].map((match) => match[1]);
    const example = [...(await readFile('.env.example', 'utf8')).matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]);

    expect(table.sort()).toEqual(example.sort());
  });
});

it('every operation of GraphiQL and of the examples is valid', async () => {
  const schema = buildSchema(await readFile('schema.graphql', 'utf8'));
  const page = await readFile('src/http/graphiql-page.ts', 'utf8');
  const graphiql = /const EXAMPLES = `([\s\S]*?)`;/.exec(page)?.[1] ?? '';

  for (const document of [graphiql, await readFile('examples/launch.graphql', 'utf8')]) {
    expect(validate(schema, parse(document))).toEqual([]);
  }
});
