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
