import { licenceLineageData } from '@zakup/contracts/calls/replies';
import type { LicenceFigure } from '@zakup/domain/analytics/licence-figures';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { givenTeam, type Team } from './team.ts';

type Lineage = z.infer<typeof licenceLineageData>;
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('why a figure over all campaigns is what it is', () => {
  let team: Team;
  const ids: Record<string, string> = {};
  let before = 0;

  beforeAll(async () => {
    team = await givenTeam();
    const { done } = team;
    await done('DELETE', `/campaigns/${team.campaign.id}`);
    const { channel } = await done('POST', '/channels', { name: 'Кухня' });
    const spare = await done('POST', '/channels', { name: 'Лишний' });
    const add = async (name: string, status: string, totalBudget: number): Promise<void> => {
      const body = { name, channelId: channel.id, totalBudget, status };
      ids[name] = (await done('POST', '/campaigns', body)).campaign.id;
    };
    await add('Лето', 'ACTIVE', 1000.5);
    await add('Осень', 'DRAFT', 200.25);
    await add('Зима', 'ACTIVE', 30);
    before = await team.api.eventStore.head();
    await done('PUT', `/campaigns/${ids['Лето']}`, { totalBudget: 1500.5 });
    await done('PUT', `/campaigns/${ids['Лето']}`, { name: 'Лето 2' });
    await done('PUT', `/campaigns/${ids['Осень']}`, { status: 'ACTIVE' });
    await done('PUT', `/campaigns/${ids['Осень']}`, { status: 'COMPLETED' });
    await done('DELETE', `/campaigns/${ids['Зима']}`);
    await done('DELETE', `/channels/${spare.channel.id}`);
  });
  afterAll(() => team.api.close());

  const ask = async (path: string, token = team.owner.token) => {
    const after = path.includes('at=') ? '' : `after=${await team.api.eventStore.head()}`;
    return team.api.call('GET', `${path}${path.includes('?') ? '&' : '?'}${after}`, undefined, { token });
  };
  const told = async (figure: LicenceFigure, at: number | null = null): Promise<Lineage> => {
    const { status, body } = await ask(`/license/lineage?figure=${figure}${at === null ? '' : `&at=${at}`}`);
    expect([figure, status, body.error]).toEqual([figure, 200, null]);
    return licenceLineageData.strict().parse(body.data);
  };
  const eventsOf = ({ moved }: Lineage): readonly string[] => moved.map(({ event }) => event);

  test('LIN-30 the total budget is the budgets of all campaigns together, and tells each, what was deleted, and who set which', async () => {
    const budgets = await told('budgets');
    expect([budgets.value, plain(budgets.formula)]).toEqual([1700.75, 'бюджеты всех кампаний вместе: 1 700,75 ₽']);
    const amounts = budgets.counted.lines.map(({ amount }) => amount ?? 0);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(budgets.value);
    expect(new Map(budgets.counted.lines.map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [ids['Лето'], 'ACTIVE'],
        [ids['Осень'], 'COMPLETED'],
      ]),
    );
    expect(budgets.leftOut.lines[0]).toMatchObject({ id: ids['Зима'], reason: 'Кампания удалена' });
    expect(budgets.leftOut.lines[0]?.at).not.toBeNull();
    expect(budgets.moved[0]).toMatchObject({ event: 'CampaignDeleted', entity: { id: ids['Зима'] } });
    expect(budgets.moved[1]?.changes).toContainEqual(
      expect.objectContaining({ field: 'totalBudget', from: 1000.5, to: 1500.5 }),
    );
    expect(eventsOf(budgets)).not.toContain('CampaignRenamed');
    expect(budgets.historyComplete).toBe(true);
  });

  test('LIN-31 campaigns and the active ones are counted as the dashboard does, the others with why not', async () => {
    const all = await told('campaigns');
    expect([all.value, all.formula]).toEqual([2, 'активные 1 + завершённые 1 + черновики 0 = 2']);
    expect(all.leftOut.lines.map(({ id }) => id)).toContain(ids['Зима']);
    const active = await told('activeCampaigns');
    expect([active.value, active.counted.lines.map(({ id }) => id)]).toEqual([1, [ids['Лето']]]);
    expect(active.leftOut.lines.slice(0, 2).map(({ id, reason, at }) => [id, reason, at === null])).toEqual([
      [ids['Осень'], 'Завершена', true],
      [ids['Зима'], 'Кампания удалена', false],
    ]);
    expect(eventsOf(active)).toContain('CampaignCompleted');
    const mine = active.moved.filter(({ entity }) => Object.values(ids).includes(entity.id));
    expect(mine.map(({ event, entity }) => [event, Object.keys(ids).find((name) => ids[name] === entity.id)])).toEqual([
      ['CampaignDeleted', 'Зима'],
      ['CampaignCompleted', 'Осень'],
      ['CampaignActivated', 'Осень'],
      ['CampaignCreated', 'Зима'],
      ['CampaignCreated', 'Лето'],
    ]);
  });

  test('LIN-32 channels are all but deleted ones; the price of a lead tells who set it', async () => {
    const channels = await told('channels');
    expect([channels.value, channels.counted.total]).toEqual([channels.counted.lines.length, channels.value]);
    expect(channels.counted.lines.map(({ name }) => name)).toContain('Кухня');
    expect(channels.leftOut.lines.map(({ name, reason }) => [name, reason])).toEqual([['Лишний', 'Канал удалён']]);
    await team.done('PUT', '/license/settings', { leadValue: 120.5 });
    const price = await told('leadValue');
    expect([price.value, price.counted.total, price.leftOut.total]).toEqual([120.5, 0, 0]);
    expect(price.moved[0]?.changes).toContainEqual(expect.objectContaining({ field: 'leadValue', to: 120.5 }));
  });

  test('LIN-33 at an earlier moment everything is of it', async () => {
    const budgets = await told('budgets', before);
    expect([budgets.value, budgets.counted.total]).toEqual([1230.75, 3]);
    expect(budgets.leftOut.lines.map(({ id }) => id)).not.toContain(ids['Зима']);
    expect(Math.max(...budgets.moved.map(({ position }) => position))).toBeLessThanOrEqual(before);
    expect((await told('activeCampaigns', before)).value).toBe(2);
    expect((await told('channels', before)).leftOut.total).toBe(0);
  });

  test('LIN-34 an odd question is refused; another licence sees its own', async () => {
    for (const query of [
      '',
      'figure=',
      'figure=spent',
      'figure=__proto__',
      'figure=budgets&page=1',
      'figure=budgets&x=1',
    ])
      expect([query, (await ask(`/license/lineage?${query}`)).status]).toEqual([query, 422]);
    const { status, body } = await ask('/license/lineage?figure=budgets', await team.stranger());
    const theirs = licenceLineageData.strict().parse(body.data);
    expect([status, theirs.value, theirs.counted.total, theirs.leftOut.total]).toEqual([200, 0, 0, 0]);
  });
});
