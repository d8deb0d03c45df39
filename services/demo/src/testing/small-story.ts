import { createHash } from 'node:crypto';
import type { EventStore } from '@zakup/event-store/event-store';
import { story } from '../story/story.ts';

/** A story that is told in a moment. */
export const small = { seed: 7, length: 60, contractors: 14, placements: 80 } as const;
export const lastDay = '2026-05-31';

/** Number and hash of everything that is in the log, but the store's own times. */
export const hashOfLog = async (eventStore: EventStore): Promise<string> => {
  const { licence } = story({ ...small, lastDay }).ids;
  const events = await eventStore.readLicence(licence);
  const hash = createHash('sha256');
  for (const { id, stream, revision, position, type, data, metadata } of events)
    hash.update(JSON.stringify([id, stream, revision, position, type, data, metadata]));
  return `${events.length} ${hash.digest('hex')}`;
};
