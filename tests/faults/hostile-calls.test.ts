import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Call, replySchemaOf } from '@zakup/contracts/calls/call';
import { type CallName, callNames, calls } from '@zakup/contracts/calls/calls';
import { problemBodySchema } from '@zakup/contracts/problems';
import { accessEntity } from '@zakup/domain/access/access.entity';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { examples, type Sent } from '../calls/examples.ts';
import {
  hostileHeaders,
  hostileId,
  hostileQuery,
  hostileText,
  hostileType,
  hostileValue,
  replacedIn,
  waysIn,
} from '../calls/hostile.ts';
import { type RawReply, type RawRequest, rawClient } from '../calls/raw-client.ts';
import { givenTeam, type Team } from '../calls/team.ts';
import { longestTurn } from '../support/longest-turn.ts';

const wanted = inject('isDeep') ? 10_000 : 1_000;
/** Some of what is made turns out to be valid. */
const tries = 4 * wanted;
const longest = 50;

const isAudit = (stream: string): boolean => stream.startsWith(`${accessEntity.category}-`);

const part = fc.record({ way: fc.nat(1000), value: hostileValue });
/** What is done to a valid request: to members of its body, or to the query where it has no body. */
const damage = fc.oneof(
  {
    arbitrary: fc.record({ members: fc.array(part, { minLength: 1, maxLength: 3 }), orQuery: hostileQuery }),
    weight: 12,
  },
  { arbitrary: fc.record({ whole: hostileValue }), weight: 1 },
  { arbitrary: fc.record({ text: hostileText }), weight: 1 },
  { arbitrary: fc.record({ type: hostileType }), weight: 1 },
  { arbitrary: fc.record({ headers: hostileHeaders }), weight: 2 },
  { arbitrary: fc.record({ query: hostileQuery }), weight: 4 },
  { arbitrary: fc.record({ ids: fc.array(hostileId, { minLength: 2, maxLength: 2 }) }), weight: 4 },
  { arbitrary: fc.record({ token: fc.constantFrom('none', 'stranger', 'admin', 'a.b.c') }), weight: 1 },
);
type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;

describe('whatever is sent to any call', { timeout: 300_000 }, () => {
  let team: Team;
  let stranger: string;
  const valid = new Map<CallName, Sent>();
  beforeAll(async () => {
    team = await givenTeam();
    stranger = await team.stranger();
    for (const name of callNames) valid.set(name, await examples[name](team, team.owner));
  });
  afterAll(() => team.api.close());

  const tokenOf = (call: Call, sent: Sent, harm: Damage): string | undefined => {
    const fitting = sent.token ?? (call.realm === 'admin' ? team.admin : team.owner.token);
    if (!('token' in harm)) return call.realm === 'open' ? undefined : fitting;
    const others = {
      none: undefined,
      stranger,
      admin: call.realm === 'admin' ? fitting : team.admin,
      'a.b.c': 'a.b.c',
    };
    return others[harm.token];
  };

  const bodyOf = (sent: Sent, harm: Damage): string | undefined => {
    if ('text' in harm) return harm.text;
    if ('whole' in harm) return JSON.stringify(harm.whole);
    const ways = waysIn(sent.body);
    if (!('members' in harm) || ways.length === 0)
      return sent.body === undefined ? undefined : JSON.stringify(sent.body);
    let { body } = sent;
    for (const { way, value } of harm.members) body = replacedIn(body, ways[way % ways.length] ?? [], value);
    return JSON.stringify(body);
  };

  const requestOf = (name: CallName, harm: Damage): RawRequest => {
    const call: Call = calls[name];
    const sent = valid.get(name) ?? {};
    const ids = 'ids' in harm ? harm.ids : [];
    let count = 0;
    const path = call.path.replaceAll(/\{(\w+)\}/gu, (_, param: string) => {
      count += 1;
      return ids[count - 1] ?? encodeURIComponent(sent.params?.[param] ?? '');
    });
    const query =
      'query' in harm
        ? harm.query
        : 'members' in harm && sent.body === undefined
          ? harm.orQuery
          : new URLSearchParams(sent.query).toString();
    const token = tokenOf(call, sent, harm);
    const body = bodyOf(sent, harm);
    return {
      method: call.method,
      path: `/api${path}${query === '' ? '' : `?${query}`}`,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'type' in harm ? harm.type : 'application/json' }),
        ...sent.headers,
        ...('headers' in harm ? harm.headers : {}),
      },
      ...(body !== undefined && { body }),
    };
  };

  /** What is wrong with the answer, in words; null = nothing. */
  const faultOf = (call: Call, { status, text }: RawReply): string | null => {
    if (status === 200) {
      if (call.envelope === 'file') return null;
      return replySchemaOf(call).safeParse(JSON.parse(text)).success ? null : 'a reply beside its schema';
    }
    // Headers longer than the server reads are refused before there is a request; who has any representation needs none.
    if (status === 431 || (status === 304 && call.method === 'GET')) return null;
    if (status < 400 || status >= 500) return `status ${status}`;
    const problem = problemBodySchema.safeParse(JSON.parse(text));
    if (!problem.success || problem.data.status !== status || problem.data.error.trim() === '')
      return 'no problem in form';
    return call.problems.includes(problem.data.code) ? null : `${problem.data.code}, which its row does not name`;
  };

  test(`R7-1 ${wanted} bad requests over all calls: no 5xx, no event of a refused one, no long block`, async () => {
    const client = rawClient(team.api.address);
    const { eventStore } = team.api;
    const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
    const delays = monitorEventLoopDelay({ resolution: 1 });
    const took: number[] = [];
    const blocks: string[] = [];
    /** Calls that have refused something. */
    const refusing = new Set<CallName>();
    let refused = 0;

    /** A block is what comes again; a long answer that lets others in is none. */
    const blocksFor = async (sent: RawRequest, first: number): Promise<number> => {
      let least = first;
      for (let again = 0; again < 4 && least > longest; again += 1) {
        team.api.advance(50);
        const turn = longestTurn();
        const { milliseconds } = await client.once(sent);
        least = Math.min(least, milliseconds, turn());
      }
      return least;
    };

    /** Types of events; refused sign-ins are told to the audit together, whenever their time is over, and are no change. */
    const madeAfter = async (position: number): Promise<readonly string[]> => {
      const types: string[] = [];
      const stop = new AbortController();
      for await (const message of eventStore.subscribe({ after: position, signal: stop.signal })) {
        if (message.kind === 'caught_up') stop.abort();
        else types.push(...message.events.filter(({ stream }) => !isAudit(stream)).map(({ type }) => type));
      }
      return types;
    };

    delays.enable();
    const outcome = await fc.check(
      fc.asyncProperty(fc.nat(callNames.length - 1), damage, async (index, harm) => {
        // A few calls refuse little: those that have refused nothing yet have every other turn.
        const left = callNames.filter((one) => !refusing.has(one));
        const from = left.length > 0 && took.length % 2 === 1 ? left : callNames;
        const name = from[index % from.length];
        if (name === undefined || refused === wanted) return;
        team.api.advance(20);
        const call: Call = calls[name];
        const sent = requestOf(name, harm);
        const before = await eventStore.head();
        const reply = await client.once(sent);
        took.push(reply.milliseconds);
        const fault = faultOf(call, reply);
        if (fault !== null) throw new Error(`${name} answers ${fault}: ${reply.text.slice(0, 500)}`);
        if (reply.status !== 200) {
          refused += 1;
          refusing.add(name);
          const made = (await eventStore.head()) === before ? [] : await madeAfter(before);
          if (made.length > 0) throw new Error(`${name} was refused and appended ${made.join(', ')}`);
        }
        if (reply.milliseconds > longest && (await blocksFor(sent, reply.milliseconds)) > longest)
          blocks.push(`${sent.method} ${sent.path.slice(0, 100)} ${JSON.stringify(harm).slice(0, 100)}`);
      }),
      { seed, numRuns: tries, endOnFailure: true },
    );
    delays.disable();
    client.close();
    const sorted = took.toSorted((one, other) => one - other);
    const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
    console.info(
      `R7: seed ${seed}, ${took.length} requests, ${refused} refused; ms per request: median ${at(0.5)}, 99 % ${at(0.99)}, longest ${at(0.9999)}; longest loop delay with the test's own work ${(delays.max / 1e6).toFixed(0)} ms`,
    );
    expect(outcome.failed && `${fc.defaultReportMessage(outcome)}\n${String(outcome.errorInstance)}`).toBe(false);
    expect(blocks.join('\n')).toBe('');
    expect(refused).toBe(wanted);
    expect(callNames.filter((name) => !refusing.has(name))).toEqual([]);
    await team.done('POST', '/placements', team.placementBody);
  });
});
