import { afterEach, beforeEach, vi } from 'vitest';
import { cleanup } from '@testing-library/react';

const said: string[] = [];

// What React or a library complains about is a fault of the test or of what it tests.
beforeEach(() => {
  said.length = 0;
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void said.push(words.map(String).join(' ')));
});

afterEach(() => {
  cleanup();
  if (said.length > 0) throw new Error(`In the console:\n${said.join('\n')}`);
});
