import { expect, test } from 'vitest';
import { kopecks } from '../money.ts';
import { efficiencyBarWidth, efficiencyOf } from './efficiency.ts';

test.each([
  [99_99, 1, 'Отлично', 100],
  [100_00, 1, 'Хорошо', 100],
  [150_50, 1, 'Хорошо', 49.5],
  [199_99, 1, 'Хорошо', 0.01],
  [200_00, 1, 'Средне', 0],
  [500_00, 1, 'Средне', 0],
  [500_00, 0, 'Отлично', 100],
  // Rounded this would be 200.00.
  [599_99, 3, 'Хорошо', 0],
])('EFF-1 %i kopecks for %i leads are %s with a bar of %s', (spent, leads, label, width) => {
  expect(efficiencyOf(kopecks(spent), leads)).toBe(label);
  expect(efficiencyBarWidth(kopecks(spent), leads)).toBe(width);
});
