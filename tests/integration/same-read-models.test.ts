import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DocKind } from '@zakup/contracts/wire-entities';
import { collectionOfKind, ownCollections, privatePrefix } from '@zakup/read-store/mongodb/collections';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programPath } from '../support/built-programs.ts';
import { type Edition, editions, type Installation } from '../support/editions.ts';
import { liveClient } from '../support/live-client.ts';
import { compared, normaliser } from './normalised.ts';
import { assembled, type Cast, reads, toldStory } from './one-story.ts';

const kinds = [
  'license',
  'user',
  'person',
  'channel',
  'campaign',
  'creative',
  'contractor',
  'placement',
  'analytics',
  'earnings',
  'note',
] as const satisfies readonly DocKind[];

interface Seen {
  readonly edition: Edition;
  readonly zakup: Installation;
  readonly cast: Cast;
  readonly story: Awaited<ReturnType<typeof toldStory>>;
  readonly normalised: (value: unknown) => unknown;
  /** Normalised. */
  readonly answers: unknown;
  readonly reads: unknown;
  readonly docs: unknown;
}

/** What sockets hold of every scope, each kind in the order of its normalised text: documents come in no order that is promised. */
const liveDocs = async (
  { address }: Installation,
  { crew, analyst }: Cast,
  { made, position }: Seen['story'],
  normalised: (value: unknown) => unknown,
) => {
  const scopes = ['workspace', `campaign:${crew.campaign.id}`, `campaign:${made['campaign']}`, 'me'];
  const told: Record<string, unknown> = {};
  for (const [who, { token }] of Object.entries({ owner: crew.owner, anna: crew.buyers[0], analyst })) {
    for (const [index, scope] of [...scopes, `contractor:${made['contractor']}`].entries()) {
      const client = await liveClient(address, token);
      const refused = await client.subscribe(scope).then(
        () => null,
        (error: Error) => normalised(error.message),
      );
      if (refused === null) await client.reached(scope, position);
      told[`${who} ${index}`] =
        refused ??
        Object.fromEntries(
          kinds.map((kind) => [
            kind,
            client
              .docs(kind)
              .map((doc) => normalised(doc))
              .toSorted(compared),
          ]),
        );
      client.close();
    }
  }
  return told;
};

const rebuilt = async ({ settings }: Installation): Promise<void> => {
  // What `npm run rebuild -- all` runs.
  await promisify(execFile)(process.execPath, [await programPath('rebuild'), 'all'], {
    env: { PATH: process.env['PATH'], JWT_SECRET: 'a-secret-of-tests-that-is-long-enough', ...settings },
  });
};

/** Throws the read models away as an operator would: the collections dropped, the files removed. */
const dropReadModels = async ({ settings }: Installation): Promise<void> => {
  const { DATA_DIR: folder, MONGODB_URL: url } = settings;
  if (folder !== undefined)
    for (const end of ['', '-wal', '-shm']) await rm(join(folder, `read-models.db${end}`), { force: true });
  if (url === undefined) return;
  const client = await MongoClient.connect(url);
  const ours = new Set<string>([...Object.values(collectionOfKind), ownCollections.checkpoints, ownCollections.floors]);
  for (const collection of await client.db().collections()) {
    const { collectionName: name } = collection;
    if (ours.has(name) || name.startsWith(privatePrefix)) await collection.drop();
  }
  await client.close();
};

describe(`The same commands in ${editions.map(({ name }) => name).join(', and in ')}`, () => {
  let seen: readonly Seen[] = [];
  const installed: Installation[] = [];

  beforeAll(async () => {
    seen = await Promise.all(
      editions.map(async (edition) => {
        const zakup = await edition.install();
        installed.push(zakup);
        await zakup.start();
        const { address } = zakup;
        const cast = await assembled(address);
        const story = await toldStory(address, cast);
        const normalised = normaliser();
        // Ids get their names in the order of the story, which no read can change.
        const answers = normalised([cast.crew, cast.analyst, cast.stranger, story.answers]);
        const read = normalised(await reads(address, cast, story.made, story.position));
        const docs = await liveDocs(zakup, cast, story, normalised);
        return { edition, zakup, cast, story, normalised, answers, reads: read, docs };
      }),
    );
  }, 300_000);

  afterAll(async () => {
    await Promise.all(installed.map((zakup) => zakup.remove()));
    await Promise.all(editions.map((edition) => edition.end()));
  });

  test('SAME-1 every command is answered the same, refusals included', () => {
    const [one, three] = seen;
    expect(three?.answers).toEqual(one?.answers);
    const statuses = one?.story.answers.map(({ status }) => status) ?? [];
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(40);
    for (const refusal of [403, 404, 409, 422]) expect(statuses).toContain(refusal);
  });

  test('SAME-2 every read is answered the same for everybody', () => {
    const [one, three] = seen;
    expect(three?.reads).toEqual(one?.reads);
    for (const said of ['owner reads placements of then', 'owner reads analytics of then'])
      expect(one?.reads).toContainEqual(expect.objectContaining({ said, status: 200 }));
  });

  test('SAME-3 sockets of every scope hold the same documents', () => {
    const [one, three] = seen;
    expect(three?.docs).toEqual(one?.docs);
    for (const kind of kinds) expect(JSON.stringify(one?.docs)).toContain(`"${kind}":[{`);
  });

  test.each(editions.map(({ name }, index) => ({ name, index })))(
    'SAME-4 read models thrown away and built anew are the same as before in $name @deep',
    async ({ index }) => {
      const here = seen[index];
      if (here === undefined) throw new Error('It was not installed');
      const { zakup, cast, story, normalised } = here;
      await zakup.stop();
      await dropReadModels(zakup);
      await rebuilt(zakup);
      await zakup.start();
      expect(normalised(await reads(zakup.address, cast, story.made, story.position))).toEqual(here.reads);
      expect(await liveDocs(zakup, cast, story, normalised)).toEqual(here.docs);
    },
  );
});
