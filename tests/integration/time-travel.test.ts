import type { ContractorWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPlacement, call, type Team, team } from '../support/api.ts';
import { editions, type Installation } from '../support/editions.ts';

/** What was answered at a position, when that was now. */
interface Remembered {
  readonly path: string;
  readonly position: number;
  readonly data: unknown;
}

describe.each(editions)('The past in $name', (edition) => {
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

  const put = <Data>(method: string, path: string, body?: object) =>
    call<Data>(zakup.address, method, path, body, { token: crew.owner.token });
  const bytes = async ({ path, position }: Pick<Remembered, 'path' | 'position'>): Promise<string> => {
    const url = `${zakup.address}/api${path}?at=${position}`;
    return (await fetch(url, { headers: { Authorization: `Bearer ${crew.owner.token}` } })).text();
  };

  test('TT-50 every answer of then is what was answered then, the same bytes again and after a restart', async () => {
    const [anna, ilya] = crew.buyers;
    const { id } = crew.campaign;
    const paths = [`/campaigns/${id}/placements`, `/campaigns/${id}/analytics`, `/campaigns/${id}/earnings`];
    const lists = ['/contractors', '/campaigns', '/channels', '/creatives', '/users'];
    const remembered: Remembered[] = [];
    const remember = async (position: number): Promise<void> => {
      for (const path of [...paths, ...lists]) {
        const { data } = await put('GET', `${path}?after=${position}`);
        remembered.push({ path, position, data });
      }
    };
    const add = (contractor: string, price: number) =>
      addPlacement(zakup.address, anna, { campaignId: id, contractor, price });

    const first = (await add('first_ads', 100)).data.placement;
    const second = await add('second_ads', 50);
    await remember(second.position);
    const changed = await put<{ placement: PlacementWire }>('PATCH', `/placements/${first.id}`, {
      price: 77.5,
      leads: 3,
    });
    await remember(changed.position);
    const terms = { salaryType: 'performance', salaryRate: 12.5, performanceThreshold: 20 };
    await remember((await put('PUT', `/users/${anna.userId}`, terms)).position);
    await remember((await put('PUT', '/license/settings', { countZeroLeads: false, leadValue: 10 })).position);
    const into = { intoId: second.data.placement.contractorId };
    const merged = await put<{ contractor: ContractorWire }>('POST', `/contractors/${first.contractorId}/merge`, into);
    await remember(merged.position);
    await remember((await put('PATCH', `/placements/${first.id}`, { buyerId: ilya.userId })).position);
    await remember((await put('DELETE', `/placements/${first.id}`)).position);
    await put('DELETE', `/campaigns/${id}`);
    await put('POST', `/campaigns/${id}/restore`);

    const answers = () => Promise.all(remembered.map(bytes));
    const told = await answers();
    for (const [index, { path, position, data }] of remembered.entries()) {
      const answer = JSON.parse(told[index] ?? '') as { data: unknown; at: { position: number }; position: number };
      expect({ path, at: answer.at.position, data: answer.data }).toEqual({ path, at: position, data });
      expect(answer.position).toBe(position);
    }
    expect(await answers()).toEqual(told);
    await zakup.stop();
    await zakup.start();
    expect(await answers()).toEqual(told);
  }, 120_000);
});
