/**
 * A program that asks a gateway (its argument) fifty times at once, tells how many timers there were before, meanwhile
 * and afterwards, and then has nothing more to do. It ends by itself if nothing of the requests remains.
 */
import { createGateway } from '../../../src/swarm/gateway/gateway.ts';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

const gateway = createGateway({ name: 'stub', baseUrl: process.argv[2] ?? '', apiKey: undefined });
const { signal } = new AbortController();
const request = { swarmId: 's', agentId: 's_1', attemptId: 's_1_1', model: 'm', prompt: 'p', systemPrompt: undefined };
const limits = { temperature: 1, maxTokens: 1, timeoutMs: 60_000 };
const before = timers();
const asked = Array.from({ length: 50 }, () => gateway.complete({ ...request, ...limits }, () => undefined, signal));
const meanwhile = timers();
const kinds = (await Promise.all(asked)).map((completion) => completion.kind);
process.stdout.write(JSON.stringify({ kinds: [...new Set(kinds)], timers: [before, meanwhile, timers()] }));
