import { kopecks } from '@zakup/domain/money';
import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import type { LiveClient, Replica } from '../testing/live-client.ts';
import {
  analyticsRow,
  campaignRow,
  contractorRow,
  docOf,
  earningsRow,
  placementRow,
  userRow,
} from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);
const scopes = ['workspace', 'campaign:a', 'campaign:b', 'contractor:x'] as const;
const campaigns = ['a', 'b'] as const;

type Step =
  | {
      readonly kind: 'write';
      readonly id: number;
      readonly leads: number;
      readonly contractorId: 'x' | 'y';
      readonly users: boolean;
    }
  | { readonly kind: 'remove'; readonly id: number }
  | { readonly kind: 'place'; readonly contractor: 'x' | 'y'; readonly campaign: 'a' | 'b' | null }
  | { readonly kind: 'floor'; readonly scope: (typeof scopes)[number] }
  | { readonly kind: 'role'; readonly role: 'MEDIA_BUYER' | 'TEAM_LEAD' }
  | { readonly kind: 'disconnect' | 'connect'; readonly who: number }
  | { readonly kind: 'yieldIfDue' | 'settle' | 'end' };

const id = fc.integer({ min: 0, max: 7 });
const contractor = fc.constantFrom('x', 'y');
const write: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('write'),
  id,
  leads: fc.integer({ min: 0, max: 1_000 }),
  contractorId: contractor,
  users: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: write },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('remove'), id }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('place'), contractor, campaign: fc.constantFrom('a', 'b', null) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('floor'), scope: fc.constantFrom(...scopes) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('role'), role: fc.constantFrom('MEDIA_BUYER', 'TEAM_LEAD') }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('disconnect', 'connect'), who: fc.integer({ min: 0, max: 2 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('yieldIfDue', 'settle') }) },
);

const placementScopes = (index: number, contractorId: string): readonly string[] => [
  `campaign:${campaigns[index % 2]}`,
  `contractor:${contractorId}`,
];

/** What the store would hold, with what left which scope, as a projector writes it. */
const writer = (world: World) => {
  const scopesNow = new Map<string, readonly string[]>();
  const left = new Map<string, Map<string, number>>();
  const put = async (key: string, draft: ReturnType<typeof doc.user>, others: ReturnType<typeof doc.user>[] = []) => {
    const position = world.head() + 1;
    const made = draft(position);
    const gone = left.get(key) ?? new Map<string, number>();
    left.set(key, gone);
    for (const scope of scopesNow.get(key) ?? []) if (!made.scopes.includes(scope)) gone.set(scope, position);
    for (const scope of made.scopes) gone.delete(scope);
    scopesNow.set(key, made.scopes);
    const all = [...gone].map(([scope, at]) => ({ scope, position: at }));
    await world.commitAt(position, [() => ({ ...made, left: all }), ...others]);
  };
  /** Leads of the placements that are there, by campaign. */
  const leads: Record<string, Map<string, number>> = { a: new Map(), b: new Map() };
  /** What moves with each row of a campaign, whatever became of it. */
  const totalsOf = (campaignId: string): ReturnType<typeof doc.user>[] => {
    const lines = [...(leads[campaignId] ?? [])].map(([placementId, count]) => ({
      placementId,
      price: kopecks(10_000),
      leads: count,
    }));
    const byBuyer = Object.fromEntries(
      lines.map((line) => [line.placementId, { spent: line.price, leads: line.leads, placements: 1 }]),
    );
    return [
      doc.analytics(analyticsRow({ campaignId, byBuyer })),
      doc.earnings(
        earningsRow({
          campaignId,
          userId: 'buyer',
          // What has few leads is left out.
          terms: { salaryType: 'performance', salaryRate: 10, cplThreshold: kopecks(33), source: 'user' },
        }),
      ),
    ];
  };
  return async (of: Step): Promise<void> => {
    if (of.kind === 'write') {
      const campaignId = campaigns[of.id % 2] ?? 'a';
      const row = placementRow({ id: `p${of.id}`, campaignId, contractorId: of.contractorId, leads: of.leads });
      leads[campaignId]?.set(row.id, of.leads);
      const users = of.users ? [doc.user(userRow({ id: 'lead', name: `Lead ${of.leads}` }))] : [];
      await put(row.id, doc.placement(row), [...totalsOf(campaignId), ...users]);
    } else if (of.kind === 'remove') {
      const campaignId = campaigns[of.id % 2] ?? 'a';
      const scopesOf = scopesNow.get(`p${of.id}`) ?? placementScopes(of.id, 'x');
      leads[campaignId]?.delete(`p${of.id}`);
      await put(`p${of.id}`, doc.gone('placement', `p${of.id}`, scopesOf), totalsOf(campaignId));
    } else if (of.kind === 'place') {
      const totals = contractorRow({ id: of.contractor }).totals;
      const row = contractorRow({
        id: of.contractor,
        totals: { ...totals, campaigns: of.campaign === null ? {} : { [of.campaign]: 1 } },
      });
      await put(of.contractor, doc.contractor(row));
    } else if (of.kind === 'end') {
      const named = campaigns.map((name) => doc.campaign(campaignRow({ id: name, name: 'End' })));
      await put('x', doc.contractor(contractorRow({ id: 'x', channelName: 'End' })), named);
    } else if (of.kind === 'floor') {
      await world.commitAt(world.head() + 1, [], [{ licenceId, scope: of.scope }]);
    } else if (of.kind === 'role') {
      await world.commit(doc.user(userRow({ id: 'buyer', role: of.role })));
    }
  };
};

/** A client that does what docs/reference/live.md asks of it: goes on by position, loads anew when told. */
const faithful = async (
  world: World,
  token: string,
  keep: Map<string, Replica>,
  patches: boolean,
): Promise<LiveClient> => {
  const client = await world.connect(token, { keep, patches });
  client.socket.on('reset', ({ scope }) => {
    void client.subscribe(scope);
  });
  for (const scope of scopes) await client.subscribe(scope, keep.get(scope)?.position ?? undefined);
  return client;
};

const content = (client: LiveClient): unknown =>
  Object.fromEntries(
    scopes.map((scope) => [
      scope,
      [...client.replica(scope).docs.values()]
        .filter((change) => change.doc !== null)
        .map(({ kind, id: name, position, doc: body }) => [`${kind} ${name}`, position, body])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    ]),
  );

/** Somebody who comes and goes; what they hold stays with them. */
const visitor = (world: World, token: string, patches: boolean) => {
  const keep = new Map<string, Replica>();
  const lines: LiveClient[] = [];
  let client: LiveClient | null = null;
  return {
    lines,
    async come(): Promise<LiveClient> {
      if (client !== null) return client;
      client = await faithful(world, token, keep, patches);
      lines.push(client);
      return client;
    },
    go(): void {
      client?.close();
      client = null;
    },
    client: () => client,
  };
};

describe('the live channel under random commits, breaks and resets', () => {
  it('GWF-1 a replica that went on by position equals a fresh load, whether its changes came as patches or whole', {
    timeout: 240_000,
  }, async () => {
    let patchesTaken = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        const world = await startWorld();
        try {
          await world.commit(
            ...campaigns.map((name) => doc.campaign(campaignRow({ id: name }))),
            doc.contractor(contractorRow({ id: 'x' })),
            doc.contractor(contractorRow({ id: 'y' })),
          );
          const { token } = await world.signIn('buyer');
          const visitors = [false, true, true].map((patches) => visitor(world, token, patches));
          const apply = writer(world);
          for (const one of visitors) await one.come();
          for (const of of steps) {
            if (of.kind === 'disconnect') visitors[of.who]?.go();
            else if (of.kind === 'connect') await visitors[of.who]?.come();
            else if (of.kind === 'yieldIfDue') await new Promise((resolve) => setImmediate(resolve));
            else if (of.kind === 'settle') {
              // What was committed in every scope is heard of before it goes on: rounds of their own, not one for all.
              await apply({ kind: 'end' });
              const [head, there] = [world.head(), visitors.map((one) => one.client()).filter((one) => one !== null)];
              for (const one of there)
                await one.until(() => scopes.every((scope) => one.replica(scope).position === head));
            } else await apply(of);
          }
          const last = await Promise.all(visitors.map((one) => one.come()));
          const fresh = await faithful(world, token, new Map(), false);
          // Something in every scope, so that each says when it is there.
          await apply({ kind: 'end' });
          const end = world.head();
          for (const one of [...last, fresh])
            await one.until(() => scopes.every((scope) => one.replica(scope).position === end));
          for (const one of last) expect(content(one)).toEqual(content(fresh));
          const later = await faithful(world, token, new Map(), true);
          await later.until(() => scopes.every((scope) => later.replica(scope).position !== null));
          expect(content(later)).toEqual(content(fresh));
          for (const line of visitors.flatMap(({ lines }) => lines)) {
            expect(line.misfits).toEqual([]);
            patchesTaken += line.received.flatMap(({ docs }) => docs).filter((change) => 'patch' in change).length;
            for (const scope of scopes) {
              const opened = line.messages.filter((message) => message.scope === scope && message.last);
              const positions = opened.map(({ position }) => position);
              expect(positions).toEqual(positions.toSorted((a, b) => a - b));
            }
          }
        } finally {
          await world.stop();
        }
      }),
      { seed: 20_261_121, numRuns: inject('isDeep') ? 60 : 10, endOnFailure: true },
    );
    expect(patchesTaken).toBeGreaterThan(100);
  });
});
