import { type Catalog, isUsableModel, routeIn } from './catalog.ts';
import { type InputIssue, IssueList } from './issue.ts';
import type { AgentInput, AgentSettingsInput, LaunchInput, TemplatePlanInput } from './launch-input.ts';
import type { AgentDefaults, AgentSettings } from './settings.ts';
import { hasItemPlaceholder, renderTemplate } from './template.ts';
import { estimateTokens } from './tokens.ts';

export const MAX_AGENTS = 10_000;
export const MAX_CONCURRENCY = 10_000;
export const MAX_TEXT = 4_000_000;
const MAX_NAME = 200;

/** One agent as it was planned, before its route is known. */
export interface PlannedAgent extends AgentSettings {
  readonly key: string;
  readonly role: string | null;
  readonly taskType: string | null;
  readonly prompt: string;
  readonly model: string | null;
}

export type Plan =
  | { readonly kind: 'agents'; readonly agents: readonly PlannedAgent[] }
  | { readonly kind: 'faulty'; readonly issues: readonly InputIssue[] };

type Path = readonly string[];

function checkModel(issues: IssueList, path: Path, model: string | null | undefined, catalog: Catalog): void {
  if (model === null || model === undefined || isUsableModel(catalog, model)) return;
  const known = [...catalog.models.values()].filter((m) => m.isEnabled).map((m) => m.name);
  const fault = catalog.models.has(model) ? `is turned off` : `is not known`;
  issues.add(path, 'UNKNOWN', `Model "${model}" ${fault}; use one of ${known.join(', ')}.`);
}

function checkSettings(issues: IssueList, path: Path, input: AgentSettingsInput, catalog: Catalog): void {
  issues.text([...path, 'systemPrompt'], input.systemPrompt, MAX_TEXT);
  issues.inRange([...path, 'temperature'], input.temperature, 0, 2);
  issues.inRange([...path, 'maxTokens'], input.maxTokens, 1, 1_000_000);
  issues.inRange([...path, 'timeoutMs'], input.timeoutMs, 1, 3_600_000);
  issues.inRange([...path, 'maxAttempts'], input.maxAttempts, 1, 20);
  checkModel(issues, [...path, 'model'], input.model, catalog);
}

function checkCount(issues: IssueList, path: Path, count: number): boolean {
  if (count === 0) issues.add(path, 'REQUIRED', `${path.at(-1)} is empty; a swarm has at least one agent.`);
  if (count > MAX_AGENTS) {
    issues.add(path, 'OUT_OF_RANGE', `${path.at(-1)} has ${count} entries; a swarm has at most ${MAX_AGENTS} agents.`);
  }
  return count <= MAX_AGENTS;
}

function planAgent(input: AgentInput, key: string): PlannedAgent {
  return {
    key,
    role: input.role ?? null,
    taskType: input.taskType ?? null,
    systemPrompt: input.systemPrompt ?? null,
    prompt: input.prompt,
    model: input.model ?? null,
    temperature: input.temperature ?? null,
    maxTokens: input.maxTokens ?? null,
    timeoutMs: input.timeoutMs ?? null,
    maxAttempts: input.maxAttempts ?? null,
  };
}

function planAgents(issues: IssueList, inputs: readonly AgentInput[], catalog: Catalog): PlannedAgent[] {
  const path = ['input', 'plan', 'agents'];
  if (!checkCount(issues, path, inputs.length)) return [];
  const firstWithKey = new Map<string, number>();
  return inputs.map((input, index) => {
    const at = [...path, String(index)];
    const key = input.key ?? `agent-${index + 1}`;
    const earlier = firstWithKey.get(key);
    if (earlier === undefined) firstWithKey.set(key, index);
    else
      issues.add([...at, 'key'], 'DUPLICATE', `Key "${key}" is also agent ${earlier}'s; keys are unique in a swarm.`);
    issues.text([...at, 'key'], input.key, MAX_NAME);
    issues.text([...at, 'role'], input.role, MAX_NAME);
    issues.text([...at, 'taskType'], input.taskType, MAX_NAME);
    issues.text([...at, 'prompt'], input.prompt, MAX_TEXT);
    checkSettings(issues, at, input, catalog);
    return planAgent(input, key);
  });
}

function planTemplate(issues: IssueList, template: TemplatePlanInput, catalog: Catalog): PlannedAgent[] {
  const path = ['input', 'plan', 'template'];
  issues.text([...path, 'prompt'], template.prompt, MAX_TEXT);
  if (template.prompt.trim() !== '' && !hasItemPlaceholder(template.prompt)) {
    const message = 'prompt names no item, so all agents would get the same; write {{item}} or {{item.field}} in it.';
    issues.add([...path, 'prompt'], 'MALFORMED', message);
  }
  issues.text([...path, 'role'], template.role, MAX_NAME);
  issues.text([...path, 'taskType'], template.taskType, MAX_NAME);
  checkSettings(issues, path, template, catalog);
  if (!checkCount(issues, [...path, 'items'], template.items.length)) return [];
  return template.items.map((item, index) => {
    const rendered = renderTemplate(template.prompt, item);
    if (rendered.kind === 'text') {
      issues.storable([...path, 'items', String(index)], rendered.text);
      return planAgent({ ...template, prompt: rendered.text }, `item-${index + 1}`);
    }
    const field = rendered.field === '' ? 'no value' : `no field "${rendered.field}"`;
    const message = `Item ${index} has ${field}, which the prompt names; add it to the item or change the prompt.`;
    issues.add([...path, 'items', String(index)], 'MALFORMED', message);
    return planAgent({ ...template, prompt: '' }, `item-${index + 1}`);
  });
}

/** Each agent needs a model: its own, a rule's, or the swarm's default. */
function checkRoutes(
  issues: IssueList,
  agents: readonly PlannedAgent[],
  defaults: AgentDefaults,
  catalog: Catalog,
): void {
  agents.forEach((agent, index) => {
    const promptTokens = estimateTokens(agent.prompt);
    const { models } = routeIn(catalog, { ...agent, model: agent.model ?? defaults.model, promptTokens });
    if (models.length > 0) return;
    const message = `No enabled routing rule gives agent ${index} ("${agent.key}") a model; set its model or add a rule.`;
    issues.add(['input', 'plan'], 'NO_ROUTE', message);
  });
}

/** Makes agents out of a launch's plan, or names every problem of its plan and defaults. */
export function makePlan(input: LaunchInput, defaults: AgentDefaults, catalog: Catalog): Plan {
  const issues = new IssueList();
  if (input.defaults) checkSettings(issues, ['input', 'defaults'], input.defaults, catalog);
  const agents = input.plan.agents
    ? planAgents(issues, input.plan.agents, catalog)
    : input.plan.template
      ? planTemplate(issues, input.plan.template, catalog)
      : [];
  if (issues.found.length === 0) checkRoutes(issues, agents, defaults, catalog);
  return issues.found.length > 0 ? { kind: 'faulty', issues: issues.found } : { kind: 'agents', agents };
}
