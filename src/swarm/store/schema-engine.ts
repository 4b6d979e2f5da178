import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

/** Node has it, its type definitions do not. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

let instantiated: Promise<void> | undefined;

/** Prisma's schema engine as WebAssembly: the native one cannot be fetched offline. */
async function instantiate(): Promise<void> {
  const glueFile = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(glueFile.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, {
    './schema_engine_bg.js': bindings,
  });
  // The package's types know only the JavaScript side; these two entry points are its generated glue.
  const glue = bindings as unknown as { __wbg_set_wasm(exports: Record<string, unknown>): void };
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports as unknown as { __wbindgen_start(): void }).__wbindgen_start();
}

/** The factory, with a way to close what was opened through it: the engine leaves its connections open. */
function closable(factory: SqlMigrationAwareDriverAdapterFactory) {
  const opened: SqlDriverAdapter[] = [];
  const keep = async (connecting: Promise<SqlDriverAdapter>) => {
    const connection = await connecting;
    opened.push(connection);
    return connection;
  };
  const { provider, adapterName } = factory;
  return {
    factory: {
      ...{ provider, adapterName },
      connect: () => keep(factory.connect()),
      connectToShadowDb: () => keep(factory.connectToShadowDb()),
    },
    close: () => Promise.all(opened.map((connection) => connection.dispose())),
  };
}

/** Runs `work` with an engine bound to the adapter's database; leaves neither the engine nor a connection behind. */
export async function withSchemaEngine<T>(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  work: (engine: bindings.SchemaEngine) => Promise<T>,
): Promise<T> {
  instantiated ??= instantiate();
  await instantiated;
  const { factory, close } = closable(adapter);
  const bound = bindMigrationAwareSqlAdapterFactory(factory);
  const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, bound);
  try {
    return await work(engine);
  } finally {
    engine.free();
    await close();
  }
}
