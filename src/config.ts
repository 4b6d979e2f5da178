import path from 'node:path';

/** All that the environment decides. Read once, at the start. */
export interface Config {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly dataDir: string;
  /** Undefined: the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Undefined: the sandbox. */
  readonly gateway: GatewayConfig | undefined;
  /** Undefined: the first start makes one. */
  readonly adminKey: string | undefined;
  readonly logLevel: LogLevel;
}

export interface GatewayConfig {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const DEFAULT_BASE_URL = 'https://api.holysheep.ai/v1';
const ADMIN_KEY = /^wgl_[A-Za-z0-9_-]{32,}$/;

/** Every problem of the environment at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length === 1 ? 'a problem' : 'problems'}:\n  - ${problems.join('\n  - ')}`);
    this.problems = problems;
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

function readUrl(text: string, name: string, protocols: readonly string[], problems: string[]): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && protocols.includes(url.protocol)) return url;
  problems.push(`${name} is no URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`);
  return undefined;
}

function readGateway(get: (name: string) => string | undefined, problems: string[]): GatewayConfig | undefined {
  const apiKey = get('GATEWAY_API_KEY') ?? get('HOLYSHEEP_API_KEY');
  const givenUrl = get('GATEWAY_BASE_URL');
  if (apiKey === undefined && givenUrl === undefined) return undefined;
  const baseUrl = givenUrl ?? DEFAULT_BASE_URL;
  const url = readUrl(baseUrl, 'GATEWAY_BASE_URL', ['https:', 'http:'], problems);
  if (url === undefined) return undefined;
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    problems.push('GATEWAY_BASE_URL sends the key unencrypted to another machine; use https.');
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    problems.push('GATEWAY_BASE_URL may hold no user, query or fragment; the key belongs into GATEWAY_API_KEY.');
  }
  if (apiKey === undefined && !isLoopback(url.hostname)) {
    problems.push('GATEWAY_BASE_URL is set without a key; set GATEWAY_API_KEY (or leave both out to use the sandbox).');
  }
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    problems.push('GATEWAY_API_KEY holds white space or characters that no HTTP header can carry; copy it again.');
  }
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey };
}

/** Parts of the design that this version does not have yet are refused, not ignored. */
function refuseCluster(get: (name: string) => string | undefined, problems: string[]): void {
  const role = get('ROLE') ?? 'all';
  if (role !== 'all')
    problems.push(`ROLE is "${role}"; this version runs all in one server, so use "all" or leave it out.`);
  if (get('REDIS_URL') !== undefined) {
    problems.push('REDIS_URL is set; this version runs as one server and uses no Redis, so leave it out.');
  }
}

/** Environment → Config. An empty variable counts as unset. Throws ConfigError with every problem. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const get = (name: string) => env[name]?.trim() || undefined;
  const port = Number(get('PORT') ?? '4000');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) problems.push('PORT is no whole number from 0 to 65535.');
  const logLevel = LOG_LEVELS.find((level) => level === (get('LOG_LEVEL') ?? 'info'));
  if (logLevel === undefined) problems.push(`LOG_LEVEL is none of ${LOG_LEVELS.join(', ')}.`);
  const databaseUrl = get('DATABASE_URL');
  if (databaseUrl !== undefined) readUrl(databaseUrl, 'DATABASE_URL', ['postgres:', 'postgresql:'], problems);
  const adminKey = get('WAGGLE_ADMIN_KEY');
  if (adminKey !== undefined && !ADMIN_KEY.test(adminKey)) {
    problems.push('WAGGLE_ADMIN_KEY is not "wgl_" and at least 32 letters, digits, "_" or "-".');
  }
  const gateway = readGateway(get, problems);
  refuseCluster(get, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    host: get('HOST') ?? '127.0.0.1',
    port,
    dataDir: path.resolve(get('WAGGLE_DATA_DIR') ?? '.waggle'),
    databaseUrl,
    gateway,
    adminKey,
    logLevel: logLevel ?? 'info',
  };
}
