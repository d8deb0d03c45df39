import type {
  AppendedEvent,
  AppendResult,
  EventStore,
  RecordedEvent,
  StreamWrite,
} from '@zakup/event-store/event-store';

interface Attempts {
  fulfilled: boolean;
  mark: number;
  events: RecordedEvent[];
  givenUp: readonly RecordedEvent[];
  /** Ends when nobody is writing. */
  writing: Promise<unknown>;
}

/** What happens just before a write: nothing, or it loses its place. It may change the stream itself, or throw as if the process ended. */
export type Meanwhile = (write: StreamWrite, index: number) => Promise<'lost' | undefined>;

/** The store, but writing one stream after the other, so that a command can lose a race between two of them. */
export const nonAtomicEventStore = (inner: EventStore): EventStore & { meanwhile: Meanwhile | null } => {
  const commands = new Map<string, Attempts>();
  const quiet = async (key: string): Promise<Attempts | undefined> => {
    const known = commands.get(key);
    await known?.writing;
    return known;
  };

  /** The write's own events, if they stand where it would make them. */
  const standing = async ({
    stream,
    expectedRevision,
    events,
  }: StreamWrite): Promise<readonly RecordedEvent[] | null> => {
    const from = typeof expectedRevision === 'number' ? expectedRevision + 1 : 0;
    const there = await inner.read(stream, { from, limit: events.length });
    const same = there.length === events.length && there.every(({ id }, index) => id === events[index]?.id);
    return same ? there : null;
  };

  const write = async (writes: readonly StreamWrite[], attempts: Attempts): Promise<AppendResult> => {
    const made: AppendedEvent[] = [];
    for (const [index, one] of writes.entries()) {
      const there = await standing(one);
      if (there !== null) {
        made.push(...there);
        continue;
      }
      const { meanwhile } = store;
      if ((await meanwhile?.(one, index)) === 'lost')
        return { kind: 'wrong_revision', stream: one.stream, actual: await inner.revision(one.stream) };
      const result = await inner.append([one]);
      if (result.kind !== 'appended') return result;
      made.push(...result.events);
      attempts.events.push(...((await standing(one)) ?? []));
    }
    const events = made.toSorted((a, b) => a.position - b.position);
    attempts.fulfilled = true;
    const revisions = writes.map(({ stream }) => events.findLast((event) => event.stream === stream)?.revision ?? 0);
    return { kind: 'appended', position: events.at(-1)?.position ?? 0, revisions, events };
  };

  const store: EventStore & { meanwhile: Meanwhile | null } = {
    ...inner,
    atomicAcrossStreams: false,
    meanwhile: null,

    async append(writes, { unchanged = [], commandKey = '', left } = {}) {
      if (commandKey === '') return inner.append(writes, { unchanged });
      const known = await quiet(commandKey);
      if (known?.fulfilled === true) return { kind: 'command_known', commandKey };
      for (const one of writes) {
        const actual = await inner.revision(one.stream);
        if (actual === one.expectedRevision || (await standing(one)) !== null) continue;
        return { kind: 'wrong_revision', stream: one.stream, actual };
      }
      for (const { stream, revision } of unchanged) {
        const actual = await inner.revision(stream);
        if (actual !== revision) return { kind: 'changed', stream, actual };
      }
      const attempts = commands.get(commandKey);
      const leaves = attempts !== undefined && attempts.events.length + attempts.givenUp.length > 0;
      if ((left !== undefined || leaves) && left !== attempts?.mark) return { kind: 'command_left', commandKey };
      const next = attempts ?? { fulfilled: false, mark: 0, events: [], givenUp: [], writing: Promise.resolve() };
      commands.set(commandKey, next);
      next.mark += 1;
      const writing = write(writes, next);
      next.writing = writing.catch(() => undefined);
      return writing;
    },

    async readCommand(commandKey) {
      const known = await quiet(commandKey);
      return known?.fulfilled === true ? known.events : [];
    },

    unfinished: {
      async leftBy(commandKey) {
        const known = await quiet(commandKey);
        if (known === undefined) return null;
        const { events, givenUp, mark } = known;
        return { events: [...events], givenUp, mark };
      },

      async giveUp(commandKey, mark) {
        const known = await quiet(commandKey);
        if (known?.mark !== mark) return false;
        known.mark += 1;
        known.givenUp = [...known.givenUp, ...known.events];
        known.events = [];
        return true;
      },
    },
  };
  return store;
};
