import { setTimeout as delay } from 'node:timers/promises';
import { today } from '@zakup/domain/calendar';
import { demoPassword } from '../logins.ts';
import { type Chance, chance } from '../story/chance.ts';
import { roundPrice } from '../story/contractors.ts';
import { notes } from '../story/notes.ts';
import { people } from '../story/people.ts';
import { type Colleague, signedIn } from './colleague.ts';

export interface ColleaguesOptions {
  readonly address: string;
  readonly seed: number;
  /** Acts in all; then they rest. */
  readonly most: number;
  readonly signal: AbortSignal;
  /** Between two acts; default: some seconds. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

export type LiveAct = 'buy' | 'leads' | 'pay' | 'price' | 'note';
/** How many acts were accepted, and of which kind. */
export interface Worked {
  readonly acts: number;
  readonly byKind: Readonly<Record<LiveAct, number>>;
}

const busy = ['sokolova', 'zotov', 'ryabova', 'galiev', 'belova', 'orehova'] as const;
/** Milliseconds between two acts of the whole team. */
const [shortest, longest] = [1200, 4500] as const;
const kinds: readonly (readonly [LiveAct, number])[] = [
  ['buy', 0.34],
  ['leads', 0.32],
  ['pay', 0.22],
  ['note', 0.07],
  ['price', 0.05],
];

interface Row {
  readonly id: string;
  readonly revision: number;
  readonly price: number;
  readonly leads: number;
  readonly date: string;
  readonly paymentStatus: string;
  readonly status: string;
  readonly creativeId: string;
}
interface Seller {
  readonly id: string;
  readonly adminUsername: string;
  readonly category: string;
  readonly averagePlacementPrice: number;
}
interface Campaign {
  readonly id: string;
  readonly status: string;
  readonly participants: readonly { readonly userId: string }[];
}

const listOf = (data: Readonly<Record<string, unknown>> | null, name: string): readonly unknown[] => {
  const list: unknown = data?.[name];
  return Array.isArray(list) ? list : [];
};
const sellersIn = (data: Parameters<typeof listOf>[0]) => listOf(data, 'contractors') as readonly Seller[];
const rowsIn = (data: Parameters<typeof listOf>[0]) => listOf(data, 'placements') as readonly Row[];
const campaignsIn = (data: Parameters<typeof listOf>[0]) => listOf(data, 'campaigns') as readonly Campaign[];

/** One act of one colleague in a campaign of theirs; whether it was accepted. */
const act = async (kind: LiveAct, colleague: Colleague, campaign: Campaign, luck: Chance): Promise<boolean> => {
  const { call, id } = colleague;
  const sellers = async (): Promise<readonly Seller[]> =>
    sellersIn(await call('GET', '/contractors')).filter((one) => one.averagePlacementPrice > 0);
  const rows = async (): Promise<readonly Row[]> =>
    rowsIn(
      await call('GET', `/campaigns/${campaign.id}/placements?sortBy=date&sortOrder=desc&pageSize=100&buyerId=${id}`),
    );
  const change = async (row: Row | undefined, path: string, method: string, body: object): Promise<boolean> =>
    row !== undefined &&
    (await call(method, `/placements/${row.id}${path}`, { baseRevision: row.revision, ...body })) !== null;
  const day = today(Date.now());

  switch (kind) {
    case 'buy': {
      const seller = luck.oneOf(await sellers());
      const used = await rows();
      const creativeId = used.length === 0 ? null : luck.oneOf(used).creativeId;
      const bought = await call('POST', '/placements', {
        campaignId: campaign.id,
        contractor: seller.adminUsername,
        buyerId: id,
        category: seller.category,
        date: day,
        format: luck.weighted(['1/24', '1/48', '1/72'], (one) => (one === '1/24' ? 3 : 1)),
        price: roundPrice(seller.averagePlacementPrice * (0.9 + 0.25 * luck.next())),
        creativeId: creativeId === 'NO_CREATIVE' ? null : creativeId,
        paymentStatus: luck.happens(0.2) ? 'paid' : 'unpaid',
      });
      return bought !== null;
    }
    case 'leads': {
      const open = (await rows()).filter((row) => row.date <= day && row.status !== 'CANCELLED');
      const waiting = open.filter(({ leads }) => leads === 0);
      const row = waiting.length > 0 ? luck.oneOf(waiting) : open[0];
      const more = row === undefined ? 0 : Math.max(1, Math.round(row.price / (75 + 60 * luck.next())));
      const leads = row === undefined || row.leads === 0 ? more : row.leads + luck.between(1, 3);
      return change(row, '', 'PATCH', { leads });
    }
    case 'pay': {
      const unpaid = (await rows()).filter(({ paymentStatus }) => paymentStatus === 'unpaid');
      return change(unpaid.at(-1), '/payment', 'POST', { paymentStatus: 'paid' });
    }
    case 'price': {
      const recent = (await rows()).filter(({ status }) => status === 'PENDING').slice(0, 10);
      const row = recent.length === 0 ? undefined : luck.oneOf(recent);
      return change(row, '', 'PATCH', { price: roundPrice((row?.price ?? 0) * 0.92) });
    }
    case 'note': {
      const seller = luck.oneOf(await sellers());
      return (await call('POST', `/contractors/${seller.id}/notes`, { note: luck.oneOf(notes.usual) })) !== null;
    }
  }
};

/** Colleagues who buy, count leads, pay, change prices and write notes by the public API until they have done enough or are stopped. */
export const colleagues = async ({ address, seed, most, signal, wait }: ColleaguesOptions): Promise<Worked> => {
  const luck = chance(seed, 'live');
  const pause = wait ?? ((milliseconds: number) => delay(milliseconds, undefined, { signal, ref: false }));
  const byKind: Record<LiveAct, number> = { buy: 0, leads: 0, pay: 0, price: 0, note: 0 };
  let acts = 0;
  try {
    const team: Colleague[] = [];
    for (const key of busy) {
      const code = people.find((one) => one.key === key)?.authCode ?? '';
      team.push(await signedIn(address, { code, password: demoPassword, signal }));
    }
    while (acts < most && !signal.aborted) {
      await pause(luck.between(shortest, longest), signal);
      const colleague = luck.oneOf(team);
      const campaigns = campaignsIn(await colleague.call('GET', '/campaigns')).filter(
        ({ status, participants }) => status === 'ACTIVE' && participants.some(({ userId }) => userId === colleague.id),
      );
      if (campaigns.length === 0) continue;
      const [kind] = luck.weighted(kinds, ([, share]) => share);
      if (!(await act(kind, colleague, luck.oneOf(campaigns), luck))) continue;
      acts += 1;
      byKind[kind] += 1;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { acts, byKind };
};
