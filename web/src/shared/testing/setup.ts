import { afterEach, beforeEach, vi } from 'vitest';
import { cleanup, configure } from '@testing-library/react';
import { showDaysAsOf } from '../day/shown-day.ts';
import { toastStore, toasts } from '../toasts/toasts.ts';

// How long a machine that is busy with other things may take to show what is waited for.
configure({ asyncUtilTimeout: 10_000 });

// The year of the tests is that of their stories, whenever they run.
showDaysAsOf(() => '2026-11-21');

const said: string[] = [];

// What React or a library complains about is a fault of the test or of what it tests.
beforeEach(() => {
  said.length = 0;
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void said.push(words.map(String).join(' ')));
});

afterEach(() => {
  cleanup();
  // The page's one queue, which the files of tests share: nobody is to see what those before said.
  const { shown, waiting } = toastStore.read();
  for (const { id } of [...waiting, ...shown]) toasts.dismiss(id);
  if (said.length > 0) throw new Error(`In the console:\n${said.join('\n')}`);
});
