import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { ImportWire } from '@zakup/contracts/imports';
import { partialWrites } from '@zakup/command/compensation/partial-writes';
import { runProcesses } from '@zakup/command/processes/run-processes';
import { givenPerson } from '@zakup/command/testing/given';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import { messages } from '@zakup/domain/messages';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { givenTeam, type Team } from './team.ts';
import { opened, watchable } from './watchable.ts';

interface Answer {
  readonly status: number;
  readonly body: {
    readonly code?: string;
    readonly error: string | null;
    readonly errors?: readonly { readonly pointer: string }[];
    readonly position: number;
    readonly commandId: string;
    readonly data: { readonly import: ImportWire; readonly report: ImportWire['report'] };
  };
}

const heading = 'Дата;Ник;Цена;Приход;Тематика;Комментарий\n';
const fileOf = (prefix: string, rows: number): string =>
  heading +
  Array.from(
    { length: rows },
    (_, row) => `01.02.2026;@${prefix}${row % 40};${row + 1};${row % 7};Юмор;строка ${row}\n`,
  ).join('');

describe('an import that is written', () => {
  let team: Team;
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    team = await givenTeam();
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
    await team.api.close();
  });

  /** The processes of a command service, until they are stopped. */
  const processes = () => {
    const { api } = team;
    const running = runProcesses({
      eventStore: api.commandLog,
      readStore: api.readStore,
      partialWrites,
      now: api.clock,
      log: { info: () => undefined, warn: (details, message) => console.error(message, details) },
      signal: new AbortController().signal,
    });
    const stop = () => running.stop();
    stops.push(stop);
    return stop;
  };

  const newCampaign = async (): Promise<string> => {
    const { campaign, done, fresh } = team;
    const body = { name: fresh('Импорт '), channelId: campaign.channelId, status: 'ACTIVE' };
    return (await done('POST', '/campaigns', body)).campaign.id;
  };
  const send = async (
    campaignId: string,
    file: string | Buffer,
    {
      key,
      query = {},
      token = team.actors.TEAM_LEAD.token,
    }: { readonly key?: string; readonly query?: Record<string, string>; readonly token?: string } = {},
  ): Promise<Answer> => {
    const asked = new URLSearchParams(query).toString();
    const response = await fetch(
      `${team.api.address}/api/campaigns/${campaignId}/import${asked === '' ? '' : `?${asked}`}`,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, ...(key !== undefined && { 'Idempotency-Key': key }) },
        body: file as unknown as string,
      },
    );
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const read = async (path: string, token = team.owner.token) => {
    await team.api.followed();
    return (await team.api.call('GET', path, undefined, { token })).body.data as unknown as {
      readonly import: ImportWire;
      readonly imports: readonly ImportWire[];
      readonly next: string | null;
      readonly placements: readonly Readonly<Record<string, unknown>>[];
      readonly total: number;
    };
  };
  const ended = (id: string): Promise<ImportWire> =>
    vi.waitFor(
      async () => {
        const { import: found } = await read(`/imports/${id}`);
        expect([found.status, found.undo?.status]).not.toContain('running');
        return found;
      },
      { timeout: 60_000, interval: 100 },
    );
  const rowsIn = async (campaignId: string) =>
    read(`/campaigns/${campaignId}/placements?pageSize=500&sortBy=price&sortOrder=asc`);

  it('IMP-1861 is written once, also sent again, told as it goes, and taken back as one command', async () => {
    const stop = processes();
    const campaignId = await newCampaign();
    const key = randomUUID();
    const file = `${fileOf('once', 600)}01.02.2026;@x;1;1;Нет такой;\n`;
    const begun = await send(campaignId, file, { key, query: { name: 'закуп.csv' } });
    expect([begun.status, begun.body.data.import]).toMatchObject([
      200,
      {
        id: key,
        status: 'running',
        total: 601,
        done: 1,
        failed: 1,
        name: 'закуп.csv',
        by: team.actors.TEAM_LEAD.id,
        position: null,
      },
    ]);
    expect(await ended(key)).toMatchObject({
      status: 'done',
      total: 601,
      done: 601,
      added: 600,
      changed: 0,
      skipped: 0,
      failed: 1,
    });
    expect((await send(campaignId, file, { key, query: { name: 'закуп.csv' } })).body).toEqual(begun.body);
    expect((await send(campaignId, fileOf('other', 1), { key })).body.code).toBe('PAYLOAD_MISMATCH');
    const { placements, total } = await rowsIn(campaignId);
    expect(total).toBe(600);
    expect(placements[8]).toMatchObject({
      price: 9,
      leads: 1,
      date: '2026-02-01',
      category: 'Юмор',
      comment: 'строка 8',
      buyerId: team.actors.TEAM_LEAD.id,
    });
    const { token } = team.actors.TEAM_LEAD;
    const history = (
      await team.api.call('GET', `/placements/${String(placements[8]?.['id'])}/history`, undefined, { token })
    ).body.data as unknown as {
      entries: readonly { commandId: string; source: string }[];
    };
    expect(history.entries.map(({ commandId, source }) => [commandId, source])).toEqual([
      [key, 'import'],
      [key, 'import'],
    ]);
    const undo = await team.api.call('POST', '/undo', { commandId: key }, { token });
    expect([undo.status, undo.body.error]).toEqual([200, null]);
    expect((await ended(key)).undo).toMatchObject({ status: 'done', total: 600, done: 600, kept: 0 });
    expect((await rowsIn(campaignId)).total).toBe(0);
    await stop();
  });

  it('IMP-1862 changes what has a known id, and undo brings the fields back', async () => {
    const stop = processes();
    const campaignId = await newCampaign();
    const { token } = team.actors.TEAM_LEAD;
    const first = (await send(campaignId, fileOf('edit', 3))).body.data.import;
    await ended(first.id);
    const [one, two] = (await rowsIn(campaignId)).placements;
    const key = randomUUID();
    await send(
      campaignId,
      `ID;Цена;Оплата;Приход\n${String(one?.['id'])};77,5;оплачено;\n${String(two?.['id'])};;;1\n`,
      { key },
    );
    expect(await ended(key)).toMatchObject({ status: 'done', added: 0, changed: 1, skipped: 1, failed: 0 });
    const changed = (await rowsIn(campaignId)).placements.find(({ id }) => id === one?.['id']);
    expect(changed).toMatchObject({ price: 77.5, paymentStatus: 'paid', leads: one?.['leads'] });
    expect((await team.api.call('POST', '/undo', { commandId: key }, { token })).status).toBe(200);
    const back = (await rowsIn(campaignId)).placements.find(({ id }) => id === one?.['id']);
    expect(back).toMatchObject({ price: one?.['price'], paymentStatus: 'unpaid' });
    await stop();
  });

  it('IMP-1863 goes on behind what stands, wherever its process ends', async () => {
    const campaignId = await newCampaign();
    const key = randomUUID();
    await send(campaignId, fileOf('again', 900), { key });
    for (let round = 0; round < 3; round += 1) {
      const stop = processes();
      await vi.waitFor(async () => expect((await read(`/imports/${key}`)).import.added).toBeGreaterThan(round * 250), {
        timeout: 60_000,
        interval: 5,
      });
      await stop();
    }
    const stop = processes();
    expect(await ended(key)).toMatchObject({ status: 'done', added: 900, done: 900 });
    expect((await rowsIn(campaignId)).total).toBe(900);
    await stop();
  });

  it('IMP-1864 there is one at a time in a campaign; cancelled, it leaves what was written', async () => {
    const campaignId = await newCampaign();
    const key = randomUUID();
    expect((await send(campaignId, fileOf('first', 10), { key })).status).toBe(200);
    const second = await send(campaignId, fileOf('second', 10));
    expect([second.status, second.body.code]).toEqual([409, 'IMPORT_RUNNING']);
    const { token } = team.actors.TEAM_LEAD;
    const undo = await team.api.call('POST', '/undo', { commandId: key }, { token });
    expect([undo.status, undo.body.code]).toEqual([409, 'IMPORT_RUNNING']);
    const theirs = await team.api.call('DELETE', `/imports/${key}`, undefined, {
      token: team.actors.MEDIA_BUYER.token,
    });
    expect(theirs.status).toBe(403);
    const cancelled = await team.api.call('DELETE', `/imports/${key}`, undefined, { token });
    expect(cancelled.body.data.import).toMatchObject({
      status: 'cancelled',
      done: 0,
      position: cancelled.body.position,
    });
    expect((await team.api.call('DELETE', `/imports/${key}`, undefined, { token })).status).toBe(200);
    const stop = processes();
    const third = (await send(campaignId, fileOf('third', 2))).body.data.import;
    await ended(third.id);
    expect((await rowsIn(campaignId)).total).toBe(2);
    const shown = await read('/imports', team.actors.MEDIA_BUYER.token);
    expect(shown.imports).toEqual([]);
    expect((await read('/imports')).imports.map(({ id }) => id)).toEqual(expect.arrayContaining([key, third.id]));
    await stop();
  });

  it('IMP-1865 fails for the rest when the campaign is completed meanwhile', async () => {
    const campaignId = await newCampaign();
    const key = randomUUID();
    await send(campaignId, fileOf('late', 5), { key });
    await team.done('POST', `/campaigns/${campaignId}/complete`);
    const stop = processes();
    expect(await ended(key)).toMatchObject({
      status: 'failed',
      code: 'CAMPAIGN_COMPLETED',
      failed: 5,
      done: 5,
      added: 0,
    });
    const late = await send(campaignId, fileOf('late', 1));
    expect([late.status, late.body.code]).toEqual([409, 'CAMPAIGN_COMPLETED']);
    expect((await send(campaignId, fileOf('late', 5), { key })).status).toBe(200);
    await stop();
  });

  it('IMP-3203 the health of the system says how many imports are being written, until they are', async () => {
    const counted = async (): Promise<unknown> =>
      (await team.api.call('GET', '/admin/health', undefined, { token: team.admin })).body.data['imports'];
    const { running } = (await counted()) as { readonly running: number };
    await send(await newCampaign(), fileOf('counted', 3));
    await expect.poll(counted).toEqual({ running: running + 1, undoing: 0 });
    const stop = processes();
    await expect.poll(counted).toEqual({ running: 0, undoing: 0 });
    await stop();
  });

  it('IMP-1867 answers a key once: of another person DUPLICATE, with another file PAYLOAD_MISMATCH, sent twenty times at once one import', async () => {
    const [campaignId, otherId] = [await newCampaign(), await newCampaign()];
    const key = randomUUID();
    const file = fileOf('twenty', 30);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(campaignId, file, { key })));
    const [first] = answers;
    for (const answer of answers) expect(answer).toEqual(first);
    expect(first?.body.data.import).toMatchObject({ id: key, status: 'running', total: 30 });
    const theirs = await send(otherId, file, { key, token: team.owner.token });
    expect([theirs.status, theirs.body.code]).toEqual([409, 'DUPLICATE']);
    const elsewhere = await send(otherId, file, { key });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'PAYLOAD_MISMATCH']);
    const two = await Promise.all([send(otherId, file), send(otherId, file)]);
    expect(two.map(({ status, body }) => `${status} ${body.code}`).sort()).toEqual([
      '200 undefined',
      '409 IMPORT_RUNNING',
    ]);
    const stop = processes();
    await ended(key);
    expect((await rowsIn(campaignId)).total).toBe(30);
    await stop();
  });

  it('IMP-1868 guesses no order of dates: without one it is refused, with one it is taken', async () => {
    const campaignId = await newCampaign();
    const file = 'Ник;Дата;Тематика\n@a;03/04/2026;Юмор\n';
    const refused = await send(campaignId, file);
    expect([refused.status, refused.body.code, refused.body.errors?.[0]?.pointer]).toEqual([
      422,
      'VALIDATION_FAILED',
      '/mapping/dateOrder',
    ]);
    const stop = processes();
    const { id } = (await send(campaignId, file, { query: { mapping: '{"dateOrder":"mdy"}' } })).body.data.import;
    expect(await ended(id)).toMatchObject({ status: 'done', added: 1, report: { dateOrder: 'mdy' } });
    expect((await rowsIn(campaignId)).placements).toMatchObject([{ date: '2026-03-04' }]);
    await stop();
  });

  it('IMP-1869 fails for the rest when whoever imports is deactivated, loses the role, or the campaign is deleted', async () => {
    const { api, done, licence } = team;
    const buyer = () => givenPerson(api, licence, 'MEDIA_BUYER');
    const [fired, demoted, bereft] = [await buyer(), await buyer(), await buyer()];
    const imports: string[] = [];
    const campaigns: string[] = [];
    for (const { token } of [fired, demoted, bereft]) {
      const campaignId = await newCampaign();
      campaigns.push(campaignId);
      imports.push((await send(campaignId, fileOf('lost', 3), { token })).body.data.import.id);
    }
    await done('DELETE', `/users/${fired.id}`);
    await done('PUT', `/users/${demoted.id}`, { role: 'ANALYTIC' });
    await done('DELETE', `/campaigns/${campaigns[2]}`);
    const stop = processes();
    const codes: (string | null)[] = [];
    for (const id of imports) {
      const told = await ended(id);
      expect(told).toMatchObject({ status: 'failed', added: 0, failed: 3, done: 3 });
      codes.push(told.code);
    }
    expect(codes).toEqual(['ACCESS_DENIED', 'ACCESS_DENIED', 'NOT_FOUND']);
    for (const campaignId of campaigns.slice(0, 2)) expect((await rowsIn(campaignId)).total).toBe(0);
    await stop();
  });

  it('IMP-1870 judges each row by what stands when it is written: what a colleague removed fails, what they changed alike is left out', async () => {
    const campaignId = await newCampaign();
    const stop = processes();
    const first = (await send(campaignId, fileOf('meanwhile', 3))).body.data.import;
    await ended(first.id);
    await stop();
    const [gone, same, other] = (await rowsIn(campaignId)).placements.map(({ id }) => String(id));
    const key = randomUUID();
    await send(campaignId, `ID;Цена\n${gone};500\n${same};500\n${other};500\n`, { key });
    await team.done('DELETE', `/placements/${gone}`);
    await team.done('PATCH', `/placements/${same}`, { price: 500 });
    const again = processes();
    const told = await ended(key);
    expect(told).toMatchObject({ status: 'done', added: 0, changed: 1, skipped: 1, failed: 1, done: 3, total: 3 });
    expect(told.report).toMatchObject({
      willChange: 3,
      errorCount: 1,
      errors: [{ row: 1, column: 0, field: 'id', detail: messages.placementNotFound }],
    });
    await again();
  });

  it('IMP-1871 undoes nothing where a field changed since, with all conflicts; otherwise once, also sent again', async () => {
    const campaignId = await newCampaign();
    const stop = processes();
    const key = randomUUID();
    await send(campaignId, fileOf('undo', 300), { key });
    await ended(key);
    const { token } = team.actors.TEAM_LEAD;
    const { placements } = await rowsIn(campaignId);
    const changed = String(placements[290]?.['id']);
    await team.done('PATCH', `/placements/${changed}`, { price: 7_777 });
    const refused = await team.api.call('POST', '/undo', { commandId: key }, { token });
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect((await rowsIn(campaignId)).total).toBe(300);
    await team.done('PATCH', `/placements/${changed}`, { price: placements[290]?.['price'] });
    const still = await team.api.call('POST', '/undo', { commandId: key }, { token });
    expect(still.status).toBe(409);
    await stop();
  });

  it('IMP-1872 two processes at once and a cancel in between write each row once, and tell what they wrote', async () => {
    const campaignId = await newCampaign();
    const key = randomUUID();
    await send(campaignId, fileOf('race', 1_500), { key });
    const stop = [processes(), processes()];
    await vi.waitFor(async () => expect((await read(`/imports/${key}`)).import.added).toBeGreaterThan(0), {
      timeout: 60_000,
      interval: 5,
    });
    const { token } = team.actors.TEAM_LEAD;
    const cancelled = await team.api.call('DELETE', `/imports/${key}`, undefined, { token });
    expect(cancelled.status).toBe(200);
    const told = await ended(key);
    expect(['cancelled', 'done']).toContain(told.status);
    const { total, placements } = await rowsIn(campaignId);
    expect([told.added, new Set(placements.map(({ price }) => price)).size]).toEqual([total, Math.min(total, 500)]);
    const undo = await team.api.call('POST', '/undo', { commandId: key }, { token });
    expect([undo.status, undo.body.error]).toEqual([200, null]);
    expect((await ended(key)).undo).toMatchObject({ status: 'done', total, done: total, kept: 0 });
    for (const end of stop) await end();
    expect((await rowsIn(campaignId)).total).toBe(0);
  });

  it('IMP-2530 what came in parts goes back in parts, behind a process that ended too, keeps what was changed meanwhile, and comes again', async () => {
    const campaignId = await newCampaign();
    const key = randomUUID();
    await send(campaignId, fileOf('parts', 520), { key });
    const first = processes();
    await ended(key);
    await first();
    const { token, id: by } = team.actors.TEAM_LEAD;
    const back = async (commandId: string): Promise<string> => {
      const { status, body } = await team.api.call('POST', '/undo', { commandId }, { token });
      expect([status, body.data]).toEqual([200, { undone: commandId, changed: [] }]);
      return body.commandId;
    };
    const undoId = await back(key);
    const begun = (await read(`/imports/${key}`)).import;
    expect(begun).toMatchObject({ status: 'done', position: null, added: 520 });
    expect(begun.undo).toEqual({
      commandId: undoId,
      by,
      restores: false,
      status: 'running',
      code: null,
      total: 520,
      done: 0,
      kept: 0,
    });
    const again = await team.api.call('POST', '/undo', { commandId: key }, { token });
    expect([again.status, again.body.code, again.body.error]).toEqual([
      409,
      'IMPORT_RUNNING',
      messages.importUndoRunning,
    ]);
    expect((await rowsIn(campaignId)).total).toBe(520);
    // Of the first part, which goes last.
    const changed = String((await rowsIn(campaignId)).placements[3]?.['id']);
    await team.done('PATCH', `/placements/${changed}`, { leads: 77 });
    for (let round = 0; round < 2; round += 1) {
      const stop = processes();
      await vi.waitFor(
        async () => expect((await read(`/imports/${key}`)).import.undo?.done).toBeGreaterThan(round * 250),
        { timeout: 60_000, interval: 5 },
      );
      await stop();
    }
    const stop = [processes(), processes()];
    expect(await ended(key)).toMatchObject({
      status: 'done',
      undo: { status: 'done', total: 520, done: 520, kept: 1 },
    });
    expect((await rowsIn(campaignId)).placements).toMatchObject([{ id: changed, leads: 77 }]);
    await back(undoId);
    expect((await ended(key)).undo).toMatchObject({ restores: true, status: 'done', total: 519, done: 519, kept: 0 });
    expect((await rowsIn(campaignId)).total).toBe(520);
    for (const end of stop) await end();
  });

  it('IMP-2531 the undo ends with the code when the campaign is completed meanwhile, and goes on when it is asked for again', async () => {
    const campaignId = await newCampaign();
    const key = randomUUID();
    await send(campaignId, fileOf('closed', 300), { key });
    const first = processes();
    await ended(key);
    await first();
    const { token } = team.actors.TEAM_LEAD;
    expect((await team.api.call('POST', '/undo', { commandId: key }, { token })).status).toBe(200);
    await team.done('POST', `/campaigns/${campaignId}/complete`);
    const stop = processes();
    expect((await ended(key)).undo).toMatchObject({ status: 'failed', code: 'CAMPAIGN_COMPLETED', done: 0 });
    await team.done('POST', `/campaigns/${campaignId}/reopen`);
    expect((await team.api.call('POST', '/undo', { commandId: key }, { token })).status).toBe(200);
    expect((await ended(key)).undo).toMatchObject({ status: 'done', code: null, done: 300, kept: 0 });
    expect((await rowsIn(campaignId)).total).toBe(0);
    await stop();
  });

  it('IMP-3470 rows that others changed since stay where that was chosen, go back where all was, and are counted either way', async () => {
    const campaignId = await newCampaign();
    const key = randomUUID();
    await send(campaignId, fileOf('chosen', 300), { key });
    const stop = processes();
    await ended(key);
    const { token } = team.actors.TEAM_LEAD;
    const undo = (commandId: string, more: object = {}) =>
      team.api.call('POST', '/undo', { commandId, ...more }, { token });
    const [one, two] = (await rowsIn(campaignId)).placements.map(({ id }) => String(id));
    await team.done('PATCH', `/placements/${one}`, { leads: 77 });
    await team.done('PATCH', `/placements/${two}`, { leads: 78 });
    const refused = await undo(key);
    expect([refused.status, refused.body]).toMatchObject([409, { undo: { placements: 300, changed: 2 } }]);
    const rest = await undo(key, { onConflict: 'skip' });
    expect([rest.status, rest.body.error]).toEqual([200, null]);
    expect((await ended(key)).undo).toMatchObject({ status: 'done', total: 300, done: 300, kept: 2 });
    expect((await rowsIn(campaignId)).placements).toMatchObject([{ leads: 77 }, { leads: 78 }]);
    expect((await undo(rest.body.commandId)).status).toBe(200);
    await ended(key);
    expect((await rowsIn(campaignId)).total).toBe(300);
    expect((await undo(key, { onConflict: 'overwrite' })).status).toBe(200);
    expect((await ended(key)).undo).toMatchObject({ status: 'done', done: 300, kept: 0 });
    expect((await rowsIn(campaignId)).total).toBe(0);
    await stop();
  });

  it('IMP-3530 rows of an own import that were given to another buyer since stay, and the rest goes back without them', async () => {
    const campaignId = await newCampaign();
    const { token } = team.actors.MEDIA_BUYER;
    const other = await givenPerson(team.api, team.licence, 'MEDIA_BUYER');
    const key = randomUUID();
    await team.done('PUT', '/license/settings', { buyersEditAll: false });
    onTestFinished(async () => {
      await team.done('PUT', '/license/settings', { buyersEditAll: true });
    });
    await send(campaignId, fileOf('given', 300), { key, token });
    const stop = processes();
    await ended(key);
    const undo = (more: object = {}) => team.api.call('POST', '/undo', { commandId: key, ...more }, { token });
    const given = String((await rowsIn(campaignId)).placements[4]?.['id']);
    await team.done('PATCH', `/placements/${given}`, { buyerId: other.id });
    const refused = await undo();
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { conflicts: [{ field: 'buyerId' }], undo: { placements: 300, changed: 1, denied: 1, conflicts: 1 } },
    ]);
    expect((await undo({ onConflict: 'overwrite' })).status).toBe(403);
    expect((await undo({ onConflict: 'skip' })).status).toBe(200);
    expect((await ended(key)).undo).toMatchObject({ status: 'done', total: 300, done: 300, kept: 1 });
    expect((await rowsIn(campaignId)).placements).toMatchObject([{ id: given, buyerId: other.id }]);
    await stop();
  });

  it('IMP-3471 no import begins while one of the campaign is being undone, also an older one, and none is undone while another is written', async () => {
    const campaignId = await newCampaign();
    const { token } = team.actors.TEAM_LEAD;
    const undo = (commandId: string) => team.api.call('POST', '/undo', { commandId }, { token });
    const refused = { code: 'IMPORT_RUNNING', error: messages.importUndoRunning };
    const keys = [randomUUID(), randomUUID(), randomUUID()] as const;
    const first = processes();
    for (const [index, rows] of [260, 270, 2].entries()) {
      await send(campaignId, fileOf(`lane${index}`, rows), { key: keys[index] as string });
      await ended(keys[index] as string);
    }
    await first();
    for (const key of [keys[0], keys[1]]) expect((await undo(key)).status).toBe(200);
    expect((await send(campaignId, fileOf('lane4', 2))).body).toMatchObject(refused);
    const second = processes();
    for (const key of keys) await ended(key);
    await second();
    const running = (await send(campaignId, fileOf('lane5', 2))).body.data.import.id;
    for (const key of [keys[0], keys[2]])
      expect((await undo(key)).body).toMatchObject({ code: 'IMPORT_RUNNING', error: messages.importRunning });
    const third = processes();
    await ended(running);
    expect((await undo(keys[2])).status).toBe(200);
    expect((await rowsIn(campaignId)).total).toBe(2);
    await third();
  });

  it('IMP-3473 what an undo takes away while a file is judged is no duplicate of its rows', async () => {
    const campaignId = await newCampaign();
    const { token } = team.actors.TEAM_LEAD;
    const { commandLog } = team.api;
    const stop = processes();
    const [old, latest] = [randomUUID(), randomUUID()];
    await send(campaignId, fileOf('before', 3), { key: old });
    await ended(old);
    await send(campaignId, fileOf('latest', 1), { key: latest });
    await ended(latest);
    const real = commandLog.append.bind(commandLog);
    let between: number | null = null;
    vi.spyOn(commandLog, 'append').mockImplementation(async (writes, ...more) => {
      if (between === null && writes.some(({ stream }) => stream.startsWith('importlane-'))) {
        between = 0;
        between = (await team.api.call('POST', '/undo', { commandId: old }, { token })).status;
        await team.api.followed();
      }
      return real(writes, ...more);
    });
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const sent = (await send(campaignId, fileOf('before', 3))).body.data.import;
    expect(await ended(sent.id)).toMatchObject({ added: 3, skipped: 0 });
    expect(between).toBe(200);
    await stop();
  });

  it('IMP-2710 of a licence one large undo is judged at a time, however many are asked for', async () => {
    const imports = await Promise.all([newCampaign(), newCampaign()]);
    const keys = imports.map(() => randomUUID());
    const stop = processes();
    for (const [index, campaignId] of imports.entries())
      await send(campaignId, fileOf(`turn${index}`, 260), { key: keys[index] as string });
    for (const key of keys) await ended(key);
    await stop();
    const { token, id } = team.actors.TEAM_LEAD;
    const { commandLog } = team.api;
    const importOf = new Map<string, string>();
    for (const key of keys)
      for (const part of [0, 1])
        for (const { stream } of await commandLog.readCommand(commandKeyOf(id, key, `rows/${part}`)))
          importOf.set(stream, key);
    const judged: string[] = [];
    const real = commandLog.read.bind(commandLog);
    vi.spyOn(commandLog, 'read').mockImplementation((stream, ...more) => {
      const key = importOf.get(stream);
      if (key !== undefined && judged.at(-1) !== key) judged.push(key);
      return real(stream, ...more);
    });
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const answers = await Promise.all(
      keys.map((commandId) => team.api.call('POST', '/undo', { commandId }, { token })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(judged)).toEqual(new Set(keys));
    // Each may be judged twice, on what is known and on what stands: from one to the other some four times, not with every other read.
    expect(judged.length).toBeLessThan(10);
  });

  it('IMP-2301 cells that were mended stand in the place of those of the file, in what it would do and in what it does', async () => {
    const stop = processes();
    const campaignId = await newCampaign();
    const file = `${heading}01.02.2026;@a;много;1;Юмор;\n01.02.2026;@b;2\n`;
    const cells = { 1: { 2: '5' }, 2: { 4: 'Юмор', 5: 'дописано' } };
    const query = { mapping: JSON.stringify({ cells }) };
    expect((await send(campaignId, file, { query: { dryRun: 'true' } })).body.data.report.errorCount).toBe(2);
    const { report } = (await send(campaignId, file, { query: { ...query, dryRun: 'true' } })).body.data;
    expect(report).toMatchObject({ willAdd: 2, errorCount: 0 });
    const key = randomUUID();
    await send(campaignId, file, { key, query });
    expect(await ended(key)).toMatchObject({ added: 2, failed: 0 });
    expect((await rowsIn(campaignId)).placements).toMatchObject([
      { price: 2, leads: 0, comment: 'дописано' },
      { price: 5, leads: 1 },
    ]);
    const wrong = await send(campaignId, file, { query: { mapping: '{"cells":{"a":{}}}', dryRun: 'true' } });
    expect(wrong.body).toMatchObject({ code: 'VALIDATION_FAILED' });
    await stop();
  });

  it('IMP-2401 are listed newest first, page by page to the first one, whatever begins meanwhile', async () => {
    const { token } = await givenPerson(team.api, team.licence, 'MEDIA_BUYER');
    const begun: string[] = [];
    const begin = async (): Promise<void> => {
      // All at one instant.
      const answer = await send(await newCampaign(), fileOf('listed', 1), { token });
      begun.unshift(answer.body.data.import.id);
    };
    for (let count = 0; count < 5; count += 1) await begin();
    const whole = await read('/imports', token);
    const listed = [...begun];
    expect([whole.imports.map(({ id }) => id), whole.next]).toEqual([listed, null]);
    const first = await read('/imports?limit=2', token);
    expect(first.imports.map(({ id }) => id)).toEqual(listed.slice(0, 2));
    await begin();
    const second = await read(`/imports?limit=2&cursor=${first.next}`, token);
    expect(second.imports.map(({ id }) => id)).toEqual(listed.slice(2, 4));
    const third = await read(`/imports?limit=2&cursor=${second.next}`, token);
    expect([third.imports.map(({ id }) => id), third.next]).toEqual([listed.slice(4), null]);
    const exact = await read(`/imports?limit=1&cursor=${second.next}`, token);
    expect([exact.imports.length, exact.next]).toEqual([1, null]);
    for (const query of ['cursor=x', 'limit=0', 'limit=201', 'page=2']) {
      const refused = await team.api.call('GET', `/imports?${query}`, undefined, { token });
      expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([422, `/${query.split('=')[0]}`]);
    }
  });

  it('IMP-2300 a team holds so many bytes of files at once as five of the largest have; what is given up makes room', async () => {
    const campaignId = await newCampaign();
    const address = new URL(`${team.api.address}/api/campaigns/${campaignId}/import?dryRun=true`);
    const headers = {
      Authorization: `Bearer ${team.actors.TEAM_LEAD.token}`,
      'Content-Length': String(20 * 1024 * 1024 - 1),
    };
    const slow = Array.from({ length: 6 }, () => {
      const request = httpRequest(address, { method: 'POST', headers });
      request.on('error', () => undefined).write('a');
      return request;
    });
    const refused = await Promise.race(
      slow.map(
        (one) => new Promise<number | undefined>((resolve) => one.on('response', (got) => resolve(got.statusCode))),
      ),
    );
    expect(refused).toBe(429);
    const small = () => send(campaignId, 'Ник;Тематика\n@a;Юмор\n', { query: { dryRun: 'true' } });
    expect(await small()).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', error: messages.tooManyFiles } });
    for (const one of slow) one.destroy();
    await vi.waitFor(async () => expect((await small()).status).toBe(200), { timeout: 60_000, interval: 100 });
  });

  it('IMP-1873 me has the latest import of each campaign, and tells how far it comes', async () => {
    const campaignId = await newCampaign();
    const stop = processes();
    const live = await watchable(team.api.gateway);
    const client = await live.connect(team.actors.TEAM_LEAD.token);
    await opened(client, 'me');
    const inMe = (id: string) => client.replica('me').docs.get(`import ${id}`)?.doc ?? null;
    const one = (await send(campaignId, fileOf('me', 600))).body.data.import.id;
    await client.until(() => (inMe(one) as ImportWire | null)?.status === 'done');
    expect(inMe(one)).toEqual((await read(`/imports/${one}`)).import);
    const told: number[] = [];
    JSON.parse(JSON.stringify(client.messages), (_, value: Partial<ImportWire> | null) => {
      if (value?.id === one && value.added !== undefined) told.push(value.added);
      return value;
    });
    // Steps that come close upon each other are told as one.
    expect(told.at(-1)).toBe(600);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    const two = (await send(campaignId, fileOf('me', 3))).body.data.import.id;
    await client.until(() => (inMe(two) as ImportWire | null)?.status === 'done' && inMe(one) === null);
    expect((await read(`/imports/${one}`)).import.status).toBe('done');
    client.close();
    await live.close();
    await stop();
  });
});
