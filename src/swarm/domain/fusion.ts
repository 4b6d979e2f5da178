import { type Catalog, priceOf, routeIn } from './catalog.ts';
import type { FusionSettings } from './launch-settings.ts';
import type { NanoUsd } from './money.ts';
import { worstCost } from './price.ts';
import type { Route } from './route.ts';
import { estimateTokens } from './tokens.ts';

/** One agent's answer, on its way into the fused one. */
export interface Report {
  readonly key: string;
  readonly role: string | null;
  readonly output: string;
}

export const FUSION_MAX_TOKENS = 4_096;
/** The fuser is found by the rules for writing, unless the launch names its model. */
const FUSER_TASK_TYPE = 'generate';
/** No token of the models in use stands for more UTF-8 bytes on average than this, in any language. */
const MOST_BYTES_A_TOKEN = 6;

function heading({ key, role }: Report): string {
  return role === null ? `## ${key}` : `## ${key} (${role})`;
}

/** The answers in agent order under headings. */
export function concatReports(reports: readonly Report[]): string {
  return reports.map((report) => `${heading(report)}\n\n${report.output.trim()}\n`).join('\n');
}

export const SYNTHESIS_SYSTEM_PROMPT = [
  'You fuse the reports of several agents into one answer to the goal they were launched for.',
  'Write in the language of the goal. Say each thing once, however many reports say it.',
  'Keep figures and names exactly as they stand in the reports, and say so where reports contradict each other.',
  'Use nothing that is not in the reports. If parts are missing, name at the end what is missing.',
].join('\n');

export function synthesisPrompt(
  goal: string | null,
  instructions: string | null,
  reports: readonly Report[],
  missing: readonly { readonly key: string; readonly role: string | null }[],
): string {
  const parts = [`# Goal\n\n${goal ?? instructions ?? ''}`];
  if (goal !== null && instructions !== null) parts.push(`# Instructions\n\n${instructions}`);
  if (missing.length > 0) {
    const lines = missing.map(({ key, role }) => (role === null ? `- ${key}` : `- ${key} (${role})`));
    parts.push(`# Missing\n\nThese agents gave no report:\n${lines.join('\n')}`);
  }
  parts.push(`# Reports (${reports.length})\n\n${concatReports(reports)}`);
  return parts.join('\n\n');
}

/** Who fuses: the route's models whose window holds the prompt and the answer. */
export function fuserRoute(fusion: FusionSettings, prompt: string, maxTokens: number, catalog: Catalog): Route {
  const promptTokens = estimateTokens(prompt);
  const route = routeIn(catalog, { taskType: FUSER_TASK_TYPE, role: null, model: fusion.model, promptTokens });
  const fits = (model: string) => promptTokens + maxTokens <= (catalog.models.get(model)?.contextWindow ?? 0);
  return { ...route, models: route.models.filter(fits) };
}

/** The most that the fusion can cost, whoever of its route does it: kept back from a swarm's budget from the start. */
export function fusionShare(fusion: FusionSettings, agentMaxTokens: readonly number[], catalog: Catalog): NanoUsd {
  if (fusion.strategy !== 'SYNTHESIZE') return 0n;
  const bytes = agentMaxTokens.reduce((sum, maxTokens) => sum + maxTokens * MOST_BYTES_A_TOKEN, 0);
  const route = routeIn(catalog, { taskType: FUSER_TASK_TYPE, role: null, model: fusion.model, promptTokens: 0 });
  const costs = route.models.map((model) => {
    const price = priceOf(catalog, model);
    const window = catalog.models.get(model)?.contextWindow ?? 0;
    return price === undefined ? 0n : worstCost(Math.min(window, bytes), fusion.maxTokens ?? FUSION_MAX_TOKENS, price);
  });
  return costs.reduce((most, cost) => (cost > most ? cost : most), 0n);
}
