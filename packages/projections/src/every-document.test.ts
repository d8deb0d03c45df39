import { readdir, readFile } from 'node:fs/promises';
import { catalog } from '@zakup/domain/catalog';
import type { EventStore } from '@zakup/event-store/event-store';
import { describe, expect, it } from 'vitest';
import { foldAll, licenceId, testReadStore } from './testing/given.ts';
import { differences, documentKinds, naiveDocuments } from './testing/naive/documents.ts';
import { typesOf, undoable } from './testing/random-commands.ts';
import { eventStoreOf, recordedLogs } from './testing/recorded-logs.ts';
import { randomLife } from './testing/random-life.ts';
import { storedOf } from './testing/stored.ts';

const foldedAs = async (eventStore: EventStore, maxBatch: number) => {
  const readStore = testReadStore();
  await foldAll({ eventStore, readStore, maxBatch });
  return { readStore, documents: await storedOf(readStore, licenceId) };
};

describe('every document of every kind', () => {
  const accepted = new Set<string>();
  const ways = new Set<string>();
  const undone = new Set<string>();
  const kinds = new Set<string>();
  const types = new Set<string>();

  it.each(Array.from({ length: 60 }, (_, seed) => seed))(
    'PJ-75 says what a plain recomputation from the events alone says, seed %i',
    async (seed) => {
      const life = await randomLife(seed, 200);
      const { readStore, documents } = await foldedAs(life.eventStore, 1 + (seed % 40));
      expect(differences(documents, life.events)).toEqual([]);
      expect((await readStore.query('parked', {})).docs).toEqual([]);
      for (const one of life.taken) {
        ways.add(one.kind);
        for (const type of typesOf(one)) accepted.add(type);
      }
      for (const category of life.undone) undone.add(category);
      for (const { kind } of documents) kinds.add(kind);
      for (const { type } of life.events) types.add(type);
    },
  );

  it('PJ-1753 says so of the recorded logs too, which hold events of every type, also those that chance seldom makes', async () => {
    for (const log of await recordedLogs()) {
      const eventStore = await eventStoreOf(log);
      const events = await eventStore.readLicence(licenceId);
      expect(differences((await foldedAs(eventStore, 40)).documents, events)).toEqual([]);
      for (const { type } of events) types.add(type);
    }
  });

  it('PJ-64 came of commands of every type that the domain knows, each taken at least once, with events of every type, and of undoing on every kind', async () => {
    const folder = new URL('../../../domain/src/', import.meta.url);
    const known = new Set<string>();
    for (const entity of await readdir(folder, { withFileTypes: true })) {
      const file = new URL(`${entity.name}/commands.ts`, folder);
      const text = entity.isDirectory() ? await readFile(file, 'utf8').catch(() => '') : '';
      for (const [, type] of text.matchAll(/readonly type: '(\w+)'/gu)) known.add(type ?? '');
    }
    expect([...accepted].sort()).toEqual([...known].sort());
    expect([...types].sort()).toEqual(Object.keys(catalog).sort());
    expect([...ways].sort()).toEqual(['import', 'merge', 'separate', 'single', 'told', 'undo']);
    expect([...undone].sort()).toEqual([...undoable].sort());
  });

  it('PJ-76 was there, but for people, creatives and licences that are hidden, which nothing hides', () => {
    const never = ['parked', 'removed_license', 'removed_user', 'removed_creative'];
    expect([...kinds, ...never].sort()).toEqual([...documentKinds].sort());
  });

  it('PJ-77 is looked at: one of a kind unknown here, one too few and a member more are told', async () => {
    const { eventStore, events } = await randomLife(1, 40);
    const { documents } = await foldedAs(eventStore, 250);
    const [first, ...others] = documents;
    if (first === undefined) throw new Error('Nothing is stored');
    const foundIn = (stored: typeof documents) => differences(stored, events).map(({ document }) => document);
    expect(foundIn([...documents, { ...first, kind: 'new_kind', id: 'x' }])).toEqual(['new_kind/x']);
    expect(foundIn(others)).toEqual([`${first.kind}/${first.id}`]);
    for (const doc of documents) {
      const name = [`${doc.kind}/${doc.id}`];
      const without = documents.filter((one) => one !== doc);
      expect(foundIn([...without, { ...doc, data: { ...doc.data, more: 1 } }])).toEqual(name);
      expect(foundIn([...without, { ...doc, scopes: [...doc.scopes, 'campaign:z'] }])).toEqual(name);
    }
  });

  it('PJ-79 is recomputed by code of its own: of everything else only types are known there', async () => {
    const folder = new URL('testing/naive/', import.meta.url);
    for (const file of await readdir(folder)) {
      const text = await readFile(new URL(file, folder), 'utf8');
      const from = [...text.matchAll(/^import (?!type )[^;]*from '([^']+)'/gmu)].map(([, module = '']) => module);
      expect([file, from.filter((module) => !/^(?:\.\/[a-z]+\.ts|node:util)$/u.test(module))]).toEqual([file, []]);
    }
  });

  it.each([101, 102, 103, 104])(
    'PJ-78 stands at the position of the last event that changed what it says, seed %i',
    async (seed) => {
      const { eventStore, events } = await randomLife(seed, 90);
      const changed = new Map<string, number>();
      let before: ReadonlyMap<string, unknown> = new Map();
      for (const [index, { position }] of events.entries()) {
        const now = naiveDocuments(events.slice(0, index + 1));
        for (const [name, said] of now)
          if (JSON.stringify(said) !== JSON.stringify(before.get(name))) changed.set(name, position);
        before = now;
      }
      const { documents } = await foldedAs(eventStore, 1);
      const wrong = documents
        .map(({ kind, id, position }) => [`${kind}/${id}`, position, changed.get(`${kind}/${id}`)])
        .filter(([, stored, expected]) => stored !== expected);
      expect(wrong).toEqual([]);
    },
  );
});
