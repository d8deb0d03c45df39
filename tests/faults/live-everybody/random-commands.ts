import { randomUUID } from 'node:crypto';
import type { Reply } from '@zakup/command/testing/command-service';
import type { Chance } from '../../support/seeded.ts';
import type { Team } from '../../calls/team.ts';

interface Campaign {
  readonly id: string;
  deleted: boolean;
}
interface Placement {
  readonly id: string;
  readonly campaign: Campaign;
  removed: boolean;
}

/** Random commands of every kind upon one licence, each of which must succeed; `buyers`: who may be given placements. */
export const randomCommands = async (team: Team, chance: Chance, buyers: () => readonly [string, ...string[]]) => {
  const { api, fresh } = team;
  const nicks = Array.from({ length: 6 }, (_, index) => `@fuzz_${index}`);
  const campaigns: Campaign[] = [];
  const placements: Placement[] = [];
  const contractors: string[] = [];
  const notes: { readonly contractorId: string; readonly noteId: string }[] = [];
  const channels: string[] = [];
  const creatives: string[] = [];
  const done: Record<string, number> = {};

  const call = async (method: string, path: string, body?: unknown, key?: string): Promise<Reply> => {
    api.advance(100);
    const { token } = team.owner;
    const reply = await api.call(method, path, body, { token, ...(key !== undefined && { key }) });
    if (reply.status !== 200)
      throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(reply.body)}`);
    return reply;
  };
  const among = <Item>(items: readonly Item[]): Item => {
    const [first, ...rest] = items;
    if (first === undefined) throw new Error('There is none');
    return chance.oneOf([first, ...rest]);
  };
  const buyer = (): string => among(buyers());
  const price = (): number => chance.between(1, 90_000) / 100;
  const living = (): readonly Campaign[] => campaigns.filter(({ deleted }) => !deleted);
  const standing = (): readonly Placement[] =>
    placements.filter(({ removed, campaign }) => !removed && !campaign.deleted);

  const added = ({ id }: Campaign) => ({
    campaignId: id,
    contractor: among(nicks),
    buyerId: buyer(),
    category: 'Мемы',
    price: price(),
    date: `2026-11-${chance.between(10, 28)}`,
  });
  const add = async (): Promise<Placement> => {
    const campaign = among(living());
    const { placement } = (await call('POST', '/placements', added(campaign))).body.data;
    const made = { id: placement.id, campaign, removed: false };
    placements.push(made);
    if (!contractors.includes(placement.contractorId)) contractors.push(placement.contractorId);
    return made;
  };
  const some = async (): Promise<Placement> => (standing().length === 0 ? add() : among(standing()));
  const changes = (): object =>
    among([
      { price: price() },
      { leads: chance.between(0, 50) },
      { contractor: among(nicks) },
      { buyerId: buyer() },
      { date: `2026-11-${chance.between(10, 28)}` },
      { status: among(['PENDING', 'PUBLISHED', 'DONE', 'CANCELLED']) },
      { creativeId: among([null, ...creatives]) },
      { price: price(), leads: chance.between(0, 9), contractor: among(nicks) },
    ]);
  const newContractor = async (): Promise<string> => {
    const { contractor } = (await call('POST', '/contractors', { adminUsername: fresh('@more_') })).body.data;
    return contractor.id;
  };

  const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
    add,
    change: async () => call('PATCH', `/placements/${(await some()).id}`, changes()),
    'change many members': async () =>
      call('PATCH', `/placements/${(await some()).id}`, { ...changes(), ...changes() }),
    pay: async () => call('POST', `/placements/${(await some()).id}/payment`, {}),
    async remove() {
      const one = await some();
      await call('DELETE', `/placements/${one.id}`);
      one.removed = true;
    },
    async 'bring back'() {
      const gone = placements.filter(({ removed, campaign }) => removed && !campaign.deleted);
      if (gone.length === 0) return add();
      const one = among(gone);
      await call('POST', `/placements/${one.id}/restore`);
      one.removed = false;
      return one;
    },
    async batch() {
      const [first, second] = [await some(), await some()];
      const campaign = among(living());
      const items = [
        ...Array.from({ length: chance.between(1, 12) }, () => ({ op: 'add', ...added(campaign) })),
        { op: 'change', placementId: first.id, ...changes() },
        { op: 'payment', placementId: second.id },
      ];
      const { results } = (await call('POST', '/placements/batch', { items })).body.data;
      for (const { placement } of results.slice(0, -2))
        if (placement) placements.push({ id: placement.id, campaign, removed: false });
    },
    async 'undo a change'() {
      const commandId = randomUUID();
      await call('PATCH', `/placements/${(await some()).id}`, { price: price() }, commandId);
      await call('POST', '/undo', { commandId });
    },
    async 'undo an addition'() {
      const commandId = randomUUID();
      await call('POST', '/placements', added(among(living())), commandId);
      await call('POST', '/undo', { commandId });
    },
    async 'delete a campaign'() {
      if (living().length < 3) return;
      const one = among(living());
      await call('DELETE', `/campaigns/${one.id}`);
      one.deleted = true;
    },
    async 'restore a campaign'() {
      const gone = campaigns.find(({ deleted }) => deleted);
      if (gone === undefined) return;
      await call('POST', `/campaigns/${gone.id}/restore`);
      gone.deleted = false;
    },
    'change a campaign': () =>
      call('PUT', `/campaigns/${among(living()).id}`, {
        name: fresh('Кампания '),
        totalBudget: chance.between(100, 5_000),
        participants: [
          { userId: buyer(), budget: chance.between(0, 500), salaryType: 'budget', salaryRate: chance.between(1, 20) },
        ],
      }),
    async 'complete and reopen'() {
      const { id } = among(living());
      await call('POST', `/campaigns/${id}/complete`);
      await call('POST', `/campaigns/${id}/reopen`);
    },
    async merge() {
      const [one, other] = [await newContractor(), among(contractors)];
      const [from, into] = chance.between(0, 2) === 0 ? [one, other] : [other, one];
      const commandId = randomUUID();
      await call('POST', `/contractors/${from}/merge`, { intoId: into }, commandId);
      if (chance.between(0, 2) === 0) await call('POST', '/undo', { commandId });
      else if (from === other) contractors[contractors.indexOf(other)] = into;
    },
    'change a contractor': () => call('PUT', `/contractors/${among(contractors)}`, { channelName: fresh('Канал ') }),
    async note() {
      const contractorId = among(contractors);
      const { note } = (await call('POST', `/contractors/${contractorId}/notes`, { note: fresh('Заметка ') })).body
        .data;
      if (chance.between(0, 2) === 0) await call('DELETE', `/contractors/${contractorId}/notes/${note.id}`);
      else notes.push({ contractorId, noteId: note.id });
    },
    async channel() {
      const { channel } = (await call('POST', '/channels', { name: fresh('Канал ') })).body.data;
      channels.push(channel.id);
      await call('PUT', `/channels/${among(channels)}`, { name: fresh('Канал ') });
      if (channels.length > 3) await call('DELETE', `/channels/${channels.shift() ?? ''}`);
    },
    async creative() {
      const { creative } = (await call('POST', '/creatives', { name: fresh('Креатив ') })).body.data;
      creatives.push(creative.id);
      await call('PUT', `/creatives/${among(creatives)}`, { name: fresh('Креатив ') });
      if (creatives.length > 3) await call('DELETE', `/creatives/${creatives.shift() ?? ''}`);
    },
    person: () =>
      call('PUT', `/users/${buyer()}`, {
        name: fresh('Имя '),
        salaryType: 'budget',
        salaryRate: chance.between(1, 30),
      }),
    settings: () =>
      call('PUT', '/license/settings', {
        leadValue: chance.between(1, 300),
        countZeroLeads: chance.between(0, 2) === 0,
      }),
  };

  for (let index = 0; index < 4; index += 1) {
    const body = { name: fresh('Кампания '), channelId: team.campaign.channelId, status: 'ACTIVE', totalBudget: 1_000 };
    campaigns.push({ id: (await call('POST', '/campaigns', body)).body.data.campaign.id, deleted: false });
  }
  for (let index = 0; index < 12; index += 1) await add();

  return {
    names: Object.keys(kinds),
    done,
    call,
    /** Ids of what can be watched; contractors may have become a part of another one. */
    campaigns: (): readonly string[] => campaigns.map(({ id }) => id),
    contractors: (): readonly string[] => contractors,
    async one(name: string): Promise<void> {
      await kinds[name]?.();
      done[name] = (done[name] ?? 0) + 1;
    },
  };
};
