/** What work of agents used up. Pure, and free of schemas: everybody who reads a run adds usage up. */

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
  turns: number;
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
    turns: a.turns + b.turns,
  };
}
