import type {
  AppendedEvent,
  AppendResult,
  EventStore,
  RecordedEvent,
  StreamWrite,
} from '@zakup/event-store/event-store';

interface Attempts {
  fulfilled: boolean;
  planToken: number;
  events: RecordedEvent[];
  abandoned: readonly RecordedEvent[];
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
  const alreadyWritten = async ({
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
      const there = await alreadyWritten(one);
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
      attempts.events.push(...((await alreadyWritten(one)) ?? []));
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

    async append(writes, { unchanged = [], commandKey = '', planToken } = {}) {
      if (commandKey === '') return inner.append(writes, { unchanged });
      const known = await quiet(commandKey);
      if (known?.fulfilled === true) return { kind: 'command_known', commandKey };
      for (const one of writes) {
        const actual = await inner.revision(one.stream);
        if (actual === one.expectedRevision || (await alreadyWritten(one)) !== null) continue;
        return { kind: 'wrong_revision', stream: one.stream, actual };
      }
      for (const { stream, revision } of unchanged) {
        const actual = await inner.revision(stream);
        if (actual !== revision) return { kind: 'changed', stream, actual };
      }
      const attempts = commands.get(commandKey);
      const leaves = attempts !== undefined && attempts.events.length + attempts.abandoned.length > 0;
      if ((planToken !== undefined || leaves) && planToken !== attempts?.planToken)
        return { kind: 'command_partial', commandKey };
      const next = attempts ?? {
        fulfilled: false,
        planToken: 0,
        events: [],
        abandoned: [],
        writing: Promise.resolve(),
      };
      commands.set(commandKey, next);
      next.planToken += 1;
      const writing = write(writes, next);
      next.writing = writing.catch(() => undefined);
      return writing;
    },

    async readCommand(commandKey) {
      const known = await quiet(commandKey);
      return known?.fulfilled === true ? known.events : [];
    },

    unfinished: {
      async findPartial(commandKey) {
        const known = await quiet(commandKey);
        if (known === undefined) return null;
        const { events, abandoned, planToken } = known;
        return { events: [...events], abandoned, planToken };
      },

      async abandon(commandKey, planToken) {
        const known = await quiet(commandKey);
        if (known?.planToken !== planToken) return false;
        known.planToken += 1;
        known.abandoned = [...known.abandoned, ...known.events];
        known.events = [];
        return true;
      },
    },
  };
  return store;
};
