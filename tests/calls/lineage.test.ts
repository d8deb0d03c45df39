import { creativeResultsData, creativesData, lineageData, salaryEventsData } from '@zakup/contracts/calls/replies';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { givenTeam, type Team } from './team.ts';

type Lineage = z.infer<typeof lineageData>;
const budgetIn = (terms: unknown): unknown => (terms as { readonly budget: number } | null)?.budget ?? null;
const plain = (text: string): string => text.replaceAll('\u00a0', ' ').replaceAll('\u2212', '-');

describe('why a figure is what it is', () => {
  let team: Team;
  let campaignId = '';
  const ids: Record<string, string> = {};
  let contractorId = '';

  beforeAll(async () => {
    team = await givenTeam();
    const { done, campaign, placementBody, actors } = team;
    const made = await done('POST', '/campaigns', {
      name: 'Лето',
      channelId: campaign.channelId,
      totalBudget: 1000,
      status: 'ACTIVE',
      participants: [
        { userId: actors.MEDIA_BUYER.id, budget: 500, salaryType: 'performance', salaryRate: 10, cplThreshold: 50 },
      ],
    });
    campaignId = made.campaign.id;
    const add = async (name: string, more: object): Promise<void> => {
      const body = { ...placementBody, campaignId, contractor: '@lineage', ...more };
      ids[name] = (await done('POST', '/placements', body)).placement.id;
    };
    await add('good', { price: 100, date: '2026-11-01' });
    await add('bad', { price: 300, date: '2026-11-02', paymentStatus: 'paid' });
    await add('lost', { price: 50, date: '2026-11-03' });
    await add('given', { price: 70, date: '2026-11-04' });
    contractorId = (await done('PATCH', `/placements/${ids['good']}`, { leads: 4 })).placement.contractorId;
    await done('PATCH', `/placements/${ids['bad']}`, { leads: 2 });
    await done('DELETE', `/placements/${ids['lost']}`);
    await done('PATCH', `/placements/${ids['given']}`, { buyerId: actors.TEAM_LEAD.id });
  });
  afterAll(() => team.api.close());

  const ask = async (path: string, token = team.owner.token) => {
    const after = await team.api.eventStore.head();
    return team.api.call('GET', `${path}${path.includes('?') ? '&' : '?'}after=${after}`, undefined, { token });
  };
  const told = async (query: string): Promise<Lineage> => {
    const { status, body } = await ask(`/campaigns/${campaignId}/lineage?${query}`);
    expect([query, status, body.error]).toEqual([query, 200, null]);
    return lineageData.strict().parse(body.data);
  };
  const namesOf = (lines: readonly { readonly placementId: string }[]): readonly (string | undefined)[] =>
    lines.map(({ placementId }) => Object.keys(ids).find((name) => ids[name] === placementId));

  test('LIN-10 a sum has its formula, its terms, what was counted, what was deleted, and what moved it last', async () => {
    const spent = await told('figure=spent');
    expect([spent.title, spent.value, plain(spent.formula)]).toEqual([
      'Потрачено',
      470,
      'цены вместе: 3 размещения на 470 ₽',
    ]);
    expect([spent.counted.total, namesOf(spent.counted.lines)]).toEqual([3, ['given', 'bad', 'good']]);
    expect(namesOf(spent.leftOut.lines)).toEqual(['lost']);
    expect(spent.leftOut.lines[0]).toMatchObject({ reason: 'Размещение удалено', name: '@lineage' });
    expect(spent.moved[0]).toMatchObject({ event: 'PlacementRemoved', entity: { id: ids['lost'] } });
    expect(spent.moved.map(({ event }) => event)).not.toContain('PlacementLeadsRecorded');
    expect(spent.historyComplete).toBe(true);
    const page = await told('figure=cpl&page=2&pageSize=2');
    expect([namesOf(page.counted.lines), page.counted.total, page.value]).toEqual([['good'], 3, 78.33]);
  });

  test('LIN-11 paid and unpaid count their own lines, the budget its term', async () => {
    const paid = await told('figure=paid');
    expect([paid.value, namesOf(paid.counted.lines)]).toEqual([300, ['bad']]);
    const unpaid = await told('figure=unpaid');
    expect([unpaid.value, namesOf(unpaid.counted.lines), plain(unpaid.formula)]).toEqual([
      170,
      ['given', 'good'],
      '470 ₽ - 300 ₽ = 170 ₽',
    ]);
    const use = await told('figure=budgetUse');
    expect([use.value, use.terms.map(({ name }) => name)]).toEqual([47, ['Потрачено', 'Бюджет']]);
    expect(use.moved.map(({ event }) => event)).toContain('CampaignCreated');
  });

  test('LIN-12 a buyer’s figure tells what was moved to somebody else', async () => {
    const spent = await told(`figure=spent&userId=${team.actors.MEDIA_BUYER.id}`);
    expect([spent.value, namesOf(spent.counted.lines)]).toEqual([400, ['bad', 'good']]);
    expect(spent.leftOut.lines.map(({ reason }) => reason).toSorted()).toEqual([
      'Перенесено на другого байера',
      'Размещение удалено',
    ]);
    const other = await told(`figure=spent&userId=${team.actors.TEAM_LEAD.id}`);
    expect([other.value, namesOf(other.counted.lines), other.leftOut.total]).toEqual([70, ['given'], 0]);
    expect(other.moved.map(({ event }) => event)).toEqual(['PlacementBuyerChanged', 'PlacementAdded']);
  });

  test('LIN-13 earnings tell the terms, what each line brings and why others bring nothing', async () => {
    const earned = await told(`figure=earnings&userId=${team.actors.MEDIA_BUYER.id}`);
    expect([earned.value, plain(earned.formula)]).toEqual([10, '1 размещение с CPL до 50 ₽: 100 ₽ × 10 ÷ 100 = 10 ₽']);
    expect(earned.terms[0]).toMatchObject({ name: 'Условия', source: 'участие в кампании' });
    expect(earned.counted.lines.map(({ amount }) => amount)).toEqual([10]);
    expect(earned.leftOut.lines.map(({ reason }) => plain(reason)).toSorted()).toEqual([
      'CPL выше 50 ₽: 300 ₽ за 2 лида',
      'Перенесено на другого байера',
      'Размещение удалено',
    ]);
    const own = await told(`figure=ownRate&userId=${team.actors.MEDIA_BUYER.id}`);
    expect([own.value, own.formula]).toEqual([0, 'Ставка сотрудника не задана']);
    const nobody = await told('figure=earnings&userId=nobody');
    expect([nobody.value, nobody.formula, nobody.counted.total]).toEqual([0, 'Условия не заданы', 0]);
    const nowhere = { name: 'Условия', shown: 'не заданы', source: 'ни в кампании, ни в карточке сотрудника' };
    expect(nobody.terms[0]).toEqual(nowhere);
  });

  test('LIN-24 the rate on the card of somebody else is told to who sees cards or the salary report, also while all see earnings', async () => {
    const { MEDIA_BUYER, TEAM_LEAD, ANALYTIC } = team.askers;
    const answers = async (figure: string, userId: string, token: string): Promise<number> =>
      (await ask(`/campaigns/${campaignId}/lineage?figure=${figure}&userId=${userId}`, token)).status;
    await team.done('PUT', '/license/settings', { earningsVisible: true });
    const [own, other] = [team.actors.MEDIA_BUYER.id, team.actors.TEAM_LEAD.id];
    expect(await answers('earnings', other, MEDIA_BUYER.token)).toBe(200);
    expect(await answers('ownRate', other, MEDIA_BUYER.token)).toBe(403);
    expect(await answers('ownRate', own, MEDIA_BUYER.token)).toBe(200);
    expect(await answers('ownRate', own, TEAM_LEAD.token)).toBe(200);
    expect(await answers('ownRate', own, ANALYTIC.token)).toBe(200);
  });

  test('LIN-14 a contractor’s figure is over all campaigns, and equals the totals', async () => {
    const { body } = await ask(`/contractors/${contractorId}/lineage?figure=cpl`);
    const cpl = lineageData.strict().parse(body.data);
    const { contractor } = (await ask(`/contractors/${contractorId}`)).body.data;
    expect([cpl.value, cpl.counted.total]).toEqual([contractor.averageCostPerLead, contractor.totalPlacements]);
    expect(namesOf(cpl.leftOut.lines)).toEqual(['lost']);
  });

  test('LIN-50 a creative’s figure is over all campaigns, equals the list, and one of a size has the lines of that size', async () => {
    const { done, placementBody } = team;
    const { creative } = await done('POST', '/creatives', { name: 'Кот', type: 'TEXT_ONLY' });
    const autumn = { name: 'Осень', channelId: team.campaign.channelId, totalBudget: 1000, status: 'ACTIVE' };
    const { campaign } = await done('POST', '/campaigns', autumn);
    const add = async (name: string, price: number): Promise<void> => {
      const body = {
        ...placementBody,
        campaignId: campaign.id,
        contractor: '@sizes',
        date: '2026-11-05',
        creativeId: creative.id,
      };
      ids[name] = (await done('POST', '/placements', { ...body, price })).placement.id;
    };
    await add('large', 5001);
    await add('small', 2000);
    await add('other', 40);
    await add('shrunk', 9000);
    await done('PATCH', `/placements/${ids['other']}`, { creativeId: 'NO_CREATIVE' });
    await done('PATCH', `/placements/${ids['shrunk']}`, { price: 100 });
    const toldOf = async (query: string): Promise<Lineage> =>
      lineageData.strict().parse((await ask(`/creatives/${creative.id}/lineage?${query}`)).body.data);
    const { creatives } = creativesData.parse((await ask('/creatives')).body.data);
    const listed = creatives.find(({ id }) => id === creative.id)?.results;
    const spent = await toldOf('figure=spent');
    expect([spent.value, spent.counted.total]).toEqual([listed?.spent, listed?.placements]);
    expect(spent.leftOut.lines.map(({ reason }) => reason)).toEqual(['Перенесено на другой креатив']);
    const large = await toldOf('figure=spent&size=large');
    expect([large.value, namesOf(large.counted.lines)]).toEqual([5001, ['large']]);
    expect(large.leftOut.lines.map(({ reason }) => reason)).toContain('Изменена цена');
    expect((await ask(`/creatives/${creative.id}/lineage?figure=spent&size=huge`)).status).toBe(422);
    const { body } = await ask(`/creatives/${creative.id}/results`);
    const { lastPlacements } = creativeResultsData.strict().parse(body.data);
    const last = namesOf(lastPlacements.map(({ id }) => ({ placementId: id })));
    expect(new Set(last)).toEqual(new Set(['large', 'shrunk', 'small']));
    await done('DELETE', `/campaigns/${campaign.id}`);
    expect((await ask(`/creatives/${creative.id}/results`)).body.data).toMatchObject({
      total: { spent: 0, placements: 0 },
      byCampaign: [],
      lastPlacements: [],
    });
  });

  test('LIN-20 a figure of some days has their lines, and tells what went to another day', async () => {
    const { done, placementBody } = team;
    const body = { ...placementBody, campaignId, contractor: '@days', price: 30, date: '2026-10-05' };
    ids['days'] = (await done('POST', '/placements', body)).placement.id;
    await done('PATCH', `/placements/${ids['days']}`, { date: '2026-10-09' });
    const day = await told('figure=spent&from=2026-10-09&to=2026-10-09');
    expect([day.value, namesOf(day.counted.lines), day.leftOut.total]).toEqual([30, ['days'], 0]);
    expect(day.moved.map(({ event }) => event)).toEqual(['PlacementDateChanged', 'PlacementAdded']);
    const before = await told('figure=spent&from=2026-10-05&to=2026-10-08');
    expect([before.value, before.leftOut.lines.map(({ reason }) => reason)]).toEqual([
      0,
      ['Перенесено на другую дату'],
    ]);
    const until = await told('figure=leads&to=2026-11-01');
    expect([until.value, namesOf(until.counted.lines)]).toEqual([4, ['good', 'days']]);
    await done('DELETE', `/placements/${ids['days']}`);
  });

  test('LIN-21 a figure of one placement has its line and its events, at the campaign and at the contractor', async () => {
    for (const path of [`/campaigns/${campaignId}`, `/contractors/${contractorId}`]) {
      const { body } = await ask(`${path}/lineage?figure=cpl&placementId=${ids['bad']}`);
      const cpl = lineageData.strict().parse(body.data);
      expect([cpl.value, namesOf(cpl.counted.lines), cpl.leftOut.total]).toEqual([150, ['bad'], 0]);
      expect(cpl.moved.map(({ entity }) => entity.id)).toEqual([ids['bad'], ids['bad']]);
    }
  });

  test('LIN-22 a contractor’s figure of one buyer leaves out what others bought there', async () => {
    const of = async (userId: string): Promise<Lineage> => {
      const { body } = await ask(`/contractors/${contractorId}/lineage?figure=spent&userId=${userId}`);
      return lineageData.strict().parse(body.data);
    };
    const lead = await of(team.actors.TEAM_LEAD.id);
    expect([lead.value, namesOf(lead.counted.lines)]).toEqual([70, ['given']]);
    const buyer = await of(team.actors.MEDIA_BUYER.id);
    expect([buyer.value, namesOf(buyer.counted.lines)]).toEqual([400, ['bad', 'good']]);
    expect(buyer.leftOut.lines.map(({ reason }) => reason)).toContain('Перенесено на другого байера');
  });

  test('LIN-23 a budget tells who set it, and counts no placement', async () => {
    await team.done('PUT', `/campaigns/${campaignId}`, { totalBudget: 1200 });
    const budget = await told('figure=budget');
    expect([budget.value, plain(budget.formula)]).toEqual([1200, 'задан в кампании: 1 200 ₽']);
    expect([budget.counted.total, budget.leftOut.total]).toEqual([0, 0]);
    expect(budget.moved.map(({ entity }) => entity.id)).toEqual([campaignId, campaignId]);
    expect(budget.moved[0]?.changes.map(({ field, to }) => [field, to])).toContainEqual(['totalBudget', 1200]);
    await team.done('PUT', `/campaigns/${campaignId}`, { totalBudget: 1000 });
  });

  test('LIN-25 a participant’s budget tells who set it, apart from terms; what is left of it and its use are of it', async () => {
    const { id } = team.actors.MEDIA_BUYER;
    const set = (budget: number, salaryRate: number) =>
      team.done('PUT', `/campaigns/${campaignId}`, {
        participants: [{ userId: id, budget, salaryType: 'performance', salaryRate, cplThreshold: 50 }],
      });
    await set(800, 10);
    await set(800, 12);
    const budget = await told(`figure=budget&userId=${id}`);
    expect([budget.value, plain(budget.formula), budget.terms[0]?.source]).toEqual([
      800,
      'задан участнику в настройках кампании: 800 ₽',
      'участие в кампании',
    ]);
    expect([budget.counted.total, budget.leftOut.total]).toEqual([0, 0]);
    const field = `participants/${id}`;
    const budgets = budget.moved.map(({ changes }) =>
      changes.filter((change) => change.field === field).map(({ from, to }) => [from, to].map(budgetIn)),
    );
    expect(budgets).toEqual([[[500, 800]], [[null, 500]]]);
    const spent = await told(`figure=spent&userId=${id}`);
    const rest = await told(`figure=remaining&userId=${id}`);
    expect([rest.value, rest.counted.total]).toEqual([800 - spent.value, spent.counted.total]);
    expect(rest.moved.map(({ position }) => position)).toEqual(
      expect.arrayContaining(budget.moved.map(({ position }) => position)),
    );
    const use = await told(`figure=budgetUse&userId=${id}`);
    expect(use.value).toBe((spent.value / 800) * 100);
    const none = await told(`figure=budget&userId=${team.actors.TEAM_LEAD.id}`);
    expect([none.value, none.moved]).toEqual([0, []]);
    await set(500, 10);
  });

  test('LIN-26 what everybody earns is each one’s earnings together, and is told to whoever sees them all', async () => {
    const { MEDIA_BUYER, TEAM_LEAD } = team.actors;
    await team.done('PUT', '/license/settings', { earningsVisible: false });
    const all = await told('figure=allEarnings');
    const each = await Promise.all(
      [MEDIA_BUYER.id, TEAM_LEAD.id].map((userId) => told(`figure=earnings&userId=${userId}`)),
    );
    expect(all.value).toBe(each.reduce((sum, { value }) => sum + value, 0));
    expect(all.value).toBe(10);
    expect(all.terms.map(({ shown }) => plain(shown)).toSorted()).toEqual([
      '0,00 ₽, условия не заданы',
      '10,00 ₽, 10% за результат до 50 ₽',
    ]);
    const idsOf = (lines: readonly { readonly placementId: string }[]) =>
      lines.map(({ placementId }) => placementId).toSorted();
    expect(idsOf(all.counted.lines)).toEqual(idsOf(each.flatMap(({ counted }) => counted.lines)));
    expect(all.counted.lines.map(({ amount }) => amount)).toEqual([10]);
    expect(all.leftOut.lines.map(({ reason }) => plain(reason))).toEqual(
      expect.arrayContaining(['CPL выше 50 ₽: 300 ₽ за 2 лида', 'Условия не заданы', 'Размещение удалено']),
    );
    const path = `/campaigns/${campaignId}/lineage?figure=allEarnings`;
    const { MEDIA_BUYER: buyer, ANALYTIC: analyst } = team.askers;
    expect([(await ask(path, buyer.token)).status, (await ask(path, analyst.token)).status]).toEqual([403, 200]);
    await team.done('PUT', '/license/settings', { earningsVisible: true });
    expect((await ask(path, buyer.token)).status).toBe(200);
    expect((await ask(`${path}&userId=${MEDIA_BUYER.id}`)).status).toBe(422);

    const given = async (userId: string) => {
      await team.done('PATCH', `/placements/${ids['good']}`, { buyerId: userId });
      const now = await told('figure=allEarnings');
      return [now.value, now.moved[0]?.event, now.moved[0]?.entity.id];
    };
    expect(await given(TEAM_LEAD.id), 'nobody is paid for it then').toEqual([0, 'PlacementBuyerChanged', ids['good']]);
    expect(await given(MEDIA_BUYER.id)).toEqual([10, 'PlacementBuyerChanged', ids['good']]);
    const terms = async (salaryRate: number, budget: number) => {
      const participant = { userId: MEDIA_BUYER.id, budget, salaryType: 'performance', salaryRate, cplThreshold: 50 };
      await team.done('PUT', `/campaigns/${campaignId}`, { participants: [participant] });
      const figures = [`earnings&userId=${MEDIA_BUYER.id}`, 'allEarnings', `earnings&userId=${TEAM_LEAD.id}`];
      const now = await Promise.all(figures.map((figure) => told(`figure=${figure}`)));
      return now.map(({ value, moved }) => [value, moved[0]?.entity.kind]);
    };
    expect(await terms(20, 500)).toEqual([
      [20, 'campaign'],
      [20, 'campaign'],
      [0, 'placement'],
    ]);
    await terms(10, 500);
  });

  test('LIN-27 what moved a bonus of the salary report: the person’s placements in its days, and the terms on their card', async () => {
    const { done, placementBody, actors, askers } = team;
    const { id } = actors.MEDIA_BUYER;
    await done('PUT', `/users/${id}`, { salaryType: 'performance', salaryRate: 15 });
    const body = { ...placementBody, campaignId, contractor: '@bonus', price: 40, date: '2026-09-05' };
    ids['bonus'] = (await done('POST', '/placements', body)).placement.id;
    await done('PATCH', `/placements/${ids['bonus']}`, { price: 45 });
    await done('PATCH', `/placements/${ids['bonus']}`, { paymentStatus: 'paid' });
    const events = async (query: string, token?: string) => {
      const { status, body: reply } = await ask(`/reports/salary/events?${query}`, token);
      expect([query, status]).toEqual([query, 200]);
      return salaryEventsData.strict().parse(reply.data);
    };
    const september = await events(`userId=${id}&campaign=${campaignId}&from=2026-09-01&to=2026-09-30`);
    expect(september.moved.map(({ event, entity }) => [event, entity.id])).toEqual([
      ['PlacementPriceChanged', ids['bonus']],
      ['PlacementAdded', ids['bonus']],
      [september.moved[2]?.event, id],
    ]);
    expect(september.moved[2]?.changes).toContainEqual(expect.objectContaining({ field: 'salaryRate', to: 15 }));
    const all = await events(`userId=${id}`);
    expect(all.moved.length).toBe(10);
    expect(all.moved[0]?.position).toBe(september.moved[0]?.position);
    const lead = await events(`userId=${actors.TEAM_LEAD.id}&campaign=${campaignId}`);
    expect(lead.moved.map(({ entity }) => entity.id)).toContain(ids['given']);
    expect(lead.moved.map(({ entity }) => entity.id)).not.toContain(ids['bonus']);

    const own = await events(`userId=${id}`, askers.MEDIA_BUYER.token);
    const hidden = own.moved.flatMap(({ changes }) => changes.filter(({ field }) => field === 'salaryRate'));
    expect(hidden.every((change) => change.hidden === true && change.to === null)).toBe(true);
    const refused = await ask(`/reports/salary/events?userId=${actors.TEAM_LEAD.id}`, askers.MEDIA_BUYER.token);
    expect(refused.status).toBe(403);
    for (const query of ['', 'userId=', `userId=${id}&from=x`, `userId=${id}&page=1`])
      expect([query, (await ask(`/reports/salary/events?${query}`)).status]).toEqual([query, 422]);
    const stranger = await ask(`/reports/salary/events?userId=${id}`, await team.stranger());
    expect([stranger.status, stranger.body.data]).toEqual([200, { moved: [], historyComplete: true }]);
    await done('DELETE', `/placements/${ids['bonus']}`);
  });

  test('LIN-35 terms on somebody’s card move their earnings where they are paid by the card, and what the card’s rate gives everywhere', async () => {
    const { actors, done } = team;
    const [buyer, lead] = [actors.MEDIA_BUYER.id, actors.TEAM_LEAD.id];
    const participants = (salaryType: string | null) => [
      { userId: buyer, budget: 500, salaryType, salaryRate: salaryType === null ? null : 10, cplThreshold: 50 },
    ];
    const card = async (userId: string, terms: object) => {
      const head = await team.api.eventStore.head();
      await done('PUT', `/users/${userId}`, terms);
      const figures = [`earnings&userId=${buyer}`, `earnings&userId=${lead}`, 'allEarnings', `ownRate&userId=${buyer}`];
      const isLast = async (figure: string): Promise<boolean> => {
        const [entry] = (await told(`figure=${figure}`)).moved;
        return entry?.entity.id === userId && entry.position > head;
      };
      return Promise.all(figures.map(isLast));
    };
    await card(buyer, { salaryType: 'performance', salaryRate: 11, performanceThreshold: 90 });
    expect(await card(buyer, { salaryRate: 12 }), 'paid by the campaign').toEqual([false, false, false, true]);
    expect(await card(buyer, { performanceThreshold: 80 })).toEqual([false, false, false, false]);
    expect(await card(lead, { salaryType: 'budget', salaryRate: 5 }), 'no participant').toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(await card(lead, { salaryType: 'percentage' }), 'another word for the same').toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(await card(lead, { performanceThreshold: 70 }), 'a share has none').toEqual([false, false, false, false]);
    await done('PUT', `/campaigns/${campaignId}`, { participants: participants(null) });
    expect(await card(buyer, { salaryRate: 13 }), 'paid by the card').toEqual([true, false, true, true]);
    expect(
      await card(buyer, { performanceThreshold: 60 }),
      'the participant’s threshold is not theirs without a type',
    ).toEqual([true, false, true, false]);
    const before = (await told(`figure=earnings&userId=${buyer}`)).moved.filter(({ entity }) => entity.id === buyer);
    expect(before.map(({ changes }) => changes.map(({ to }) => to))).toEqual([[60], [13]]);
    await done('PUT', `/campaigns/${campaignId}`, { participants: participants('performance') });
    const after = await told(`figure=earnings&userId=${buyer}`);
    expect(after.moved.map(({ entity }) => entity.id).slice(0, 3), 'still told, of that time').toEqual([
      campaignId,
      buyer,
      buyer,
    ]);
    expect(after.historyComplete).toBe(true);
    await done('PUT', `/users/${lead}`, { salaryType: null, salaryRate: null, performanceThreshold: null });
  });

  test('LIN-36 the switch for placements without leads moves earnings by results and the bonus, not a share', async () => {
    const { actors, done } = team;
    const [buyer, lead] = [actors.MEDIA_BUYER.id, actors.TEAM_LEAD.id];
    const bonusOf = async (userId: string) => {
      const { body } = await ask(`/reports/salary/events?userId=${userId}`);
      return salaryEventsData.strict().parse(body.data);
    };
    await done('PUT', `/users/${buyer}`, { salaryType: 'performance' });
    await done('PUT', `/users/${lead}`, { salaryType: 'budget', salaryRate: 5 });
    await done('PUT', '/license/settings', { countZeroLeads: false });
    const last = async (figure: string) => (await told(`figure=${figure}`)).moved[0];
    const switched = { entity: { kind: 'license' }, changes: [{ field: 'countZeroLeads', from: true, to: false }] };
    expect(await last(`earnings&userId=${buyer}`)).toMatchObject(switched);
    expect(await last('allEarnings')).toMatchObject(switched);
    expect((await told(`figure=earnings&userId=${lead}`)).moved.map(({ entity }) => entity.kind)).not.toContain(
      'license',
    );
    expect((await bonusOf(buyer)).moved[0]).toMatchObject(switched);
    expect((await bonusOf(lead)).moved.map(({ entity }) => entity.kind)).not.toContain('license');
    await done('PUT', `/users/${buyer}`, { salaryRate: 14 });
    expect((await bonusOf(buyer)).moved[0], 'the report’s percent is its own').toMatchObject(switched);
    await done('PUT', '/license/settings', { countZeroLeads: true });
    await done('PUT', `/users/${lead}`, { salaryType: null, salaryRate: null });
  });

  test('LIN-37 a card that went through more than is looked through leaves the history of what it pays cut, and it says so', async () => {
    const { actors, done } = team;
    const { id } = actors.TEAM_LEAD;
    const complete = async () => {
      const { body } = await ask(`/reports/salary/events?userId=${id}`);
      const earnings = await told(`figure=earnings&userId=${id}`);
      const ownRate = await told(`figure=ownRate&userId=${id}`);
      return [
        salaryEventsData.strict().parse(body.data).historyComplete,
        earnings.historyComplete,
        ownRate.historyComplete,
      ];
    };
    expect(await complete()).toEqual([true, true, true]);
    for (let rate = 0; rate <= 200; rate += 1) await done('PUT', `/users/${id}`, { salaryRate: rate / 10 });
    expect(await complete()).toEqual([false, false, false]);
  });

  test('LIN-15 hidden earnings stay hidden; foreign, unknown and odd questions are refused or find nothing', async () => {
    const { done, actors } = team;
    await done('PUT', '/license/settings', { earningsVisible: false });
    const path = `/campaigns/${campaignId}/lineage?figure=earnings&userId=${actors.MEDIA_BUYER.id}`;
    const other = await ask(path.replace(actors.MEDIA_BUYER.id, actors.TEAM_LEAD.id), actors.MEDIA_BUYER.token);
    expect([other.status, (await ask(path, actors.MEDIA_BUYER.token)).status]).toEqual([403, 200]);
    await done('PUT', '/license/settings', { earningsVisible: true });

    const stranger = await team.stranger();
    for (const one of [path, `/contractors/${contractorId}/lineage?figure=cpl`, '/campaigns/none/lineage?figure=spent'])
      expect([one, (await ask(one, stranger)).status]).toEqual([one, 404]);
    const wrong = [
      '',
      'figure=',
      'figure=profit',
      'figure=earnings',
      'figure=ownRate',
      'figure=spent&from=2026-13-01',
      ...['placementId=p', 'creativeId=c', 'contractorId=c', 'from=2026-11-01', 'to=2026-11-01'].map(
        (part) => `figure=earnings&userId=${actors.MEDIA_BUYER.id}&${part}`,
      ),
      'figure=spent&figure=paid',
      'figure=__proto__',
      'figure=spent&page=0',
      'figure=spent&pageSize=501',
      `figure=spent&userId=${'x'.repeat(5000)}`,
      'figure=spent&x=1',
    ];
    for (const query of wrong)
      expect([query, (await ask(`/campaigns/${campaignId}/lineage?${query}`)).status]).toEqual([query, 422]);
    for (const query of ['userId=none', 'creativeId=%ED%A0%80', 'contractorId=__proto__', 'creativeId=%00']) {
      const none = await told(`figure=spent&${query}`);
      expect([query, none.value, none.counted.total]).toEqual([query, 0, 0]);
    }
  });

  test('LIN-1185 a contractor’s figure of some days has the lines of those days alone', async () => {
    const { done, placementBody } = team;
    const made: string[] = [];
    let months = '';
    for (const [price, date] of [
      [30, '2026-08-31'],
      [40, '2026-09-01'],
      [50, '2026-09-30'],
      [60, '2026-10-01'],
    ] as const) {
      const body = { ...placementBody, campaignId, contractor: '@months', price, date };
      const { placement } = await done('POST', '/placements', body);
      made.push(placement.id);
      months = placement.contractorId;
    }
    const { body } = await ask(`/contractors/${months}/lineage?figure=spent&from=2026-09-01&to=2026-09-30`);
    const spent = lineageData.strict().parse(body.data);
    expect([spent.value, spent.counted.total]).toEqual([90, 2]);
    expect(spent.counted.lines.map(({ date }) => date)).toEqual(['2026-09-30', '2026-09-01']);
    for (const id of made) await done('DELETE', `/placements/${id}`);
  });
});
