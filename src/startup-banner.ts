import { DEFAULT_BASE_URL } from './config.ts';

export interface BannerFacts {
  /** The GraphQL endpoint. */
  readonly url: string;
  readonly database: string;
  /** Undefined: the sandbox. */
  readonly gateway: { readonly baseUrl: string; readonly maskedKey: string } | undefined;
  readonly adminKey: { readonly secret: string; readonly file: string; readonly isNew: boolean };
  /** Open swarms of an earlier process that were taken up. */
  readonly recovered: number;
}

/** What `npm start` prints: where it listens, what it uses, and how to come in. */
export function startupBanner({ url, database, gateway, adminKey, recovered }: BannerFacts): string {
  const lines = [
    `Waggle listens on ${url}`,
    `  database  ${database}`,
    gateway === undefined
      ? `  gateway   SANDBOX (no real model is asked and nothing is paid; set GATEWAY_API_KEY to use ${DEFAULT_BASE_URL})`
      : `  gateway   ${gateway.baseUrl} (key ${gateway.maskedKey})`,
    `  admin key ${adminKey.isNew ? 'made and written' : 'kept'} in ${adminKey.file}`,
    `  GraphiQL  ${url}#key=${adminKey.secret}`,
  ];
  if (recovered > 0) lines.push(`  recovery  ${recovered} open ${recovered === 1 ? 'swarm goes' : 'swarms go'} on`);
  return `${lines.join('\n')}\n`;
}
