import { healthData } from '@zakup/contracts/calls/replies';
import { noticeNames, type RebuildNotice } from '@zakup/contracts/notices';
import { declaredFields } from '@zakup/contracts/read-models';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { describe, expect, it } from 'vitest';
import { readModelStatus } from './read-model-status.ts';

const now = Date.parse('2026-01-01T00:01:00.000Z');
const minute = 60_000;
const parts = healthData.pick({
  rebuild: true,
  selfCheck: true,
  sealsRefused: true,
  seals: true,
  alarms: true,
  parked: true,
});
const quietSeals = { sealsRefused: [], seals: { last: null, refused: [], watching: false }, alarms: [] };

const building: RebuildNotice = {
  request: null,
  version: '1',
  startedAt: now - minute,
  finishedAt: null,
  events: 300,
  from: 100,
  position: 400,
  head: 1_000,
};

const storeWith = async (notices: Readonly<Record<string, object>>) => {
  const readStore = inMemoryReadStore({ declared: declaredFields });
  for (const [name, data] of Object.entries(notices)) await readStore.note(name, { ...data });
  return readStore;
};

describe('what is done about the read models', () => {
  it('RB-20 nothing, while nothing was', async () => {
    expect(await readModelStatus(await storeWith({}), now)).toEqual({
      rebuild: null,
      selfCheck: null,
      ...quietSeals,
      parked: [],
    });
  });

  it('ACL-5 a licence whose log is not what was sealed is named, as the sealer noted it', async () => {
    const refused = [{ licenceId: '3f1', number: 2, position: 7 }];
    const told = await readModelStatus(await storeWith({ [noticeNames.sealing]: { refused } }), now);
    expect(told.sealsRefused).toEqual(refused);
    expect(told.seals.refused).toEqual([{ licenceId: '3f1', seal: 2, from: 7, to: 7, at: null }]);
    expect(parts.parse(told)).toEqual(told);
  });

  it('ACL-3179 a witness that does not take the seals is an alarm since when it does not, and the last seal has its instant', async () => {
    const refused = [{ licenceId: '3f1', number: 2, position: 7, from: 3, at: now - minute }];
    const told = await readModelStatus(
      await storeWith({
        [noticeNames.sealing]: { refused, last: now },
        [noticeNames.witness]: { watching: true, failingSince: now - minute },
      }),
      now,
    );
    const at = '2026-01-01T00:00:00.000Z';
    expect(told).toMatchObject({
      seals: {
        last: '2026-01-01T00:01:00.000Z',
        refused: [{ licenceId: '3f1', seal: 2, from: 3, to: 7, at }],
        watching: true,
      },
      alarms: [{ kind: 'witness', since: at }],
    });
    expect(parts.parse(told)).toEqual(told);
  });

  it.each([
    ['asked for', { rebuild_request: { id: 'r', at: now } }, { state: 'asked', askedAt: '2026-01-01T00:01:00.000Z' }],
    [
      'running',
      { rebuild: building, rebuild_request: { id: 'r', at: now - 2 * minute } },
      { state: 'running', events: 300, position: 400, head: 1_000, percent: 40, secondsLeft: 120 },
    ],
    ['just begun', { rebuild: { ...building, position: 100 } }, { state: 'running', percent: 10, secondsLeft: null }],
    [
      'done',
      {
        rebuild: { ...building, request: 'r', finishedAt: now, position: 1_000 },
        rebuild_request: { id: 'r', at: now },
      },
      { state: 'done', finishedAt: '2026-01-01T00:01:00.000Z', percent: 100, secondsLeft: 0 },
    ],
    [
      'asked for again',
      { rebuild: { ...building, request: 'r', finishedAt: now }, rebuild_request: { id: 's', at: now } },
      { state: 'asked' },
    ],
  ])('RB-21 a rebuild that is %s', async (_, notices, expected) => {
    const told = await readModelStatus(await storeWith(notices), now);
    expect(told.rebuild).toMatchObject(expected);
    expect(parts.parse(told)).toEqual(told);
  });

  it('REV-2858 over a gap in the log share and time left go by events, not by positions', async () => {
    const gap = 1_000_000_000;
    const store = await storeWith({ rebuild: { ...building, head: building.head + gap } });
    const told = await readModelStatus(store, now, (position) =>
      Math.min(position, position > 900 ? position - gap : 900),
    );
    expect(told.rebuild).toMatchObject({ head: 1_000 + gap, percent: 40, secondsLeft: 120 });
  });

  it('SCK-30 the last comparison, what it found, and licences that stand still', async () => {
    const found = { at: now, licenceId: '3f', documents: [{ kind: 'user', id: 'u', what: 'missing' }], healed: 1 };
    const state = { at: now, licences: 2, documents: 30, differences: 1, healed: 1, found: [found] };
    const readStore = await storeWith({ [noticeNames.selfCheck]: state });
    const data = { position: 5, failedAt: 6, reason: 'Unknown event type X' };
    const doc = { kind: 'parked', id: '3f', licenceId: '3f', scopes: [], left: [], position: 6, deleted: false, data };
    await readStore.commit({ docs: [doc], checkpoint: { partition: 'all', position: 6, fence: 1 } });
    const told = await readModelStatus(readStore, now);
    const at = '2026-01-01T00:01:00.000Z';
    expect(told).toEqual({
      rebuild: null,
      selfCheck: { ...state, at, found: [{ ...found, at }] },
      ...quietSeals,
      parked: [{ licenceId: '3f', position: 5, reason: 'Unknown event type X' }],
    });
    expect(parts.parse(told)).toEqual(told);
  });
});
