import { readFile } from 'node:fs/promises';
import { catalog } from '@zakup/domain/catalog';
import { expect, test } from 'vitest';
import {
  changedUnderOneVersion,
  documentHashes,
  documentsFile,
  recordedLogs,
  type RecordedDocuments,
  versionsOf,
  writers,
} from './testing/recorded-logs.ts';
import { EventFold } from './fold-event.ts';
import type { FoldState } from './fold-state.ts';
import type { Projection } from './projection.ts';
import { projections } from './projections.ts';
import { testReadStore } from './testing/given.ts';
import { projectionVersion } from './version.ts';
import { type WorkingSet, workingSet } from './working-set.ts';

const recorded = async (): Promise<RecordedDocuments> => JSON.parse(await readFile(documentsFile, 'utf8'));

test('PJ-1750 what the projections make of recorded logs changes only with their version: raise it, then record anew with testing/record-documents.ts', async () => {
  const kinds = await documentHashes(await recordedLogs());
  expect({ version: projectionVersion, versions: versionsOf(writers), kinds }).toEqual(await recorded());
});

test('PJ-1751 the recorded logs hold events of every type', async () => {
  const types = new Set((await recordedLogs()).flatMap((log) => log.map(({ type }) => type)));
  expect(Object.keys(catalog).filter((type) => !types.has(type))).toEqual([]);
});

test('PJ-1752 one member more in one document is another hash of its kind alone', async () => {
  const [log = []] = await recordedLogs();
  const place = log.findIndex(({ type }) => type === 'ContractorCreated');
  const changed = log.map((event, index) =>
    index === place ? { ...event, data: { ...event.data, channelName: 'Иначе' } } : event,
  );
  const [before, after] = [await documentHashes([log]), await documentHashes([changed])];
  const different = Object.keys(before).filter((kind) => before[kind] !== after[kind]);
  expect(different).toContain('contractor');
  expect(different).not.toContain('campaign');
});

test('PJ-1757 documents that changed are told where the projection that writes them has no higher version, whoever else has one', () => {
  const before = { version: '9', kinds: { note: 'a', creative: 'b', placement: 'c' } };
  const now = { note: 'a', creative: 'other', placement: 'other' };
  const versionOf = (raised: string) =>
    writers.map((one) => ({ ...one, version: one.name === raised ? 10 : one.version }));
  expect(changedUnderOneVersion(before, now, writers)).toEqual(['creative', 'placement']);
  expect(changedUnderOneVersion(before, now, versionOf('notes'))).toEqual(['creative', 'placement']);
  expect(changedUnderOneVersion(before, now, versionOf('creative-totals'))).toEqual(['placement']);
  expect(changedUnderOneVersion(before, before.kinds, writers)).toEqual([]);
});

test('PJ-1758 each projection writes the kinds of documents that it names, and has a name of its own', async () => {
  const written = new Set<string>();
  const set = workingSet(testReadStore());
  const noted: WorkingSet = {
    ...set,
    put: (change) => {
      written.add(change.kind);
      return set.put(change);
    },
    add: (change) => {
      written.add(change.kind);
      set.add(change);
    },
  };
  const found = new Map<string, Set<string>>(projections.map(({ name }) => [name, new Set()]));
  const watched = projections.map((projection): Projection => {
    const watch = async (state: FoldState, work: () => Promise<void> | undefined): Promise<void> => {
      written.clear();
      await work();
      // What it has drafted is written here, where its writer is known.
      await projection.settle?.(state);
      for (const kind of written) found.get(projection.name)?.add(kind);
    };
    const { apply, facts } = projection;
    return {
      ...projection,
      apply: (change, state) => watch(state, () => apply(change, state)),
      ...(facts !== undefined && {
        facts: { ...facts, apply: (fact, state) => watch(state, () => facts.apply(fact, state)) },
      }),
    };
  });
  for (const log of await recordedLogs()) {
    const fold = new EventFold(noted, watched);
    for (const event of log) await fold.fold(event);
    fold.drop();
  }
  const named = projections.map(({ name, writes }) => [name, [...writes].sort()]);
  expect([...found].map(([name, kinds]) => [name, [...kinds].sort()])).toEqual(named);
});
