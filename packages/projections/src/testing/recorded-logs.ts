import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { EventStore, RecordedEvent, StreamName, StreamWrite } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { projections, rowProjections } from '../projections.ts';
import { foldAll, licenceId, testReadStore } from './given.ts';
import { storedOf } from './stored.ts';

const folder = new URL('recorded/', import.meta.url);

/** What a version of the projections made of the recorded logs: SHA-256 of all documents of a kind, by kind. */
export interface RecordedDocuments {
  readonly version: string;
  /** Of each projection, by its name. */
  readonly versions: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<string, string>>;
}

interface Writer {
  readonly name: string;
  readonly version: number;
  readonly writes: readonly string[];
}

/** Rows and projections alike: what makes documents. */
export const writers: readonly Writer[] = [
  ...rowProjections.map(({ kind, version }) => ({
    name: `row of ${kind}`,
    version,
    writes: [kind, `removed_${kind}`],
  })),
  ...projections,
];

export const versionsOf = (all: readonly Writer[]): RecordedDocuments['versions'] =>
  Object.fromEntries(all.map(({ name, version }) => [name, version]));

/** Kinds whose documents are others than before though none of those who write them has a version above the one of then. */
export const changedUnderOneVersion = (
  before: Pick<RecordedDocuments, 'version' | 'kinds'>,
  kinds: RecordedDocuments['kinds'],
  all: readonly Writer[],
): readonly string[] =>
  [...new Set([...Object.keys(before.kinds), ...Object.keys(kinds)])].filter(
    (kind) =>
      before.kinds[kind] !== kinds[kind] &&
      !all.some(({ version, writes }) => writes.includes(kind) && version > Number(before.version)),
  );

export const documentsFile = new URL('documents.json', folder);

/** Logs written once and never again: the same events, whatever the deciders and the tests become. */
export const recordedLogs = async (): Promise<readonly (readonly RecordedEvent[])[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json.gz')).sort();
  return Promise.all(
    names.map(
      async (name) => JSON.parse(gunzipSync(await readFile(new URL(name, folder))).toString()) as RecordedEvent[],
    ),
  );
};

/** One append for the events that one command wrote. */
const writesOf = (events: readonly RecordedEvent[]): readonly StreamWrite[] => {
  const byStream = new Map<StreamName, RecordedEvent[]>();
  for (const event of events) byStream.set(event.stream, [...(byStream.get(event.stream) ?? []), event]);
  return [...byStream].map(([stream, [first, ...more]]) => {
    if (first === undefined) throw new Error(`No event of ${stream}`);
    const expectedRevision = first.revision === 0 ? ('no_stream' as const) : first.revision - 1;
    return {
      stream,
      expectedRevision,
      events: [first, ...more].map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
    } as unknown as StreamWrite;
  });
};

/** A log with these events. */
export const eventStoreOf = async (events: readonly RecordedEvent[]): Promise<EventStore> => {
  let at = 0;
  const eventStore = inMemoryEventStore({ clock: () => at });
  for (let from = 0; from < events.length; ) {
    const { metadata, recordedAt } = events[from] as RecordedEvent;
    let to = from;
    while (events[to]?.metadata.commandId === metadata.commandId) to += 1;
    at = Date.parse(recordedAt);
    const [first, ...more] = writesOf(events.slice(from, to));
    if (first !== undefined) await eventStore.append([first, ...more]);
    from = to;
  }
  return eventStore;
};

const documentsOf = async (events: readonly RecordedEvent[]) => {
  const readStore = testReadStore();
  await foldAll({ eventStore: await eventStoreOf(events), readStore });
  return storedOf(readStore, licenceId);
};

/** By kind, of all logs together. */
export const documentHashes = async (
  logs: readonly (readonly RecordedEvent[])[],
): Promise<RecordedDocuments['kinds']> => {
  const kinds = new Map<string, ReturnType<typeof createHash>>();
  for (const log of logs)
    for (const document of await documentsOf(log)) {
      const hash = kinds.get(document.kind) ?? createHash('sha256');
      kinds.set(document.kind, hash.update(`${canonical(document)}\n`));
    }
  return Object.fromEntries(
    [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, hash]) => [kind, hash.digest('hex')]),
  );
};

/** JSON with the members of each object in the order of their names, which say nothing. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
