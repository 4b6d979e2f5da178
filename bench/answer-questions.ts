/** A question of the benchmark to one of its children. */
export interface Question {
  readonly id: number;
  readonly question: string;
  readonly argument: unknown;
}

/** With a failure, or with the answer, which may be nothing. */
export interface Reply {
  readonly id: number;
  readonly answer?: unknown;
  readonly failure?: string;
}

type Answerers = Readonly<Record<string, (argument: never) => unknown>>;

function isQuestion(message: unknown): message is Question {
  return typeof message === 'object' && message !== null && 'question' in message;
}

/** Answers the parent's questions, each by the function of its name. */
export function answerQuestions(answerers: Answerers): void {
  const reply = (message: Reply) => process.send?.(message);
  process.on('message', async (message) => {
    if (!isQuestion(message)) return;
    const { id, question, argument } = message;
    try {
      const answer = await answerers[question]?.(argument as never);
      reply({ id, answer });
    } catch (error) {
      reply({ id, failure: error instanceof Error ? String(error.stack) : String(error) });
    }
  });
}

export interface ProcessUsage {
  /** User and system time of all threads since the start. */
  readonly cpuMs: number;
  /** The most memory resident at once since the start. */
  readonly peakBytes: number;
}

export function processUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1_000, peakBytes: process.resourceUsage().maxRSS * 1_024 };
}
