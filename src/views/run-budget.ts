/** What a run may use, what it has used and what is set aside, from its settings and its ledger. Pure. */
import type { RunState } from '../engine/run-state.ts';
import { type Amount, addAmounts } from '../policy/amount.ts';
import { foldLedger, openLedger, reservedAmount, spentAmount } from '../policy/budget.ts';
import type { BudgetSettings } from '../policy/budget-schemas.ts';
import { amountText, limitsFrom } from '../policy/budget-settings.ts';

export interface RunBudget {
  readonly limit: Amount;
  readonly spent: Amount;
  readonly reserved: Amount;
  /** Both together. */
  readonly used: Amount;
  /** The limit in words. */
  readonly text: string;
}

/** What is set aside counts while somebody works on the run; afterwards it is used up or was given back. */
export function runBudget({ created, raised, budget }: Readonly<RunState>, isHeld: boolean): RunBudget {
  // As they were recorded: checked then, with every default in place.
  const { budget: set } = Object(created?.settings) as { budget?: Partial<BudgetSettings> };
  const limits = limitsFrom({ task: {}, roles: {}, ...set }, raised);
  const ledger = (isHeld ? foldLedger : openLedger)(limits, budget);
  const [spent, reserved] = [spentAmount(ledger), reservedAmount(ledger)];
  return { limit: limits.run, spent, reserved, used: addAmounts(spent, reserved), text: amountText(limits.run) };
}
