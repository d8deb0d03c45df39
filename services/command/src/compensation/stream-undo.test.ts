import { expect, test } from 'vitest';
import { conflictOf, mostConflicts, type StreamUndo } from './stream-undo.ts';

test('CMU-3532 a refusal tells the first conflicts with their values, and counts all of them', async () => {
  let asked = 0;
  const streams = Array.from({ length: mostConflicts }, (_, at): StreamUndo => {
    const of = (field: string) => ({ field, base: 1, theirs: 2, mine: 0, actorId: 'a', at: '' });
    return {
      name: `placement:p${at}`,
      revision: 1,
      denied: null,
      taken: at % 2 === 0,
      closed: null,
      conflicts: at === 1 ? [] : [of('price'), of('leads')],
      told: async (some) => {
        asked += some.length;
        return some.map(({ actorId, ...one }) => ({
          entity: `placement:p${at}`,
          ...one,
          by: { userId: actorId, name: '' },
        }));
      },
      rejected: null,
      apply: async () => null,
    };
  });
  const problem = await conflictOf(streams);
  expect(problem?.undo).toEqual({
    placements: mostConflicts,
    changed: mostConflicts - 1,
    denied: mostConflicts / 2,
    conflicts: 2 * (mostConflicts - 1),
  });
  expect([problem?.conflicts?.length, asked]).toEqual([mostConflicts, mostConflicts]);
  expect(problem?.conflicts?.at(-1)).toMatchObject({ entity: `placement:p${mostConflicts / 2}`, field: 'leads' });
});
