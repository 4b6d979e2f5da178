import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from '../src/config.ts';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
}

describe('the configuration', () => {
  it('needs nothing, listens on loopback only, and uses the sandbox', () => {
    expect(parseConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      databaseUrl: undefined,
      gateway: undefined,
      logLevel: 'info',
    });
  });

  it('counts an empty variable as unset', () => {
    expect(parseConfig({ PORT: '', GATEWAY_API_KEY: ' ', DATABASE_URL: '' })).toEqual(parseConfig({}));
  });

  it.each([
    [{ GATEWAY_API_KEY: 'k1' }, { baseUrl: 'https://api.holysheep.ai/v1', apiKey: 'k1' }],
    [{ HOLYSHEEP_API_KEY: 'k2' }, { baseUrl: 'https://api.holysheep.ai/v1', apiKey: 'k2' }],
    [
      { GATEWAY_API_KEY: 'k1', HOLYSHEEP_API_KEY: 'k2', GATEWAY_BASE_URL: 'https://x.example/v1/' },
      { baseUrl: 'https://x.example/v1', apiKey: 'k1' },
    ],
    [{ GATEWAY_BASE_URL: 'http://127.0.0.1:1/v1' }, { baseUrl: 'http://127.0.0.1:1/v1', apiKey: undefined }],
  ])('%j asks %j', (env, gateway) => {
    expect(parseConfig(env as Record<string, string>).gateway).toEqual(gateway);
  });

  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['WAGGLE_ADMIN_KEY', 'wgl_short'],
    ['GATEWAY_BASE_URL', 'ftp://x'],
    ['GATEWAY_BASE_URL', 'http://models.example/v1'],
    ['GATEWAY_BASE_URL', 'https://x.example/v1'],
    ['ROLE', 'worker'],
    ['REDIS_URL', 'redis://x'],
  ])('%s=%s is refused by its name', (name, value) => {
    const problems = problemsOf({ [name]: value });

    expect(problems.length).toBeGreaterThan(0);
    expect(problems.every((problem) => problem.includes(name))).toBe(true);
  });

  it('names all problems at once and no secret', () => {
    const key = 'sk marked secret';
    const problems = problemsOf({
      PORT: '-1',
      LOG_LEVEL: 'x',
      ROLE: 'api',
      GATEWAY_API_KEY: key,
      DATABASE_URL: 'x://u:pass@h',
    });

    expect(problems).toHaveLength(5);
    expect(problems.join()).not.toMatch(/marked|pass@/);
  });
});
