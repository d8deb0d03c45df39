import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { derivedKey } from '@zakup/service-kit/derived-key';
import { testStart } from '@zakup/service-kit/testing/started';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPlaces } from './stores.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zakup-places-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const eventStore = { EVENTSTOREDB_URL: 'esdb://localhost:1?tls=false' };
const readStore = { MONGODB_URL: 'mongodb://localhost:1/zakup' };
const secret = 'a-secret-that-all-services-share-here';

/** The key that codes are hidden with by who starts in this folder. */
const keyIn = async (name: string, settings: Readonly<Record<string, string>>): Promise<Uint8Array> => {
  const { config } = testStart({ DATA_DIR: join(folder, name), ...settings });
  const { accessCodesKey, dataDir } = await findPlaces(config, { use: 'ordinary', serves: true });
  dataDir?.close();
  return accessCodesKey;
};

test('AUTH-1620 what lies on servers is opened by whoever has the secret of the tokens, in any folder and as separate services', async () => {
  const servers = { ...eventStore, ...readStore, JWT_SECRET: secret };
  const one = await keyIn('one', servers);
  expect(one).toEqual(derivedKey(secret, 'access codes'));
  expect(await keyIn('other', servers)).toEqual(one);
  expect(await keyIn('none', { ...servers, SEAL_KEY: 's'.repeat(43) })).toEqual(one);
  const given = Buffer.alloc(32, 5);
  expect(await keyIn('one', { ...servers, ACCESS_CODES_KEY: given.toString('base64url') })).toEqual(given);
});

test('AUTH-1621 what is embedded has a key of its folder, which the secret of the tokens says nothing of', async () => {
  for (const servers of [{}, eventStore, readStore]) {
    const name = Object.keys(servers).join() || 'embedded';
    const made = await keyIn(name, { ...servers, JWT_SECRET: secret });
    expect(made).toHaveLength(32);
    expect(made).not.toEqual(derivedKey(secret, 'access codes'));
    expect(await keyIn(name, { ...servers, JWT_SECRET: `another-${secret}` })).toEqual(made);
  }
});
