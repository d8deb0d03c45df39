import { ensureSameLog } from '@zakup/service-kit/stores/log-identity';
import { describe, expect, test } from 'vitest';
import { inProcessLeases } from './in-process-leases.ts';
import { leasedProjector } from './leased-projector.ts';
import { rebuildAll } from './rebuild.ts';
import { firstInstant, licenceId, licenceIssued, testLog, testReadStore, uuid } from '@zakup/projections/testing/given';

/** A log of one event whose id no other has. */
const logOf = async (licence = licenceId) => {
  const log = testLog({ licence });
  await log.append(['licence', licence, licenceIssued]);
  return log.eventStore;
};

describe('the log that read models are folded from', () => {
  test('SVC-37 is noted with its first event, so that another log is refused though its positions would fit', async () => {
    const log = testLog();
    const readStore = testReadStore();
    const projector = leasedProjector({
      eventStore: log.eventStore,
      readStore,
      leases: inProcessLeases({ fence: 1 }),
      partition: 'all',
      now: () => firstInstant,
    });
    await projector.caughtUp;
    expect(await readStore.get('log', 'first_event')).toBeNull();
    await log.append(['licence', licenceId, licenceIssued]);
    await expect
      .poll(async () => (await readStore.get('log', 'first_event'))?.data)
      .toEqual({ event: uuid(`${licenceId} 0 1`) });
    await projector.stop();
    await ensureSameLog({ eventStore: log.eventStore, readStore });
    const other = { eventStore: await logOf('4f00'), readStore };
    await expect(ensureSameLog(other)).rejects.toMatchObject({ name: 'ForeignLog' });
  });

  test('SVC-38 is another one after the read models were folded anew from it', async () => {
    const readStore = testReadStore();
    await rebuildAll({ eventStore: await logOf(), readStore, now: () => firstInstant });
    const eventStore = await logOf('4f00');
    await expect(ensureSameLog({ eventStore, readStore })).rejects.toMatchObject({ name: 'ForeignLog' });
    await rebuildAll({ eventStore, readStore, now: () => firstInstant });
    await ensureSameLog({ eventStore, readStore });
  });

  test('SVC-39 is not asked for while nothing is folded; an empty one is another one', async () => {
    const readStore = testReadStore();
    await ensureSameLog({ eventStore: await logOf(), readStore });
    await rebuildAll({ eventStore: await logOf(), readStore, now: () => firstInstant });
    const { eventStore } = testLog();
    await expect(ensureSameLog({ eventStore, readStore })).rejects.toMatchObject({ name: 'ForeignLog' });
  });
});
