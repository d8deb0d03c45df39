import { noticeNames } from '@zakup/contracts/notices';
import { licenceId, licenceIssued, testLog, testReadStore } from '@zakup/projections/testing/given';
import { describe, expect, it } from 'vitest';
import { watchDamage } from './damage-watch.ts';

describe('licences that readers tell to be damaged', () => {
  /** Tells the licences of each step, at its milliseconds; answers when which of them was looked at, and the alarms. */
  const watched = async (
    steps: readonly { readonly at: number; readonly licences: readonly string[] }[],
    lookAt: () => Promise<void> = () => Promise.resolve(),
  ) => {
    const { eventStore, append } = testLog();
    await append(['licence', licenceId, licenceIssued]);
    const readStore = testReadStore();
    const stop = new AbortController();
    const looks: (readonly [number, string])[] = [];
    const errors: string[] = [];
    let step = -1;
    const clock = () => steps[step]?.at ?? 0;
    await watchDamage({
      eventStore,
      readStore,
      lookAt: (id) => {
        looks.push([clock(), id]);
        return lookAt();
      },
      signal: stop.signal,
      clock,
      log: { error: (_line: object, text: string) => void errors.push(text), warn: () => undefined },
      pause: async () => {
        step += 1;
        const next = steps[step];
        if (next === undefined) stop.abort();
        else await readStore.note(noticeNames.damage, { id: String(step), licences: [...next.licences] });
      },
    });
    return { looks, errors };
  };

  it('SCK-1042 each notice is answered once, and nothing is done for a licence that has no events', async () => {
    const { looks, errors } = await watched([{ at: 0, licences: [licenceId, 'nobody'] }]);
    expect(looks).toEqual([[0, licenceId]]);
    expect(errors).toEqual(['A damaged document names a licence that has no events']);
  });

  it('SCK-1043 one that is damaged again and again is an alarm, and is looked at ever more seldom', async () => {
    const seconds = Array.from({ length: 64 }, (_, n) => ({ at: n * 1_000, licences: [licenceId] }));
    const { looks, errors } = await watched(seconds, () => Promise.reject(new Error('the disk')));
    expect(looks.map(([at]) => at / 1_000)).toEqual([0, 1, 3, 7, 15, 31, 63]);
    expect(errors.filter((text) => text === 'A licence is damaged again and again')).toHaveLength(3);
  });

  it('SCK-1044 after a quiet minute it counts as sound', async () => {
    const { looks, errors } = await watched([0, 1_000, 70_000, 71_000].map((at) => ({ at, licences: [licenceId] })));
    expect(looks.map(([at]) => at)).toEqual([0, 1_000, 70_000, 71_000]);
    expect(errors).toEqual([]);
  });
});
