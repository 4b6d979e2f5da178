import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

const EXAMPLES = `# Waggle. Launch three agents, copy the id, watch it, read the result.

mutation Launch {
  launchSwarm(
    input: {
      goal: "What do buyers like, and what should be fixed first?"
      plan: {
        template: {
          prompt: "Summarise this review in one sentence: {{item}}"
          taskType: "analyze"
          items: ["Great keys, squeaky space bar.", "Bluetooth drops.", "The battery lasts a month."]
        }
      }
      fusion: { strategy: SYNTHESIZE }
      baselineModel: "openai/gpt-4.1"
    }
  ) {
    ... on LaunchSwarmSuccess { swarm { id status } }
    ... on InvalidInputError { issues { path message } }
    ... on Error { code message }
  }
}

subscription Watch($id: ID!) {
  swarmEvents(swarmId: $id) {
    cursor status costUsd
    progress { total running waiting succeeded failed }
    events { sequence ... on AgentStatusChanged { agentKey agentStatus model } }
  }
}

query Result($id: ID!) {
  swarm(id: $id) {
    status result
    cost { totalUsd baselineUsd savedPercent }
    breakdown { key agents attempts costUsd }
  }
}

mutation Cancel($id: ID!) {
  cancelSwarm(input: { id: $id }) {
    ... on ChangeSwarmSuccess { swarm { id status } }
    ... on Error { code message }
  }
}

query Swarms {
  swarms(first: 10) { nodes { id name status createdAt cost { totalUsd } } }
}

query Routing {
  routingRules { position name taskTypes models }
  models { name contextWindow price { inputUsd outputUsd } }
}
`;

/** Takes the key out of the link's fragment and the address bar, and gives it to GraphiQL as its header. */
const TAKE_KEY = `<script>
  const found = /^#key=(.+)$/.exec(location.hash);
  if (found) {
    sessionStorage.setItem('waggle:key', decodeURIComponent(found[1]));
    history.replaceState(null, '', location.pathname);
  }
  const waggleKey = sessionStorage.getItem('waggle:key');
  if (waggleKey) localStorage.setItem('graphiql:headers', JSON.stringify({ Authorization: 'Bearer ' + waggleKey }, null, 2));
</script>`;

const POLICY =
  "default-src 'self'; script-src 'unsafe-inline' 'unsafe-eval' 'self' blob:; style-src 'unsafe-inline' 'self'; img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

let page: string | undefined;

/** GraphiQL, whole: nothing of it comes from another host. */
export function graphiqlPage(endpoint: string): { readonly html: string; readonly headers: Record<string, string> } {
  page ??= renderGraphiQL({ title: 'Waggle', endpoint, defaultQuery: EXAMPLES, shouldPersistHeaders: true }).replace(
    '<head>',
    `<head>${TAKE_KEY}`,
  );
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
  };
  return { html: page, headers };
}
