import { request } from 'undici';
import { type Child, startChild } from './children.ts';
import { type GatewayLoad, sandboxSettings } from './gateway-load.ts';

interface Arrivals {
  readonly arrivals: number;
  readonly peakInFlight: number;
}

/** The gateway of all contenders. */
export interface SandboxProcess {
  readonly baseUrl: string;
  configure(load: GatewayLoad, stallMs?: number): Promise<void>;
  /** Counters begin anew. */
  reset(): Promise<void>;
  arrivals(): Promise<Arrivals>;
  end(): Promise<void>;
}

const FLAGS = ['--port', '0', '--print-url', '--latency-ms', '0', '--tokens-per-second', '0'];

export async function startSandboxProcess(): Promise<SandboxProcess> {
  const child: Child = await startChild('sandbox', ['--import', 'tsx', 'src/sandbox/main.ts', ...FLAGS]);
  const { url: baseUrl } = child.greeting as { url: string };
  const { origin } = new URL(baseUrl);
  const post = async (path: string, body: object) => {
    const response = await request(`${origin}${path}`, { method: 'POST', body: JSON.stringify(body) });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`The sandbox refused ${path}: ${text}`);
  };
  return {
    baseUrl,
    configure: (load, stallMs) => post('/sandbox/configure', sandboxSettings(load, stallMs)),
    reset: () => post('/sandbox/reset', {}),
    async arrivals() {
      const { body } = await request(`${origin}/sandbox/counters?records=no`);
      return (await body.json()) as Arrivals;
    },
    end: () => child.end(),
  };
}
