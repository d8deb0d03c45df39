import { describe, expect, test } from 'vitest';
import { ApiProblem } from './api-problem.ts';
import { readRetryDelay, retriesRead } from './read-retries.ts';

const problem = (code: ApiProblem['code'], retryAfterSeconds?: number): ApiProblem =>
  new ApiProblem({ code, status: 0, message: 'Текст', ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });

describe('a read that did not come through', () => {
  test('LIM-1356 is tried twice more when the server asks to come later, after as long as it says; a refusal is not tried again', () => {
    expect([0, 1, 2].map((failures) => retriesRead(failures, problem('RATE_LIMITED', 3)))).toEqual([true, true, false]);
    expect(retriesRead(0, problem('ACCESS_DENIED'))).toBe(false);
    expect(retriesRead(0, new Error('x'))).toBe(false);
    expect(readRetryDelay(0, problem('RATE_LIMITED', 3))).toBe(3_000);
    expect(readRetryDelay(0, problem('RATE_LIMITED', 600))).toBe(30_000);
    expect([0, 1].map((failures) => readRetryDelay(failures, problem('NETWORK')))).toEqual([1_000, 2_000]);
  });
});
