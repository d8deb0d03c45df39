import { expect, it, vi } from 'vitest';
import { askForFirstCode } from './first-code.ts';

const asked = (path: string, kept: Readonly<Record<string, string>>): readonly string[] => {
  const calls: string[] = [];
  const part = (name: string) =>
    vi.fn<() => Promise<object>>(async () => {
      calls.push(name);
      throw new Error('It did not come');
    });
  askForFirstCode({ getItem: (key) => kept[key] ?? null }, path, {
    shell: part('shell'),
    dashboard: part('dashboard'),
    placements: part('placements'),
  });
  return calls;
};

it('FST-3536 the code of the frame and the first screen is asked for before the session is restored, where there is one', () => {
  const all = ['shell', 'dashboard', 'placements'];
  expect(asked('/dashboard', { authToken: 'a' })).toEqual(all);
  expect(asked('/', { authToken: 'a' })).toEqual(all);
  expect(asked('/', { authToken: 'a', currentView: 'creatives' })).toEqual(['shell']);
  expect(asked('/journal', { authToken: 'a' })).toEqual(['shell']);
  expect(asked('/dashboard', {})).toEqual([]);
});
