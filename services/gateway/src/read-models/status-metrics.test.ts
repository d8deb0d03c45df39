import { noticeNames } from '@zakup/contracts/notices';
import { declaredFields } from '@zakup/contracts/read-models';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { appMetrics, metricsText } from '@zakup/service-kit/metrics';
import { expect, it } from 'vitest';
import { showStatus } from './status-metrics.ts';

const now = Date.parse('2026-01-01T00:01:00.000Z');

it('MET-3401 seals, parked licences and the comparison are metrics as the projector noted them, and stay while the store is away', async () => {
  const readStore = inMemoryReadStore({ declared: declaredFields });
  const metrics = appMetrics();
  let isAway = false;
  showStatus({
    metrics,
    now: () => now,
    readStore: {
      notice: (name) => (isAway ? Promise.reject(new Error('away')) : readStore.notice(name)),
      query: (...asked) => readStore.query(...asked),
    },
  });
  const shown = async (): Promise<readonly string[]> =>
    (await metricsText(metrics)).split('\n').filter((line) => /^zakup_(?:seals_|parked_|self_check_last)/u.test(line));
  expect(await shown()).toEqual([
    'zakup_seals_last_seconds 0',
    'zakup_seals_refused 0',
    'zakup_seals_watching 0',
    'zakup_parked_licences 0',
    'zakup_self_check_last_seconds 0',
  ]);

  const refused = [{ licenceId: '3f1', number: 2, position: 7 }];
  await readStore.note(noticeNames.sealing, { refused, last: now - 9_000 });
  await readStore.note(noticeNames.witness, { watching: true, failingSince: null });
  await readStore.note(noticeNames.selfCheck, {
    at: now - 60_000,
    licences: 1,
    documents: 2,
    differences: 0,
    healed: 0,
    found: [],
  });
  const data = { position: 5, failedAt: 6, reason: 'Unknown event type X' };
  const doc = { kind: 'parked', id: '3f', licenceId: '3f', scopes: [], left: [], position: 6, deleted: false, data };
  await readStore.commit({ docs: [doc], checkpoint: { partition: 'all', position: 6, fence: 1 } });
  const after = [
    'zakup_seals_last_seconds 1767225651',
    'zakup_seals_refused 1',
    'zakup_seals_watching 1',
    'zakup_parked_licences 1',
    'zakup_self_check_last_seconds 1767225600',
  ];
  expect(await shown()).toEqual(after);
  isAway = true;
  expect(await shown()).toEqual(after);
});
