import type { Position } from '@zakup/event-store/event-store';
import { firstInstant } from '@zakup/projections/testing/given';
import { type ProjectorOptions, runProjector } from '../run-projector.ts';

type TestOptions = Partial<ProjectorOptions> & Pick<ProjectorOptions, 'eventStore' | 'readStore'>;

export const startProjector = (options: TestOptions) =>
  runProjector({
    partition: 'all',
    fence: 1,
    signal: new AbortController().signal,
    now: () => firstInstant,
    wait: () => Promise.resolve(),
    ...options,
  });

/** Runs a projector until everything that is in the log is folded. */
export const foldAll = async (options: TestOptions): Promise<Position> => {
  const projector = startProjector(options);
  try {
    await projector.waitFor(await options.eventStore.head());
    return projector.position();
  } finally {
    await projector.stop();
  }
};
