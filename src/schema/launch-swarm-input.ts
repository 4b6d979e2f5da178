import { builder } from './builder.ts';
import { LabelInput } from './label.ts';
import { BudgetActionEnum, FusionStrategyEnum } from './status.ts';

const AgentInput = builder.inputType('AgentInput', {
  fields: (t) => ({
    key: t.string({ description: 'Unique within the swarm; absent: "agent-1", "agent-2" … by its place.' }),
    role: t.string(),
    taskType: t.string({ description: 'What routing rules look at first.' }),
    systemPrompt: t.string(),
    prompt: t.string({ required: true }),
    model: t.string({
      description: "Asks for this model whatever the rules say; the rules' fallbacks still stand behind it.",
    }),
    temperature: t.float(),
    maxTokens: t.int({ description: 'The most that the answer may have.' }),
    timeoutMs: t.int({ description: 'For one attempt.' }),
    maxAttempts: t.int(),
  }),
});

const TemplatePlanInput = builder.inputType('TemplatePlanInput', {
  description: 'One agent per item; {{item}} or {{item.field}} in the prompt.',
  fields: (t) => ({
    prompt: t.string({ required: true }),
    items: t.field({ type: ['JSON'], required: true }),
    systemPrompt: t.string(),
    role: t.string(),
    taskType: t.string(),
    model: t.string(),
  }),
});

const PlanInput = builder.inputType('PlanInput', {
  description: 'Exactly one way to say who works on it.',
  isOneOf: true,
  fields: (t) => ({
    agents: t.field({ type: [AgentInput] }),
    template: t.field({ type: TemplatePlanInput }),
  }),
});

const AgentDefaultsInput = builder.inputType('AgentDefaultsInput', {
  description: 'For agents that say nothing themselves, and whose rule says nothing.',
  fields: (t) => ({
    systemPrompt: t.string(),
    model: t.string(),
    temperature: t.float(),
    maxTokens: t.int(),
    timeoutMs: t.int(),
    maxAttempts: t.int(),
  }),
});

const FusionInput = builder.inputType('FusionInput', {
  description: 'How the answers become one. Absent: CONCAT.',
  fields: (t) => ({
    strategy: t.field({ type: FusionStrategyEnum, required: true }),
    model: t.string({ description: 'Absent: the rules for the task type "generate" choose.' }),
    instructions: t.string(),
    maxTokens: t.int(),
  }),
});

export const LaunchSwarmInput = builder.inputType('LaunchSwarmInput', {
  fields: (t) => ({
    name: t.string(),
    goal: t.string({ description: 'What the whole swarm is for. The planner splits it; the fuser answers it.' }),
    plan: t.field({ type: PlanInput, required: true }),
    fusion: t.field({ type: FusionInput }),
    concurrency: t.int({ description: 'Agents at work at once in this swarm.' }),
    budgetUsd: t.field({
      type: 'Usd',
      description: 'The most this swarm may cost, planner and fuser included.',
    }),
    onBudget: t.field({ type: BudgetActionEnum, required: true, defaultValue: 'FUSE_PARTIAL' }),
    minSuccess: t.float({
      required: true,
      defaultValue: 1,
      description: 'The share of agents that must succeed, 0 to 1. Fewer: FAILED. All: SUCCEEDED. Between: PARTIAL.',
    }),
    deadlineMs: t.int({ description: 'From its start on.' }),
    allowUnpriced: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Allow models without a price although a budget is set; their cost is unknown to it.',
    }),
    defaults: t.field({ type: AgentDefaultsInput }),
    baselineModel: t.string({ description: "Show the same tokens at this model's price." }),
    labels: t.field({ type: [LabelInput] }),
    idempotencyKey: t.string({
      description:
        'Same key and same input: the first swarm again. Same key, other input: IdempotencyConflictError. Kept for 24 hours, per tenant.',
    }),
  }),
});
