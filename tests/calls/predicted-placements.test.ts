import { randomUUID } from 'node:crypto';
import type { CampaignWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { type CommandService, commandService, type Reply } from '@zakup/command/testing/command-service';
import { givenBuying, givenPerson } from '@zakup/command/testing/given';
import { parseNick } from '@zakup/domain/nick';
import { type CommandMethod, withTarget } from '@zakup/web/src/shared/outbox/entry.ts';
import { type CertainRefusal, certainRefusal } from '@zakup/web/src/shared/predictions/certain-refusal.ts';
import {
  type KnownFacts,
  type PlacementPrediction,
  predictPlacement,
} from '@zakup/web/src/shared/predictions/placement-prediction.ts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const nickOf = (text: string): string => {
  const parsed = parseNick(text);
  return parsed.kind === 'nick' ? parsed.nick : '';
};

/** A team whose people, creatives and contractors a browser knows, and how each of its commands is sent. */
const givenTeam = async (service: CommandService) => {
  const { licence, buyer } = await givenBuying(service);
  const as = { token: licence.owner };
  const done = async (method: string, path: string, sent?: unknown) => {
    service.advance(20);
    const { status, body: reply } = await service.call(method, path, sent, as);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(reply)}`);
    return reply.data;
  };
  const gone = await givenPerson(service, licence, 'MEDIA_BUYER');
  await done('DELETE', `/users/${gone.id}`);
  const analyst = await givenPerson(service, licence, 'ANALYTIC');
  const creative = async (name: string): Promise<string> =>
    (await done('POST', '/creatives', { name, type: 'TEXT_ONLY' })).creative.id;
  const [shown, hidden] = [await creative('Рецепт'), await creative('Старый')];
  await done('DELETE', `/creatives/${hidden}`);
  const contractors = new Map<string, string>();
  for (const nick of ['@Masha', '@other'])
    contractors.set(nickOf(nick), (await done('POST', '/contractors', { adminUsername: nick })).contractor.id);
  const people = new Map([
    [buyer.id, { role: 'MEDIA_BUYER' as const, isActive: true }],
    [gone.id, { role: 'MEDIA_BUYER' as const, isActive: false }],
    [analyst.id, { role: 'ANALYTIC' as const, isActive: true }],
  ]);
  const creatives = new Map([
    [shown, { isActive: true }],
    [hidden, { isActive: false }],
  ]);
  const channelId = (await done('POST', '/channels', { name: 'Канал' })).channel.id;
  const newCampaign = async (): Promise<CampaignWire> =>
    (await done('POST', '/campaigns', { name: 'Лето', channelId, totalBudget: 10, status: 'ACTIVE' })).campaign;
  const known = (campaign: CampaignWire): KnownFacts => ({
    campaign: (id) => (id === campaign.id ? campaign : null),
    user: (id) => people.get(id) ?? null,
    creative: (id) => creatives.get(id) ?? null,
    contractorId: (nick) => contractors.get(nick) ?? null,
  });
  return {
    personId: licence.ownerId,
    as,
    done,
    known,
    newCampaign,
    people: [...people.keys()],
    creatives: [...creatives.keys()],
  };
};

/** Members of a request: right ones, and now and then wrong ones. */
const members = (people: readonly string[], creatives: readonly string[], wrong: 0 | 1) => {
  const mostly = (right: readonly unknown[], wrongs: readonly unknown[]) =>
    fc.oneof(
      { arbitrary: fc.constantFrom(...right), weight: 12 },
      { arbitrary: fc.constantFrom(...wrongs), weight: wrong },
    );
  return {
    contractor: mostly(['@Masha', ' https://t.me/MASHA?x=1', 'other', '@OTHER'], ['', '@', 'two words']),
    buyerId: mostly([people[0]], [...people, '']),
    category: mostly(['Юмор', ' Мемы '], ['нет']),
    date: mostly(['2026-11-20', '2026-11-21'], ['2026-02-31']),
    format: mostly(['1/24', '1/48'], ['2/24']),
    price: mostly([0, 100, 5400.5, '1 000,5 ₽', null], [-1, 0.001, 'дорого']),
    creativeId: mostly([creatives[0], 'NO_CREATIVE'], [...creatives, 'nobody']),
  };
};

type Outcome = 'settled' | 'unchanged' | 'refused' | 'certain' | 'unknown';

const placementIn = ({ body }: Reply): PlacementWire | null => body.data?.placement ?? null;

/** What was predicted and what the server answered, in one form. */
const compared = ({
  doc,
  isThere,
  method,
  refusal,
  prediction: { decided, removed, typed, idle },
  reply,
}: {
  readonly doc: PlacementWire | null;
  readonly isThere: boolean;
  readonly method: CommandMethod;
  readonly refusal: CertainRefusal | null;
  readonly prediction: PlacementPrediction;
  readonly reply: Reply;
}): { readonly outcome: Outcome; readonly predicted: unknown; readonly answered: unknown } => {
  const { status, body } = reply;
  // What the replica does not have cannot be predicted from; the server says what became of it.
  if (!isThere) return { outcome: 'unknown', predicted: decided, answered: null };
  if (refusal !== null) return { outcome: 'certain', predicted: refusal.reason, answered: body.error };
  if (status !== 200) return { outcome: 'refused', predicted: decided, answered: doc };
  const told = placementIn(reply);
  const unchanged = told !== null && doc?.revision === told.revision;
  return {
    outcome: unchanged ? 'unchanged' : 'settled',
    predicted: { typed, removed, unchanged: idle.size === 1, decided: removed ? null : decided },
    answered: {
      typed: {},
      removed: method === 'DELETE',
      unchanged,
      decided: told,
    },
  };
};

describe('predictions of the web app', () => {
  let service: CommandService;
  let team: Awaited<ReturnType<typeof givenTeam>>;
  beforeAll(async () => {
    service = await commandService();
    team = await givenTeam(service);
  });
  afterAll(() => service.close());

  interface Step {
    readonly method: CommandMethod;
    readonly call: '' | '/payment' | '/restore';
    readonly body: Readonly<Record<string, unknown>>;
    /** The campaign meanwhile. */
    readonly meanwhile: 'complete' | 'reopen' | null;
  }
  const step = (method: CommandMethod, call: Step['call'], body: fc.Arbitrary<object>): fc.Arbitrary<Step> =>
    fc.record({
      method: fc.constant(method),
      call: fc.constant(call),
      body: body as fc.Arbitrary<Step['body']>,
      meanwhile: fc.option(fc.constantFrom('complete' as const, 'reopen' as const), { freq: 6, nil: null }),
    });

  it('PRD-1 are what the server answers, for any request on any placement that the replica knows all facts of', async () => {
    const { people, creatives } = team;
    const any = members(people, creatives, 1);
    const needed: { requiredKeys: ('contractor' | 'buyerId' | 'category')[] } = {
      requiredKeys: ['contractor', 'buyerId', 'category'],
    };
    const add = fc.oneof(
      { arbitrary: fc.record(members(people, creatives, 0), needed), weight: 4 },
      { arbitrary: fc.record(any, needed), weight: 1 },
    );
    const change = fc.record(
      {
        ...any,
        leads: fc.constantFrom(0, 10, '1 000', null, 1.5, 'много'),
        status: fc.constantFrom('PENDING', 'DONE', 'GONE'),
      },
      { requiredKeys: [] },
    );
    const later = fc.oneof(
      { arbitrary: step('PATCH', '', change), weight: 5 },
      {
        arbitrary: step(
          'POST',
          '/payment',
          fc.record({ paymentStatus: fc.constantFrom('paid', 'unpaid') }, { requiredKeys: [] }),
        ),
        weight: 2,
      },
      { arbitrary: step('DELETE', '', fc.constant({})), weight: 1 },
      { arbitrary: step('POST', '/restore', fc.constant({})), weight: 1 },
    );
    const outcomes: Record<Outcome, number> = { settled: 0, unchanged: 0, refused: 0, certain: 0, unknown: 0 };

    const run = async (first: Step['body'], steps: readonly Step[]): Promise<void> => {
      let campaign = await team.newCampaign();
      let doc: PlacementWire | null = null;
      let id: string | null = null;
      const added: Step = { method: 'POST', call: '', body: { ...first, campaignId: campaign.id }, meanwhile: null };
      for (const { method, call, body, meanwhile } of [added, ...steps]) {
        if (id === null && (method !== 'POST' || call !== '')) return;
        if (meanwhile !== null) campaign = (await team.done('POST', `/campaigns/${campaign.id}/${meanwhile}`)).campaign;
        service.advance(20);
        const path = id === null ? '/placements' : `/placements/${id}${call}`;
        const key = randomUUID();
        const issued = {
          id: key,
          order: 1,
          issuedAt: service.clock(),
          attempted: false,
          target: { kind: 'placement', id },
          method,
          path: `/api${path}`,
          body,
          baseRevision: doc?.revision ?? null,
          label: '',
          scope: '',
          state: { kind: 'pending' },
        } as const;
        const entry = withTarget(issued, team.personId);
        const refusal = certainRefusal(entry);
        const prediction = predictPlacement(doc, entry.target.id, [entry], team.known(campaign));
        const based = doc === null || method === 'DELETE' ? {} : { baseRevision: doc.revision };
        const sent = method === 'DELETE' ? undefined : call === '/restore' ? {} : { ...body, ...based };
        const reply = await service.call(method, path, sent, { ...team.as, key });
        const isThere = doc !== null || id === null;
        const { outcome, predicted, answered } = compared({ doc, isThere, method, refusal, prediction, reply });
        expect(predicted).toEqual(answered);
        outcomes[outcome] += 1;
        if (reply.status === 200) {
          doc = placementIn(reply);
          id ??= doc?.id ?? null;
        }
      }
    };
    await fc.assert(fc.asyncProperty(add, fc.array(later, { minLength: 3, maxLength: 8 }), run), { numRuns: 100 });
    expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(5);
  });
});
