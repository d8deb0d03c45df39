import type { AnalyticsWire, ContractorWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPlacement, call, type Team, team } from '../support/api.ts';
import { editions, type Installation } from '../support/editions.ts';
import { type LiveClient, liveClient } from '../support/live-client.ts';

/** A merge from the first placement to its undoing, over real HTTP and sockets. */
describe.each(editions)('Merged contractors in $name', (edition) => {
  let zakup: Installation;
  let crew: Team;

  beforeAll(async () => {
    zakup = await edition.install();
    await zakup.start();
    crew = await team(zakup.address);
  });

  afterAll(async () => {
    await zakup.stop();
    await zakup.remove();
    await edition.end();
  });

  const get = async <Data>(path: string, after: number): Promise<Data> => {
    const { token } = crew.owner;
    return (
      await call<Data>(zakup.address, 'GET', `${path}${path.includes('?') ? '&' : '?'}after=${after}`, undefined, {
        token,
      })
    ).data;
  };
  /** Resolves once a client holds just these. A merge resets who looks on, sometimes twice running: a load may be told to be dropped as it comes. */
  const shownTo = async (
    client: LiveClient,
    contractors: readonly (readonly [id: string, spent: number, placements: number])[],
    placements: readonly (readonly [id: string, contractorId: string])[],
  ): Promise<void> => {
    const seen = () => [
      client.docs('contractor').map(({ id, totalSpent, totalPlacements }) => [id, totalSpent, totalPlacements]),
      client.docs('placement').map(({ id, contractorId }) => [id, contractorId]),
    ];
    const sorted = (lists: readonly (readonly (readonly unknown[])[])[]) =>
      lists.map((list) => list.map(String).toSorted());
    await expect.poll(() => sorted(seen())).toEqual(sorted([contractors, placements]));
  };
  const post = <Data>(path: string, body: object) =>
    call<Data>(zakup.address, 'POST', path, body, { token: crew.owner.token });

  test('CMM-70 both are one everywhere, while people look on, and two again when it is undone', async () => {
    const [anna, ilya] = crew.buyers;
    const campaign = `campaign:${crew.campaign.id}`;
    const add = (contractor: string, price: number) =>
      addPlacement(zakup.address, anna, { campaignId: crew.campaign.id, contractor, price });
    const first = (await add('first_ads', 100)).data.placement;
    const second = await add('second_ads', 50);
    const [one, two] = [first.contractorId, second.data.placement.contractorId];
    await post(`/contractors/${one}/notes`, { note: 'быстро' });
    const other = await liveClient(zakup.address, ilya.token);
    await other.subscribe(campaign);
    await other.reached(campaign, second.position);

    const merged = await post<{ contractor: ContractorWire }>(`/contractors/${one}/merge`, { intoId: two });
    expect(merged.data.contractor).toMatchObject({ id: two, notes: 'быстро', otherUsernames: ['@first_ads'] });
    const third = await add('T.me/First_Ads', 7);
    expect(third.data.placement.contractorId).toBe(two);
    const rows = [first, second.data.placement, third.data.placement].map(({ id }) => id);
    const ofTwo = rows.map((id) => [id, two] as const);
    await shownTo(other, [[two, 157, 3]], ofTwo);
    type Card = { contractor: ContractorWire; history: { placementId: string }[]; notes: { note: string }[] };
    for (const id of [one, two]) {
      const card = await get<Card>(`/contractors/${id}`, third.position);
      expect(card.contractor).toMatchObject({ id: two, totalSpent: 157 });
      expect([card.history.length, card.notes.map(({ note }) => note)]).toEqual([3, ['быстро']]);
    }
    const { byContractor } = await get<AnalyticsWire>(`/campaigns/${crew.campaign.id}/analytics`, third.position);
    expect(byContractor).toMatchObject([{ contractorId: two, spent: 157, placements: 3 }]);
    type Table = { placements: PlacementWire[]; total: number };
    const table = await get<Table>(`/campaigns/${crew.campaign.id}/placements?contractorId=${two}`, third.position);
    expect([table.total, new Set(table.placements.map(({ contractorId }) => contractorId))]).toEqual([
      3,
      new Set([two]),
    ]);

    await post('/undo', { commandId: merged.commandId });
    const spent = [
      [one, 100, 1],
      [two, 57, 2],
    ] as const;
    await shownTo(other, spent, [[first.id, one], ...ofTwo.slice(1)]);
    expect((await add('first_ads', 1)).data.placement.contractorId).toBe(one);
    other.close();
  });
});
