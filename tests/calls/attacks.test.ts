import { randomUUID } from 'node:crypto';
import type { Reply } from '@zakup/command/testing/command-service';
import { givenCampaign, givenPerson, issuedLicence, ownerPassword, ticketOf } from '@zakup/command/testing/given';
import { messages } from '@zakup/domain/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenTeam, type Team } from './team.ts';

const said = ({ status, body }: Reply): string => (status === 200 ? '200' : `${status} ${body.code} ${body.error}`);
const invalid = (text: string): string => `422 VALIDATION_FAILED ${text}`;
const denied = (text: string): string => `403 ACCESS_DENIED ${text}`;

describe('what an attacker tries with a session of the licence', () => {
  let team: Team;
  beforeAll(async () => {
    team = await givenTeam();
  });
  afterAll(() => team.api.close());

  const asking =
    (token: string) =>
    (method: string, path: string, body?: unknown, key?: string): Promise<Reply> =>
      team.api.call(method, path, body, { token, ...(key !== undefined && { key }) });
  const asOwner = (method: string, path: string, body?: unknown, key?: string): Promise<Reply> =>
    asking(team.owner.token)(method, path, body, key);
  const person = (role: string, permissions: object): Promise<{ readonly id: string; readonly token: string }> =>
    givenPerson(team.api, team.licence, role, { permissions });
  const hiring = (more: object): Promise<Reply> =>
    asOwner('POST', '/employees/create', {
      name: 'Олег',
      email: `${team.fresh('attack')}@example.com`,
      role: 'MEDIA_BUYER',
      ...more,
    });

  test('ATK-1 nobody gets into the account of an equal who may more, by a new code or password', async () => {
    const ask = asking((await person('MEDIA_BUYER', { dashboard: true, settings: true })).token);
    const wider = await person('ANALYTIC', { dashboard: true, settings: true, reports: true });
    const narrower = await person('ANALYTIC', { dashboard: true });
    for (const call of ['reissue-code', 'temporary-password']) {
      expect([call, said(await ask('POST', `/users/${wider.id}/${call}`, {}))]).toEqual([
        call,
        denied(messages.grantTooWide),
      ]);
      expect([call, said(await ask('POST', `/users/${narrower.id}/${call}`, {}))]).toEqual([call, '200']);
    }
  });

  test('ATK-2 only the owner lets codes alone open the door, which settings show to others', async () => {
    for (const role of ['CBDO', 'TEAM_LEAD'] as const) {
      const ask = asking(team.actors[role].token);
      expect(said(await ask('PUT', '/license/settings', { codeOnlyLogin: true }))).toBe(
        denied(messages.codeOnlyLoginByOwner),
      );
      expect(said(await ask('PUT', '/license/settings', { codeOnlyLogin: false, leadValue: 120 }))).toBe('200');
    }
    expect(said(await asOwner('PUT', '/license/settings', { codeOnlyLogin: true }))).toBe('200');
    expect(said(await asking(team.actors.CBDO.token)('PUT', '/license/settings', { codeOnlyLogin: false }))).toBe(
      denied(messages.codeOnlyLoginByOwner),
    );
    expect(said(await asOwner('PUT', '/license/settings', { codeOnlyLogin: false }))).toBe('200');
  });

  test('ATK-3 members of PUT that are not for it, and rights that the asker lacks, raise nobody', async () => {
    for (const role of ['CBDO', 'TEAM_LEAD'] as const) {
      const { token, id } = team.actors[role];
      const ask = asking(token);
      const raises = [
        [{ role: 'CEO' }, denied(messages.rankTooHigh)],
        [{ permissions: { capabilities: true, settings: true } }, denied(messages.grantTooWide)],
        [{ permissions: '{"capabilities":true}' }, denied(messages.grantTooWide)],
        [{ isOwner: true, licenseId: 'x', id: 'y', authCode: 'OWNED', password: 'x'.repeat(8) }, '200'],
      ] as const;
      for (const [body, expected] of raises)
        expect([body, said(await ask('PUT', `/users/${id}`, body))]).toEqual([body, expected]);
      const session = await team.api.call('GET', '/auth/session', undefined, { token });
      expect(session.body.data).toMatchObject({ user: { role }, permissions: { capabilities: false } });
      for (const above of [team.owner, team.askers.CEO])
        for (const [method, call] of [
          ['PUT', ''],
          ['POST', '/reissue-code'],
          ['POST', '/temporary-password'],
          ['DELETE', ''],
        ] as const)
          expect((await ask(method, `/users/${above.id}${call}`, { name: 'Взлом' })).status).toBe(403);
    }
  });

  test('ATK-4 a licence whose owner could not be activated is not issued', async () => {
    const { admin } = await issuedLicence(team.api);
    const issue = (ownerName: string) =>
      team.api.call(
        'POST',
        '/admin/licenses',
        { ownerName, ownerEmail: 'a@example.com', ownerTelegram: '@a' },
        { token: admin },
      );
    expect(said(await issue('Я'))).toBe(invalid(messages.userNameInvalid));
    const { license, activationCode } = (await issue('Ян')).body.data;
    const code = { licenseKey: license.licenseKey, twoFactorCode: activationCode };
    const ticket = ticketOf(await team.api.call('POST', '/licenses/activate-step1', code));
    const step2 = { licenseKey: license.licenseKey, password: ownerPassword, passwordConfirm: ownerPassword };
    const headers = { Cookie: ticket };
    expect(said(await team.api.call('POST', '/licenses/activate-step2', step2, { headers }))).toBe('200');
  });

  test('ATK-5 a given code fits into the field that asks for it, and holds nothing unseen', async () => {
    const code = team.fresh('CODE').padEnd(12, 'X');
    expect(said(await hiring({ authCode: `${code}X` }))).toBe(invalid(messages.textTooLong));
    for (const unseen of ['ABCD\0', 'AB\u200bCD', 'AB\u202eCD'])
      expect(said(await hiring({ authCode: unseen }))).toBe(invalid(messages.authCodeInvalid));
    expect(said(await hiring({ authCode: ` ${code.toLowerCase()} ` }))).toBe('200');
  });

  test('ATK-6 names have something to be seen, texts nothing that no store keeps', async () => {
    const { contractor } = team;
    const unseen = ['\u200b', '\u202e', '\u2060\u00ad', 'a\u001bb', 'two\nlines'];
    const unkept = ['a\0b', 'a\ud800', '\ud800'];
    for (const [names, text] of [
      [unseen, messages.nameInvalid],
      [unkept, messages.textInvalid],
    ] as const)
      for (const name of names) {
        expect([name, said(await asOwner('POST', '/channels', { name }))]).toEqual([name, invalid(text)]);
        expect([name, said(await asOwner('POST', '/creatives', { name }))]).toEqual([name, invalid(text)]);
        expect((await hiring({ name: `${name}${name}` })).status).toBe(422);
      }
    for (const note of ['a\0b', '\ud800'])
      expect(said(await asOwner('POST', `/contractors/${contractor.id}/notes`, { note }))).toBe(
        invalid(messages.textInvalid),
      );
    expect(said(await asOwner('POST', `/contractors/${contractor.id}/notes`, { note: 'Две\nстроки 👩‍👩‍👧' }))).toBe(
      '200',
    );
    for (const email of ['a@b.co\u0000x', 'a\u200b@b.co'])
      expect(said(await hiring({ email }))).toBe(invalid(messages.emailInvalid));
    expect(said(await hiring({ name: 'Я'.repeat(121) }))).toBe(invalid(messages.textTooLong));
    expect(said(await hiring({ permissions: 'x'.repeat(4001) }))).toBe(invalid(messages.permissionsInvalid));
  });

  test('ATK-7 one mistake is told once', async () => {
    const { body } = await asOwner('PUT', `/campaigns/${team.campaign.id}`, {
      baseRevision: 2 ** 60,
      totalBudget: 'x',
    });
    expect(body.errors).toEqual([
      { pointer: '/baseRevision', detail: messages.revisionInvalid },
      { pointer: '/totalBudget', detail: messages.budgetInvalid },
    ]);
  });

  test('ATK-8 additions against the end of their campaign: none is there after it', async () => {
    const { api, placementBody, licence, owner } = team;
    for (const [method, path, type] of [
      ['POST', '/complete', 'CampaignCompleted'],
      ['DELETE', '', 'CampaignDeleted'],
    ] as const) {
      const campaign = await givenCampaign(api, owner.token);
      const add = () => asOwner('POST', '/placements', { ...placementBody, campaignId: campaign.id });
      const many = () => Promise.all(Array.from({ length: 12 }, add));
      await Promise.all([many(), asOwner(method, `/campaigns/${campaign.id}${path}`), many()]);
      const events = await api.eventStore.readLicence(licence.id);
      const end = events.find((event) => event.type === type && event.stream.endsWith(`~${campaign.id}`));
      const added = events.filter(
        ({ data, ...event }) => event.type === 'PlacementAdded' && data['campaignId'] === campaign.id,
      );
      expect(end).toBeDefined();
      expect(added.filter(({ position }) => position > (end?.position ?? 0))).toEqual([]);
    }
  });

  test('ATK-9 contractors merged into each other at once, in a ring, end in one', async () => {
    const made = async (): Promise<string> =>
      (await team.done('POST', '/contractors', { adminUsername: team.fresh('@ring') })).contractor.id;
    const [one, two, three] = [await made(), await made(), await made()];
    const merge = (from: string, intoId: string) => asOwner('POST', `/contractors/${from}/merge`, { intoId });
    const replies = await Promise.all([merge(one, two), merge(two, three), merge(three, one)]);
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThan(3);
    for (const { status } of replies) expect([200, 404]).toContain(status);
    const cards = await Promise.all(
      [one, two, three].map(async (id) => {
        const after = await team.api.eventStore.head();
        return team.api.call('GET', `/contractors/${id}?after=${after}`, undefined, { token: team.owner.token });
      }),
    );
    expect(cards.map(({ status }) => status)).toEqual([200, 200, 200]);
    const alone = await made();
    expect(said(await merge(alone, alone))).toBe(invalid(messages.mergeWithItself));
  });

  test('ATK-10 an undo of an undo of a batch brings it back, and both directions can be gone again', async () => {
    const { placementBody, done } = team;
    const { placement } = await done('POST', '/placements', placementBody);
    const [batch, ...undos] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const items = [
      { op: 'add', ...placementBody },
      { op: 'change', placementId: placement.id, price: 5 },
      { op: 'payment', placementId: placement.id },
    ];
    const { results } = (await asOwner('POST', '/placements/batch', { items }, batch)).body.data;
    const addedId = results[0]?.placement?.id ?? '';
    const now = async (): Promise<unknown> => {
      const after = await team.api.eventStore.head();
      const [changed, added] = await Promise.all(
        [placement.id, addedId].map((id) => asOwner('GET', `/placements/${id}?after=${after}`)),
      );
      return [changed?.body.data.placement.price, changed?.body.data.placement.paymentStatus, added?.status];
    };
    let previous = batch;
    for (const key of undos) {
      expect(said(await asOwner('POST', '/undo', { commandId: previous }, key))).toBe('200');
      const undone = undos.indexOf(key) % 2 === 0;
      expect(await now()).toEqual(undone ? [100, 'unpaid', 404] : [5, 'paid', 200]);
      previous = key;
    }
    const head = await team.api.eventStore.head();
    expect(said(await asOwner('POST', '/undo', { commandId: batch }))).toBe('200');
    expect(await team.api.eventStore.head()).toBe(head);
  });

  test('ATK-11 a key is one person’s, for one path and one body; what was refused leaves it free', async () => {
    const key = randomUUID();
    const taken = `422 PAYLOAD_MISMATCH ${messages.payloadMismatch}`;
    expect(said(await asOwner('POST', '/channels', { name: 'Ключ' }, key))).toBe('200');
    const { position } = (await asOwner('POST', '/channels', { name: 'Ключ' }, key.toUpperCase())).body;
    const head = await team.api.eventStore.head();
    for (const [method, path, body] of [
      ['POST', '/channels', { name: 'Ключ ' }],
      ['POST', '/creatives', { name: 'Ключ' }],
      ['POST', '/placements', team.placementBody],
      ['POST', '/placements/batch', { items: [{ op: 'add', ...team.placementBody }] }],
    ] as const)
      expect([path, said(await asOwner(method, path, body, key))]).toEqual([path, taken]);
    expect(await team.api.eventStore.head()).toBe(head);
    expect(position).toBeLessThanOrEqual(head);
    expect(said(await asking(team.askers.CEO.token)('POST', '/channels', { name: 'Другой' }, key))).toBe('200');
    const free = randomUUID();
    expect(said(await asOwner('POST', '/channels', { name: '' }, free))).toBe(invalid(messages.nameInvalid));
    expect(said(await asOwner('POST', '/channels', { name: 'Свободен' }, free))).toBe('200');
  });

  test('ATK-12 nicks that look alike: one contractor for spellings of one, none with something unseen', async () => {
    const nick = team.fresh('looks');
    const idOf = async (contractor: string): Promise<string> => {
      const reply = await asOwner('POST', '/placements', { ...team.placementBody, contractor });
      return reply.status === 200 ? reply.body.data.placement.contractorId : said(reply);
    };
    const wide = nick.replaceAll(/[a-z0-9]/gu, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));
    const spellings = [
      nick,
      wide,
      `Ｔ.me／${nick}`,
      `HTTPS://T.ME/${nick}/`,
      `http://https://t.me/@${nick}?x`,
      `\t@@${nick}\n`,
    ];
    const ids = new Set<string>();
    for (const spelling of spellings) ids.add(await idOf(spelling));
    expect(ids.size).toBe(1);
    for (const unseen of ['\u200b', '\u00ad', '\u202e', '\0', ' '])
      expect(await idOf(`${nick}${unseen}x`)).toMatch(/^422 /u);
    expect(ids).not.toContain(await idOf(nick.replace('o', 'о')));
  });
});
