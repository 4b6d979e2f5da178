import { type Catalog, routeIn } from '../domain/catalog.ts';
import { type AgentDefaults, resolveSettings } from '../domain/settings.ts';
import { estimateTokens } from '../domain/tokens.ts';
import type { Agent, Swarm } from '../store/generated/client.ts';
import type { Assignment } from './run-agent.ts';

/** The launch wrote them there, in this form. */
export function defaultsOf(swarm: Swarm): AgentDefaults {
  return swarm.defaults as unknown as AgentDefaults;
}

/** Who answers an agent's prompt, and how, by the rules in force now. */
export function assignAgent(swarm: Swarm, agent: Agent, catalog: Catalog): Assignment {
  const defaults = defaultsOf(swarm);
  const { taskType, role, prompt, index, attemptCount } = agent;
  const promptTokens = estimateTokens(prompt);
  const route = routeIn(catalog, { taskType, role, model: agent.model ?? defaults.model, promptTokens });
  const settings = resolveSettings(agent, route.rule, defaults);
  return { swarmId: swarm.id, index, purpose: 'AGENT', prompt, route, settings, attemptCount };
}
