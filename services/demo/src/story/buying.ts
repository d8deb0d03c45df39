import { type Act, type StoryIds } from './act.ts';
import { actOf, beginnings, type Said } from './beginning.ts';
import { chance } from './chance.ts';
import { type Contractor, roundPrice } from './contractors.ts';
import type { Deal } from './deals.ts';
import { notes, remarks } from './notes.ts';
import { people } from './people.ts';
import type { Plan } from './plan.ts';

const minute = 60_000;
const dayMs = 24 * 60 * minute;
/** A day's work, minutes after midnight. */
const [morning, noon, evening] = [9 * 60 + 30, 12 * 60 + 30, 19 * 60] as const;
/** Most bills that are paid at once on a Friday. */
const mostBills = 200;

const phoneOf = new Map(people.map(({ key, habits }) => [key, habits?.phone ?? 0]));
const habitsOf = new Map(people.map(({ key, habits }) => [key, habits]));

/** Everything that buyers do with what they buy, in no order. */
export const buyingActs = (seed: number, ids: StoryIds, plan: Plan, deals: readonly Deal[]): readonly Act[] => {
  const luck = chance(seed, 'buying');
  const said = chance(seed, 'remarks');
  const { days } = plan;
  const { person, lead, campaign, creative } = beginnings(ids);
  const acts: Act[] = [];
  const say = (act: Said): void => void acts.push(actOf(ids, act));
  const within = (day: number, from: number, to: number): number =>
    days.at(day, luck.between(from, to)) + luck.between(0, minute - 1);
  const end = days.at(days.length - 1, 24 * 60 - 1);
  const nickOf = ({ index, nick }: Contractor, at: number): string => {
    const renamed = plan.renamed.get(index);
    return renamed !== undefined && at >= days.at(renamed.day, 0) ? renamed.nick : nick;
  };

  /** Who does it: the buyer, or a lead for one who has left. */
  const doer = (key: string, day: number): string => {
    const one = people.find((other) => other.key === key);
    return one === undefined || plan.stay(one).leaves <= day ? lead : person(key);
  };
  const completedOf = new Map(plan.campaigns.map((planned) => [planned.campaign, planned.completed]));
  const contractorIds = new Map<number, { readonly id: string; readonly since: number }>();
  const bills: { readonly deal: Deal; readonly id: string; readonly due: number }[] = [];

  const meet = (deal: Deal, addName: string, at: number): void => {
    const { contractor, buyer } = deal;
    if (contractorIds.has(contractor.index)) return;
    const by = person(buyer);
    const { channelName, topic: category } = contractor;
    // One in five comes with the first placement itself, and most of those are given their channel's name by a lead.
    const byItself = luck.happens(0.2);
    const name = byItself ? addName : `contractor/${contractor.index}`;
    const id = ids.made(by, name, 'contractor');
    contractorIds.set(contractor.index, { id, since: at });
    const before = { at: at - dayMs, by };
    if (!byItself) {
      const body = { adminUsername: `@${nickOf(contractor, at)}`, channelName, category };
      say({ ...before, name, method: 'POST', path: '/contractors', body });
    } else if (luck.happens(0.8)) {
      const tidied = within(deal.booked + luck.between(1, 4), morning, evening);
      const body = { channelName };
      if (tidied < end)
        say({
          name: `contractor/${contractor.index}/named`,
          at: tidied,
          by: lead,
          method: 'PUT',
          path: `/contractors/${id}`,
          body,
        });
    }
  };

  const live = (deal: Deal, at: number): void => {
    const { index, buyer, contractor, booked, date, fate, price, leads } = deal;
    const by = person(buyer);
    const addName = `placement/${index}`;
    meet(deal, addName, at);
    const id = ids.made(by, addName, 'placement');
    const path = `/placements/${id}`;
    const habits = habitsOf.get(buyer);
    const closes = completedOf.get(deal.campaign) ?? null;
    const until = closes === null ? end : days.at(closes, evening - 120);
    let last = at;
    let nth = 0;
    const then = (
      day: number,
      from: number,
      to: number,
      act: Pick<Act, 'method' | 'path'> & { body?: object },
    ): void => {
      const next = Math.max(within(day, from, to), last + minute);
      if (next > until) return;
      last = next;
      nth += 1;
      const source = luck.happens(phoneOf.get(buyer) ?? 0) ? 'phone' : 'screen';
      say({ ...act, name: `${addName}/${nth}`, at: next, by: doer(buyer, day), source });
    };
    const change = (day: number, body: object): void => then(day, morning, noon, { method: 'PATCH', path, body });

    const ahead = luck.happens(habits?.paysAhead ?? 0) && fate !== 'cancelled';
    const moved = date > booked && luck.happens(0.03);
    const talked = fate === 'done' && luck.happens(0.04);
    const first = {
      campaignId: campaign(deal.campaign.key),
      contractor: `@${nickOf(contractor, at)}`,
      buyerId: by,
      category: deal.topic,
      date: days.day(moved ? date - 1 : date),
      format: deal.format,
      price: fate === 'cancelled' || talked ? roundPrice(Math.max(price, 700) * 1.12) : price,
      ...(deal.creative !== null && { creativeId: creative(deal.creative.key) }),
      paymentStatus: ahead ? 'paid' : 'unpaid',
      ...(said.happens(0.15) && { comment: said.oneOf(remarks) }),
    };
    say({ name: addName, at, by, method: 'POST', path: '/placements', body: first });

    if (fate === 'removed') return then(booked, evening - 60, evening, { method: 'DELETE', path });
    if (fate === 'restored') {
      then(booked, noon, noon + 60, { method: 'DELETE', path });
      then(booked, noon + 60, evening, { method: 'POST', path: `${path}/restore` });
    }
    if (moved) change(date - 1, { date: days.day(date) });
    if (fate === 'cancelled') return change(date, { price: 0, status: 'CANCELLED' });
    if (talked) change(date, { price });
    const told = date + luck.weighted([1, 2, 3], (day) => [0, 0.8, 0.15, 0.05][day] ?? 0);
    const status =
      fate === 'removed_early' ? { status: 'REMOVED_EARLY' } : habits?.tidy === true ? { status: 'DONE' } : {};
    const counted = luck.happens(0.08) && leads > 4 ? Math.floor(leads * (0.78 + 0.17 * luck.next())) : leads;
    const post = said.happens(0.3) ? { postUrl: `https://t.me/${contractor.nick}/${said.between(100, 9_000)}` } : {};
    if (counted > 0 || Object.keys(status).length > 0) change(told, { leads: counted, ...status, ...post });
    if (counted !== leads) change(told + luck.between(1, 3), { leads });
    if (ahead) return;
    if (luck.happens(0.7)) bills.push({ deal, id, due: last });
    else if (luck.happens(0.975))
      then(date + luck.between(1, 9), noon, evening, {
        method: 'POST',
        path: `${path}/payment`,
        body: { paymentStatus: 'paid' },
      });
  };

  const written = new Map<number, Set<string>>();
  const noteOf = ({ contractor, price, leads, buyer, date, index }: Deal): void => {
    const met = contractorIds.get(contractor.index);
    if (met === undefined || date >= days.length - 4) return;
    const cpl = price / Math.max(1, leads);
    const kind = cpl < 80 ? 'cheap' : cpl > 150 ? 'dear' : 'usual';
    const taken = written.get(contractor.index) ?? new Set();
    const text = luck.oneOf(notes[kind]);
    if (taken.has(text) || taken.size > 4) return;
    written.set(contractor.index, taken.add(text));
    const at = within(date + 2, noon, evening);
    const name = `note/${index}`;
    const by = doer(buyer, date + 2);
    const path = `/contractors/${met.id}/notes`;
    say({ name, at, by, method: 'POST', path, body: { note: text } });
    if (luck.happens(0.06)) {
      const gone = { name: `${name}/gone`, at: at + dayMs, by, path: `${path}/${ids.made(by, name, 'note')}` };
      say({ ...gone, method: 'DELETE' });
    }
  };

  // In the order in which they are booked: the first one of a contractor is the one that makes it.
  const booked = deals
    .map((deal) => ({ deal, at: within(deal.booked, morning + 30, evening - 90) }))
    .sort((one, other) => one.at - other.at);
  for (const { deal, at } of booked) {
    live(deal, at);
    if (deal.fate === 'done' && luck.happens(0.035)) noteOf(deal);
  }
  acts.push(...paydays(ids, plan, bills, lead));
  for (const [index, { day, nick }] of plan.renamed) {
    const met = contractorIds.get(index);
    const at = days.at(day, 8 * 60);
    if (met !== undefined && met.since < at)
      say({
        name: `contractor/${index}/renamed`,
        at,
        by: lead,
        method: 'PUT',
        path: `/contractors/${met.id}`,
        body: { adminUsername: `@${nick}` },
      });
  }
  for (const [index, day] of plan.closed) {
    const met = contractorIds.get(index);
    const at = days.at(day, 8 * 60 + 30);
    if (met !== undefined)
      say({
        name: `contractor/${index}/closed`,
        at,
        by: lead,
        method: 'PUT',
        path: `/contractors/${met.id}`,
        body: { isActive: false },
      });
  }
  return acts;
};

/** On Fridays a lead pays, campaign by campaign, the bills of what was published until Wednesday. */
const paydays = (
  ids: StoryIds,
  { days, campaigns }: Plan,
  bills: readonly { readonly deal: Deal; readonly id: string; readonly due: number }[],
  lead: string,
): readonly Act[] =>
  campaigns.flatMap(({ campaign }) => {
    let waiting = bills.filter(({ deal }) => deal.campaign === campaign);
    const acts: Act[] = [];
    for (let day = 0; day < days.length; day += 1) {
      if (days.weekday(day) !== 4) continue;
      const at = days.at(day, 16 * 60 + campaigns.findIndex((one) => one.campaign === campaign) * 3);
      const now = waiting.filter(({ deal, due }) => deal.date <= day - 2 && due < at - dayMs).slice(0, mostBills);
      if (now.length === 0) continue;
      const paid = new Set(now);
      waiting = waiting.filter((bill) => !paid.has(bill));
      const items = now.map(({ id }) => ({ op: 'payment', placementId: id, paymentStatus: 'paid' }));
      const said = {
        name: `payday/${campaign.key}/${day}`,
        at,
        by: lead,
        path: '/placements/batch',
        body: { items },
      };
      acts.push(actOf(ids, { ...said, method: 'POST' }));
    }
    return acts;
  });
