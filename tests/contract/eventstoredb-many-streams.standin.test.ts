import { describe, expect, test } from 'vitest';
import { freshLicence } from './eventstoredb-events.ts';
import { standInWorld } from './eventstoredb-world.ts';
import { scheduledTime } from '@zakup/service-kit/testing/scheduled-time';

const unavailable = { name: 'EventStoreUnavailable', cause: { name: 'NoAnswer' } };

describe('Commands that name many streams (stand-in)', () => {
  test('EDB-62 a silent server is told within one deadline, however many wait behind each other', async () => {
    const { faults, open } = await standInWorld();
    const store = await open({ deadline: 300 });
    const { stream, write } = freshLicence();
    faults.delay(60_000);
    const began = scheduledTime();
    const unchanged = Array.from({ length: 2_000 }, () => ({ stream: stream(), revision: 'no_stream' as const }));
    await expect(store.append([write(stream())], { unchanged })).rejects.toMatchObject(unavailable);
    expect(began.stop()).toBeLessThan(5_000);
  });
});
