import { workbook } from '@zakup/command/testing/workbook';
import type { ImportReport } from '@zakup/contracts/imports';
import { messages } from '@zakup/domain/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenTeam, type Team } from './team.ts';

interface Answer {
  readonly status: number;
  readonly body: {
    readonly code?: string;
    readonly errors?: readonly { readonly pointer: string }[];
    readonly data: { readonly report: ImportReport };
  };
}

describe('what a file would bring', () => {
  let team: Team;
  beforeAll(async () => {
    team = await givenTeam();
  });
  afterAll(() => team.api.close());

  const send = async (file: string | Buffer, query: Record<string, string> = {}): Promise<Answer> => {
    const asked = new URLSearchParams({ dryRun: 'true', ...query }).toString();
    const response = await fetch(`${team.api.address}/api/campaigns/${team.campaign.id}/import?${asked}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${team.owner.token}` },
      body: file as unknown as string,
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };

  it('IMP-1860 is told row by row, and nothing is written', async () => {
    const { id, date } = team.placement;
    const buyer = (await team.done('GET', '/auth/session', undefined, { token: team.actors.MEDIA_BUYER.token })).user;
    const head = await team.api.eventStore.head();
    const file =
      'ID;Дата;Ник;Цена;Тематика;Байер\n' +
      `${id};;;200;;\n;${date};@seller;100;Мемы;${buyer.name}\n;01.02.2026;@a;1;Юмор;${buyer.name}\n;;@b c;x;Юмор;${buyer.name}\n`;
    const { status, body } = await send(file, { name: 'закуп.csv' });
    expect([status, body.data.report]).toMatchObject([
      200,
      {
        rows: 4,
        willAdd: 1,
        willChange: 1,
        willSkip: 1,
        errorCount: 2,
        newContractors: 1,
        encoding: 'utf-8',
        separator: ';',
        dateOrder: 'dmy',
        duplicates: [{ row: 2, placementId: id }],
      },
    ]);
    expect(await team.api.eventStore.head()).toBe(head);
  });

  it('IMP-2400 tells who is on the black list and where another buyer bought, of the rows that it would write', async () => {
    const { done, actors, placementBody, campaign } = team;
    const name = async (role: 'MEDIA_BUYER' | 'TEAM_LEAD'): Promise<string> =>
      (await done('GET', '/auth/session', undefined, { token: actors[role].token })).user.name;
    const [buyer, lead] = [await name('MEDIA_BUYER'), await name('TEAM_LEAD')];
    const bought = async (contractor: string, date: string, more: object = {}) =>
      (await done('POST', '/placements', { ...placementBody, contractor, date, ...more })).placement;
    const other = {
      campaignId: (await done('POST', '/campaigns', { name: 'Другая', channelId: campaign.channelId })).campaign.id,
    };
    const two = await bought('@two', '2026-02-01', other);
    await bought('@two', '2026-02-03', { ...other, buyerId: actors.TEAM_LEAD.id });
    const black = (await done('POST', '/contractors', { adminUsername: '@black' })).contractor;
    await done('PUT', `/contractors/${black.id}`, { verdict: { list: 'black', reason: 'Не вернул предоплату' } });
    const white = (await done('POST', '/contractors', { adminUsername: '@white' })).contractor;
    await done('PUT', `/contractors/${white.id}`, { verdict: { list: 'white', reason: 'Надёжный' } });
    const part = await bought('@part', '2026-02-05');
    await done('POST', `/contractors/${part.contractorId}/merge`, { intoId: white.id });
    const gone = {
      campaignId: (await done('POST', '/campaigns', { name: 'Удалена', channelId: campaign.channelId })).campaign.id,
    };
    await bought('@gone', '2026-02-06', gone);
    await done('DELETE', `/campaigns/${gone.campaignId}`);
    await team.api.followed();
    const row = (nick: string, who: string, topic = 'Юмор') => `01.03.2026;${nick};1;${topic};${who}\n`;
    const file =
      'Дата;Ник;Цена;Тематика;Байер\n' +
      [
        row('@BLACK', buyer),
        row('@two', buyer),
        row('@two', lead),
        row('@black', lead),
        row('@black', lead, ''),
        row('@part', lead),
        row('@gone', lead),
        row('@new', lead),
      ].join('');
    const { report } = (await send(file)).body.data;
    expect(report.errorCount).toBe(1);
    expect(report.contractors).toEqual({
      known: 4,
      blackListedRows: 2,
      boughtByAnotherRows: 3,
      noted: [
        { contractorId: black.id, nick: '@black', rows: 2, blackListed: 'Не вернул предоплату', boughtByAnother: [] },
        {
          contractorId: two.contractorId,
          nick: '@two',
          rows: 2,
          blackListed: null,
          boughtByAnother: [
            { buyerId: actors.TEAM_LEAD.id, date: '2026-02-03', rows: 1 },
            { buyerId: actors.MEDIA_BUYER.id, date: '2026-02-01', rows: 1 },
          ],
        },
        {
          contractorId: white.id,
          nick: '@white',
          rows: 1,
          blackListed: null,
          boughtByAnother: [{ buyerId: actors.MEDIA_BUYER.id, date: '2026-02-05', rows: 1 }],
        },
      ],
    });
  });

  it('IMP-1866 is not told of what is no table, too large, or said wrongly', async () => {
    const refused = async (file: string | Buffer, query: Record<string, string> = {}) => {
      const { status, body } = await send(file, query);
      return [status, body.code, body.errors?.[0]?.pointer];
    };
    expect(await refused('')).toEqual([422, 'UNSUPPORTED_FILE', undefined]);
    expect(await refused(Buffer.from('89504e470d0a1a0a00', 'hex'))).toEqual([422, 'UNSUPPORTED_FILE', undefined]);
    expect(await refused(`a\n${'b\n'.repeat(20_001)}`)).toEqual([413, 'TOO_LARGE', undefined]);
    expect(await refused(Buffer.alloc(20 * 1024 * 1024, 'a'))).toEqual([413, 'TOO_LARGE', undefined]);
    expect(await refused('Ник\n@a\n', { mapping: '{' })).toEqual([422, 'VALIDATION_FAILED', '/mapping']);
    const columns = '{"columns":{"0":"x"}}';
    expect(await refused('Ник\n@a\n', { mapping: columns })).toEqual([422, 'VALIDATION_FAILED', '/mapping/columns/0']);
    expect(await refused('Ник\n@a\n', { dryRun: 'no' })).toEqual([422, 'VALIDATION_FAILED', '/dryRun']);
    expect(await refused('Ник\n@a\n', { other: '1' })).toEqual([422, 'VALIDATION_FAILED', '/other']);
    const cell = (text: string) => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`;
    const { report } = (await send(workbook({ rows: cell('Ник') + cell('@a') }))).body.data;
    expect(report).toMatchObject({ rows: 1, encoding: null, separator: null });
    expect(report.errors.map(({ detail }) => detail)).toContain(messages.chooseTopic);
  });
});
