import { givenLicence, givenPerson } from '@zakup/command/testing/given';
import { hiddenLater } from '@zakup/command/testing/plain-codes';
import type { Call } from '@zakup/contracts/calls/call';
import { type CallName, calls } from '@zakup/contracts/calls/calls';
import { testCodes } from '@zakup/credentials/testing/test-codes';
import { unzipped } from '@zakup/gateway/testing/unzipped';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { examples } from './examples.ts';
import { send } from './send.ts';
import { givenTeam } from './team.ts';
import { opened, watchable } from './watchable.ts';
import { type WholeApi, wholeApi } from './whole-api.ts';

const reads = Object.entries(calls as Readonly<Record<string, Call>>)
  .filter(([, { method }]) => method === 'GET')
  .map(([name, { realm }]) => [name as CallName, realm] as const);

const get = async (api: WholeApi, path: string, token: string) => {
  const after = path.startsWith('/admin')
    ? ''
    : `${path.includes('?') ? '&' : '?'}after=${await api.eventStore.head()}`;
  const { status, body } = await api.call('GET', `${path}${after}`, undefined, { token });
  expect([path, status]).toEqual([path, 200]);
  return body.data as unknown as Readonly<Record<'users' | 'licenses', readonly Shown[]>> &
    Readonly<Record<'user' | 'license', Shown>>;
};
type Shown = Readonly<Record<'id' | 'authCode' | 'licenseKey' | 'ceoLoginCode', string>>;

describe('codes and keys that stand hidden', () => {
  test('AUTH-1596 whoever was told a code or a key is told it as before, and nobody ever how it is kept', async () => {
    const team = await givenTeam();
    onTestFinished(() => team.api.close());
    const { api, licence, owner, admin, actors } = team;
    const anna = await givenPerson(api, licence, 'MEDIA_BUYER', { authCode: 'ANNA' });

    const { users } = await get(api, '/users', owner.token);
    expect(users.find(({ id }) => id === anna.id)?.authCode).toBe('ANNA');
    expect(users.find(({ id }) => id === owner.id)?.authCode).toBe(licence.ownerCode);
    const then = { at: String(await api.eventStore.head()) };
    expect((await send(api, 'GET /users', { query: then }, owner.token)).text).toContain('"ANNA"');
    expect((await get(api, '/auth/session', anna.token)).user.authCode).toBe('ANNA');
    const masked = `LICENSE-••••-••••-••••-${licence.key.slice(-4)}`;
    expect((await get(api, '/license', actors.ANALYTIC.token)).license).toMatchObject({
      licenseKey: masked,
      ceoLoginCode: null,
    });
    const whole = { licenseKey: licence.key, ceoLoginCode: licence.ownerCode };
    expect((await get(api, '/license?reveal=true', owner.token)).license).toMatchObject(whole);
    await api.followed();
    const { licenses } = await get(api, '/admin/licenses', admin);
    expect(licenses.find(({ id }) => id === licence.id)).toMatchObject(whole);

    const live = await watchable(api.gateway);
    onTestFinished(() => live.close());
    const client = await live.connect(owner.token);
    await opened(client, 'workspace', 'me');
    const docs = JSON.stringify([...client.replica('workspace').docs, ...client.replica('me').docs]);
    for (const told of ['"ANNA"', masked, licence.ownerCode]) expect(docs).toContain(told);
    expect(docs).not.toContain('enc:');

    const archive = await fetch(`${api.address}/api/license/export`, {
      headers: { Authorization: `Bearer ${owner.token}` },
    });
    const files = [...(await unzipped(Buffer.from(await archive.arrayBuffer()))).entries()];
    expect(Object.fromEntries(files)['license.json']).toContain(masked);
    expect(files.filter(([, text]) => text.includes('enc:1')).map(([name]) => name)).toEqual([]);
    let answered = 0;
    for (const [name, realm] of reads) {
      const token = realm === 'admin' ? admin : owner.token;
      const { status, text } = await send(api, name, await examples[name](team, owner), token);
      expect([name, text.includes('enc:1')]).toEqual([name, false]);
      if (status === 200) answered += 1;
    }
    expect(answered).toBeGreaterThan(30);
  });

  test('AUTH-1597 a licence of before stands plainly beside a new one: both are shown, told of and folded anew alike', async () => {
    const codes = hiddenLater(testCodes);
    const api = await wholeApi(codes);
    onTestFinished(() => api.close());
    const old = await givenLicence(api);
    const boris = await givenPerson(api, old, 'MEDIA_BUYER', { authCode: 'BORIS' });
    codes.hideFromNowOn();
    api.forget();
    const fresh = await givenLicence(api);
    const vera = await givenPerson(api, fresh, 'MEDIA_BUYER', { authCode: 'VERA' });
    const late = await givenPerson(api, old, 'ANALYTIC', { authCode: 'LATE' });

    for (const [licence, people] of [
      [old, { [boris.id]: 'BORIS', [late.id]: 'LATE' }],
      [fresh, { [vera.id]: 'VERA' }],
    ] as const) {
      const { users } = await get(api, '/users', licence.owner);
      expect(Object.fromEntries(users.map(({ id, authCode }) => [id, authCode]))).toEqual({
        [licence.ownerId]: licence.ownerCode,
        ...people,
      });
      const { license } = await get(api, '/license?reveal=true', licence.owner);
      expect(license).toMatchObject({ licenseKey: licence.key, ceoLoginCode: licence.ownerCode });
    }
    await api.followed();
    const { docs } = await api.readStore.query('license', {});
    const kept = new Map(docs.map(({ id, data }) => [id, data?.['licenseKey']]));
    expect(kept.get(old.id)).toBe(old.key);
    expect(kept.get(fresh.id)).toMatch(/^enc:1:/u);
    const models = JSON.stringify([
      ...docs.filter(({ id }) => id === fresh.id),
      ...(await api.readStore.query('user', { licenceId: fresh.id })).docs,
    ]);
    const events: readonly RecordedEvent[] = await api.eventStore.readLicence(fresh.id);
    for (const code of [fresh.key, fresh.ownerCode, '"VERA"']) {
      expect(models).not.toContain(code);
      expect(JSON.stringify(events)).not.toContain(code);
    }
  });
});
