import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure } from '../domain/fault.ts';
import {
  concatReports,
  FUSION_MAX_TOKENS,
  fuserRoute,
  type Report,
  SYNTHESIS_SYSTEM_PROMPT,
  synthesisPrompt,
} from '../domain/fusion.ts';
import { FUSION_INDEX } from '../domain/ids.ts';
import { resolveSettings } from '../domain/settings.ts';
import { readReports } from '../store/read-reports.ts';
import { defaultsOf } from './assign.ts';
import type { BudgetKeeper } from './budget-keeper.ts';
import type { EngineParts } from './engine-parts.ts';
import { type Assignment, runAgent } from './run-agent.ts';
import type { SwarmRecord } from './swarm-record.ts';
import { specOf } from './swarm-spec.ts';

export type FuseOutcome =
  | { readonly kind: 'fused'; readonly text: string | undefined }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'aborted' };

const OVER_BUDGET: Failure = {
  code: 'BUDGET_EXCEEDED',
  message: 'The fusion could cost more than is left of the budget. The answers are kept.',
  isRetryable: true,
};

/**
 * Makes one answer out of the agents' answers, which are read from the database: the run keeps none of them. What it
 * names as sources and missing is written with the swarm's next commit.
 */
export async function fuse(
  record: SwarmRecord,
  parts: EngineParts,
  budget: BudgetKeeper,
  signal: AbortSignal,
): Promise<FuseOutcome> {
  const { fusion } = specOf(record.swarm);
  const all = await readReports(parts.prisma, record.id);
  const reports = all
    .filter((report) => report.output !== null)
    .map((report) => ({ ...report, output: report.output ?? '' }));
  const missing = all.filter((report) => report.output === null);
  const indexes = { sources: reports.map((report) => report.index), missing: missing.map((report) => report.index) };
  switch (fusion.strategy) {
    case 'NONE':
      record.setFusion({ status: 'SUCCEEDED', sources: [], missing: indexes.missing });
      return { kind: 'fused', text: undefined };
    case 'CONCAT':
      record.setFusion({ status: 'SUCCEEDED', ...indexes, levels: 1 });
      return { kind: 'fused', text: concatReports(reports) };
    case 'SYNTHESIZE': {
      record.setFusion({ status: 'RUNNING', ...indexes, levels: 1, failure: null });
      const outcome = await synthesize(record, parts, budget, reports, missing, signal);
      if (outcome.kind === 'fused') record.setFusion({ status: 'SUCCEEDED' });
      if (outcome.kind === 'failed') record.setFusion({ status: 'FAILED', failure: outcome.failure });
      return outcome;
    }
  }
}

async function synthesize(
  record: SwarmRecord,
  parts: EngineParts,
  budget: BudgetKeeper,
  reports: readonly Report[],
  missing: readonly { key: string; role: string | null }[],
  signal: AbortSignal,
): Promise<FuseOutcome> {
  const { swarm } = record;
  const { fusion } = specOf(swarm);
  const catalog = await parts.catalog.current();
  const prompt = synthesisPrompt(swarm.goal, fusion.instructions, reports, missing);
  const maxTokens = fusion.maxTokens ?? FUSION_MAX_TOKENS;
  const route = fuserRoute(fusion, SYNTHESIS_SYSTEM_PROMPT + prompt, maxTokens, catalog);
  if (route.models.length === 0) {
    const message = `The ${reports.length} reports fit no fuser's context window. Take CONCAT, or a model with a larger one.`;
    return { kind: 'failed', failure: { code: 'CONTEXT_LENGTH_EXCEEDED', message, isRetryable: false } };
  }
  const asked = {
    systemPrompt: SYNTHESIS_SYSTEM_PROMPT,
    temperature: null,
    maxTokens,
    timeoutMs: null,
    maxAttempts: null,
  };
  const settings = resolveSettings(asked, route.rule, defaultsOf(swarm));
  const attemptCount = record.fusion.calls;
  const assignment: Assignment = {
    ...{ swarmId: swarm.id, index: FUSION_INDEX, purpose: 'FUSE', prompt, route, settings, attemptCount },
  };
  return ask(record, parts, budget, assignment, signal);
}

/** Follows the fuser's facts to its last one. */
async function ask(
  record: SwarmRecord,
  parts: EngineParts,
  budget: BudgetKeeper,
  assignment: Assignment,
  signal: AbortSignal,
): Promise<FuseOutcome> {
  const { gateway, clock, random } = parts;
  const tools = { gateway, catalog: await parts.catalog.current(), budget, clock, random, onText: () => undefined };
  for await (const fact of runAgent(assignment, tools, signal)) {
    switch (fact.type) {
      case 'attempt-began':
        record.setFusion({ calls: fact.start.number, model: fact.start.model });
        record.beginAttempt(fact.start, fact.isRetry);
        break;
      case 'attempt-ended':
        record.endAttempt(fact.start, fact.end, undefined);
        break;
      case 'waiting':
        await sleep(Math.max(0, fact.retryAt.getTime() - clock().getTime()), undefined, { signal }).catch(
          () => undefined,
        );
        break;
      case 'answered':
        record.setFusion({ model: fact.completion.servedModel ?? record.fusion.model });
        return { kind: 'fused', text: fact.completion.text };
      case 'failed':
        return { kind: 'failed', failure: fact.failure };
      case 'over-budget':
        return { kind: 'failed', failure: OVER_BUDGET };
      case 'aborted':
        return { kind: 'aborted' };
    }
  }
  return { kind: 'aborted' };
}
