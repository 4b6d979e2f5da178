// `prisma generate` would download an engine that it does not use: any existing file satisfies it.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default {
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://127.0.0.1:5432/waggle' },
};
