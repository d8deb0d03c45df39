import { expect, test } from 'vitest';
import { kopecks } from '../money.ts';
import { budgetBarClass, budgetBarWidth, budgetUsePercent, explainBudgetUse } from './budget.ts';

test.each([
  [6_000, 10_000, 60, 'green', 60],
  [6_001, 10_000, 60.01, 'yellow', 60.01],
  [8_000, 10_000, 80, 'yellow', 80],
  [8_001, 10_000, 80.01, 'red', 80.01],
  [11_200, 10_000, 112, 'red', 100],
  [0, 10_000, 0, 'green', 0],
  [5_000, 0, 0, 'green', 0],
  // Rounded this would be 60.00.
  [600_001, 1_000_000, 60, 'yellow', 60],
  [1, 3, 33.33, 'green', 33.33],
  [2, 3, 66.67, 'yellow', 66.67],
])('BUDGET-1 %i of %i kopecks are %s %%, %s, a bar of %s', (spent, budget, percent, bar, width) => {
  expect(budgetUsePercent(kopecks(spent), kopecks(budget))).toBe(percent);
  expect(budgetBarClass(kopecks(spent), kopecks(budget))).toBe(bar);
  expect(budgetBarWidth(kopecks(spent), kopecks(budget))).toBe(width);
});

test('BUDGET-2 the percent explains itself', () => {
  expect(explainBudgetUse(kopecks(737_00), kopecks(1_000_00)).formula).toBe(
    '737\u00a0₽ ÷ 1\u00a0000\u00a0₽ × 100 = 73,7\u00a0%',
  );
  expect(explainBudgetUse(kopecks(5_00), kopecks(0)).formula).toBe('5\u00a0₽, бюджет не задан');
});
