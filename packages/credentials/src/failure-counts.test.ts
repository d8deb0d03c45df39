import { expect, it } from 'vitest';
import { failureCounts } from './failure-counts.ts';

it('CRD-41 keeps a bounded number of keys and of failures by key, the latest', () => {
  const counts = failureCounts();
  for (let at = 0; at < 250; at += 1) counts.record('busy', at);
  expect(counts.count('busy', 0)).toBe(100);
  expect(counts.count('busy', 200)).toBe(50);
  for (let index = 0; index < 10_000; index += 1) counts.record(`key-${index}`, 300);
  expect(counts.count('busy', 0)).toBe(0);
  expect(counts.count('key-0', 0)).toBe(1);
  counts.record('one-more', 301);
  expect(counts.count('key-0', 0)).toBe(0);
});
