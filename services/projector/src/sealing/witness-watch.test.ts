import { noticeNames, type WitnessNotice } from '@zakup/contracts/notices';
import { declaredFields } from '@zakup/contracts/read-models';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { expect, test } from 'vitest';
import { historyAlarm } from '../project.ts';
import { sealingNotes } from './sealing-notes.ts';
import { witnessWatch } from './witness-watch.ts';

test('SEAL-3178 that the witness does not take the seals is noted with its instant until it does, and /readyz says so meanwhile', async () => {
  const notes: WitnessNotice[] = [];
  let now = 1_000;
  const note = async (notice: WitnessNotice): Promise<void> => void notes.push(notice);
  const watch = witnessWatch({ isNamed: true, now: () => now, note });
  const about = () => historyAlarm({ doubted: () => [], witnessFails: () => watch.fails() });
  watch.begin();
  watch.told(true);
  expect(about()).toEqual({});
  for (const isTaken of [false, false]) {
    watch.told(isTaken);
    now += 1_000;
  }
  expect(Object.keys(about())).toEqual(['witness']);
  watch.told(true);
  expect(about()).toEqual({});
  watch.told(false);
  await watch.end();
  expect(watch.fails()).toBe(false);
  const failing = (failingSince: number | null): WitnessNotice => ({ watching: true, failingSince });
  expect(notes).toEqual([failing(null), failing(1_000), failing(null), failing(3_000)]);
});

test('SEAL-3180 a refusal to seal keeps the instant at which it was found, also over a restart', async () => {
  const readStore = inMemoryReadStore({ declared: declaredFields });
  const noted = (now: number) => sealingNotes({ readStore, seals: inMemorySealStore(), now: () => now });
  const refusal = { licenceId: '3f1', number: 1, position: 7 };
  await noted(1_000)([refusal], 500);
  await noted(2_000)([refusal], null);
  expect(await readStore.notice(noticeNames.sealing)).toEqual({
    refused: [{ ...refusal, from: 1, at: 1_000 }],
    last: 500,
  });
});
