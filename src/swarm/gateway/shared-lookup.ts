import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Callback = Parameters<LookupFunction>[2];

/**
 * `dns.lookup`, asked once for all who want to know the same at the same time. Three hundred connections opened at once
 * would else be three hundred questions to the name server, four at a time, and some of them not answered.
 */
export function createSharedLookup(resolve: LookupFunction = lookup): LookupFunction {
  const waiting = new Map<string, Callback[]>();
  return (hostname, options, callback) => {
    const question = `${hostname} ${options.family} ${options.hints} ${options.all}`;
    const others = waiting.get(question);
    if (others !== undefined) {
      others.push(callback);
      return;
    }
    const callbacks = [callback];
    waiting.set(question, callbacks);
    resolve(hostname, options, (error, address, family) => {
      waiting.delete(question);
      for (const each of callbacks) each(error, address, family);
    });
  };
}
