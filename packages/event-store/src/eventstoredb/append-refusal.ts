import type { AppendOptions, AppendResult, Revision, StreamName } from '../event-store.ts';
import type { StreamReader } from './stream-reader.ts';
import { isPlaced, type StreamWriter, type TakenWrite } from './stream-writer.ts';

export interface RefusalDeps {
  readonly reader: StreamReader;
  readonly writer: StreamWriter;
}

/** What stands in the way of the append, read just before it. */
export const appendRefusal = async (
  { reader, writer }: RefusalDeps,
  writes: readonly TakenWrite[],
  unchanged: NonNullable<AppendOptions['unchanged']>,
  planToken: number | undefined,
): Promise<AppendResult | undefined> => {
  const checked = writes.length > 1 ? writes.map(({ stream }) => stream) : [];
  const asked = new Set([...checked, ...unchanged.map(({ stream }) => stream)]);
  const found = new Map<StreamName, Revision | 'no_stream'>();
  await Promise.all([...asked].map(async (stream) => found.set(stream, await reader.revision(stream))));
  const actualOf = (stream: StreamName) => found.get(stream) ?? 'no_stream';

  const changed = unchanged.find(({ stream, revision }) => actualOf(stream) !== revision);
  // The write comes first in the answer; a lone one is only looked at when something is wrong anyway.
  if (changed !== undefined && checked.length === 0) {
    for (const { stream } of writes) found.set(stream, await reader.revision(stream));
  }
  const begun = new Set<StreamName>();
  const later =
    planToken === undefined
      ? []
      : writes.filter(({ stream, expectedRevision }) => actualOf(stream) !== expectedRevision);
  await Promise.all(
    later.filter(isPlaced).map(async (write) => {
      const { state, events } = await writer.find(write);
      if (state !== 'lost' && events.length > 0) begun.add(write.stream);
    }),
  );
  for (const write of writes) {
    const { stream, expectedRevision } = write;
    if (!found.has(stream) || !isPlaced(write) || actualOf(stream) === expectedRevision) continue;
    if (begun.has(stream)) continue;
    return { kind: 'wrong_revision', stream, actual: actualOf(stream) };
  }
  return changed === undefined
    ? undefined
    : { kind: 'changed', stream: changed.stream, actual: actualOf(changed.stream) };
};
