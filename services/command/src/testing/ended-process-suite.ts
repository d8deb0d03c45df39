import { testCodes } from '@zakup/credentials/testing/test-codes';
import { randomUUID } from 'node:crypto';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import { holdsNick } from '@zakup/domain/contractor/nicks';
import type { Entity, DomainEvent } from '@zakup/domain/decider';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { reservationDecider } from '@zakup/domain/reservation/reservation.decider';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { emailKey, type ReservedValue, streamOfValue } from '../pipeline/reservations.ts';
import { foldStream } from '../pipeline/stream-cache.ts';
import { type CommandService, commandService, type Reply } from './command-service.ts';
import type { EndingLog } from './ending-log.ts';
import { type GivenLicence, givenBuying, givenLicence, givenPlacement, ownerPassword } from './given.ts';

const spellingsOf = (nick: string): readonly string[] => [
  nick,
  `@${nick}`,
  ` ${nick.toUpperCase()} `,
  `https://t.me/${nick}`,
  `t.me/${nick}/17`,
  `http://telegram.me/${nick}?x=1`,
];

const claimMs = 60_000;
/** Less than a token is good for. */
const tokenMs = 10 * 60_000;
/** Commands sent at once. */
const crowd = inject('isDeep') ? 50 : 20;
/** Steps at which the process of a crowd ends. */
const crowdSteps = inject('isDeep') ? [0, 2, 7, 20, 45, 90] : [0, 7, 45];
/** Each of a crowd may find the store busy as often as there are others. */
const mostRepeats = crowd;
/** More than any of these commands takes. */
const mostSteps = 200;

/** What holds of unique values when the process ended between any two steps, and others come after it. */
export const endedProcessSuite = (name: string, log: EndingLog): void => {
  describe(`unique values after a process that ended, on ${name}`, { timeout: 240_000 }, () => {
    let service: CommandService;
    beforeAll(async () => {
      service = await commandService(undefined, log.open);
    });
    afterEach(() => log.restart());
    afterAll(() => service.close());

    type Send = (body: object, key?: string) => Promise<Reply>;
    const tokens = new Map<string, { readonly token: string; readonly from: number }>();
    /** The owner's: these tests take longer than one is good for. */
    const tokenOf = async ({ id, owner, ownerCode }: GivenLicence): Promise<string> => {
      let known = tokens.get(id) ?? { token: owner, from: service.now() };
      if (service.now() - known.from > tokenMs) {
        const login = { loginCode: ownerCode, password: ownerPassword, endOldest: true };
        const { token } = (await service.call('POST', '/auth/ceo-login', login)).body.data;
        known = { token, from: service.now() };
      }
      tokens.set(id, known);
      return known.token;
    };
    const sending =
      (licence: GivenLicence, method: string, path: string): Send =>
      async (body, key = randomUUID()) =>
        service.call(method, path, body, { token: await tokenOf(licence), key });
    const atOnce = (count: number, of: (index: number) => Promise<Reply>): Promise<readonly Reply[]> =>
      Promise.all(Array.from({ length: count }, (_, index) => of(index)));
    /** As a client does: what the store was too busy for (503) is sent again, as the same command. */
    const sentUntilTaken = async (send: () => Promise<Reply>): Promise<Reply> => {
      let reply = await send();
      for (let repeat = 0; reply.status === 503 && repeat < mostRepeats; repeat += 1) reply = await send();
      return reply;
    };
    const statuses = (replies: readonly Reply[]): readonly number[] =>
      replies.map(({ status }) => status).toSorted((a, b) => a - b);
    const all = (count: number, status: number): readonly number[] => Array.from({ length: count }, () => status);

    /** Another process, which remembers nothing, a little later. Whether the one before had ended. */
    const restart = async (): Promise<boolean> => {
      const ended = await log.restart();
      service.forget();
      service.advance(10_000);
      return ended;
    };

    /** Makes ready, then sends; again and again, each time ended one step later, until it is not ended any more. */
    const atEachStep = async (
      ready: (step: number) => Promise<() => Promise<unknown>>,
      after: (step: number) => Promise<void>,
    ): Promise<number> => {
      for (let step = 0; step < mostSteps; step += 1) {
        const send = await ready(step);
        service.forget();
        log.endAt(step);
        await send();
        const ended = await restart();
        await after(step);
        if (!ended) return step;
      }
      throw new Error(`Not done after ${mostSteps} steps`);
    };

    const statesOf = async <State, Event extends DomainEvent>(
      { id }: GivenLicence,
      entity: Entity<State, Event>,
    ): Promise<ReadonlyMap<string, State>> => {
      const states = new Map<string, State>();
      const events = await service.eventStore.readLicence(id);
      for (const stream of new Set(events.map((event) => event.stream))) {
        if (!stream.startsWith(`${entity.category}-`)) continue;
        const { state } = foldStream(entity, await service.eventStore.read(stream));
        if (state !== null) states.set(stream.slice(stream.indexOf('~') + 1), state);
      }
      return states;
    };
    const holderOf = async (reserved: ReservedValue): Promise<string | null> => {
      const events = await service.eventStore.read(streamOfValue(testCodes, reserved));
      return foldStream(reservationDecider(reserved.category), events).state?.claims[0]?.holder.id ?? null;
    };
    /** Who goes by the nick, as the log has it: one, who has also its claim. */
    const ownerOf = async (licence: GivenLicence, nick: string): Promise<string> => {
      const found = [...(await statesOf(licence, contractorDecider))].filter(([, state]) => holdsNick(state, nick));
      expect(found).toHaveLength(1);
      const [[id] = ['']] = found;
      expect(await holderOf({ category: 'nick', licenceId: licence.id, value: nick })).toBe(id);
      return id;
    };
    const contractorsOf = (replies: readonly Reply[]): ReadonlySet<string> =>
      new Set(replies.map(({ body }) => body.data.placement.contractorId));

    test('CUT-1 a new nick: whoever comes next has it made, once, and the same command sent again finds it', async () => {
      const { licence, body } = await givenBuying(service);
      const add = sending(licence, 'POST', '/placements');
      const keys: string[] = [];
      const steps = await atEachStep(
        async (step) => {
          keys[step] = randomUUID();
          return () => add({ ...body, contractor: `once${step}` }, keys[step]);
        },
        async (step) => {
          const spellings = spellingsOf(`once${step}`);
          const next = await atOnce(8, (index) => add({ ...body, contractor: spellings[index % spellings.length] }));
          expect([step, statuses(next)]).toEqual([step, all(8, 200)]);
          const again = await add({ ...body, contractor: `once${step}` }, keys[step]);
          expect([step, again.status]).toEqual([step, 200]);
          expect(contractorsOf([...next, again])).toEqual(new Set([await ownerOf(licence, `once${step}`)]));
        },
      );
      expect(steps).toBeGreaterThan(3);
    });

    test.each(crowdSteps)(
      'CUT-2 of a crowd of additions at once of one new nick, ended at step %i, and as many after them: one contractor',
      async (step) => {
        const { licence, buyer, body } = await givenBuying(service);
        const spellings = spellingsOf('many');
        const add = (index: number, key: string = randomUUID()) => {
          const token = index % 2 === 0 ? buyer.token : licence.owner;
          const named = { ...body, contractor: spellings[index % spellings.length] };
          return service.call('POST', '/placements', named, { token, key });
        };
        const keys = Array.from({ length: crowd }, () => randomUUID());
        service.forget();
        log.endAt(step);
        const cut = await atOnce(crowd, (index) => add(index, keys[index]));
        await restart();
        const newKeys = keys.map(() => randomUUID());
        const next = await atOnce(crowd, (index) => sentUntilTaken(() => add(index, newKeys[index])));
        expect(statuses(next)).toEqual(all(crowd, 200));
        const again = await atOnce(crowd, (index) => sentUntilTaken(() => add(index, keys[index])));
        expect(statuses(again)).toEqual(all(crowd, 200));
        const answered = cut.filter(({ status }) => status === 200);
        expect(contractorsOf([...answered, ...next, ...again])).toEqual(new Set([await ownerOf(licence, 'many')]));
      },
    );

    test('CUT-3 a rename to a free nick: after 60 s at most somebody has it, and nobody is without one', async () => {
      const { licence, body } = await givenBuying(service);
      const add = sending(licence, 'POST', '/placements');
      const sent: (() => Promise<Reply>)[] = [];
      const renamed = (step: number): Promise<Reply> => sent[step]?.() ?? Promise.reject(new Error('Nothing was sent'));
      const steps = await atEachStep(
        async (step) => {
          const { contractorId } = await givenPlacement(service, await tokenOf(licence), {
            ...body,
            contractor: `old${step}`,
          });
          const key = randomUUID();
          sent[step] = () =>
            sending(licence, 'PUT', `/contractors/${contractorId}`)({ adminUsername: `free${step}` }, key);
          return () => renamed(step);
        },
        async (step) => {
          service.advance(claimMs + 1);
          const nicks = [`free${step}`, `old${step}`];
          for (const nick of nicks) {
            const spellings = spellingsOf(nick);
            const next = await atOnce(3, (index) =>
              add({ ...body, contractor: spellings[(step + index) % spellings.length] }),
            );
            expect([nick, statuses(next)]).toEqual([nick, all(3, 200)]);
            expect(contractorsOf(next)).toEqual(new Set([await ownerOf(licence, nick)]));
          }
          expect([200, 409]).toContain((await renamed(step)).status);
          for (const nick of nicks) await ownerOf(licence, nick);
        },
      );
      expect(steps).toBeGreaterThan(3);
    });

    const person = (step: number) => ({ name: 'Олег', role: 'MEDIA_BUYER', password: `password-${step}` });
    const peopleWith = async (licence: GivenLicence, email: string): Promise<readonly string[]> =>
      [...(await statesOf(licence, employeeDecider))]
        .filter(([, state]) => state.isActive && emailKey(state.email) === email)
        .map(([id]) => id);

    test('CUT-4 an e-mail and a code: after 60 s at most they are one living person’s, who can sign in', async () => {
      const licence = await givenLicence(service, { maxConcurrentSessions: 1_000 });
      const create = sending(licence, 'POST', '/employees/create');
      const own = (step: number) => {
        const authCode = `CUT${step}${randomUUID().slice(0, 6)}`.toUpperCase();
        return { ...person(step), email: `Cut${step}@Example.com`, authCode };
      };
      const sent: { readonly key: string; readonly body: ReturnType<typeof own> }[] = [];
      const steps = await atEachStep(
        async (step) => {
          const one = { key: randomUUID(), body: own(step) };
          sent[step] = one;
          return () => create(one.body, one.key);
        },
        async (step) => {
          const { body, key } = sent[step] ?? { body: own(step), key: '' };
          const taken = [
            { ...body, email: `other${step}@example.com` },
            { ...body, email: `cut${step}@example.com`, authCode: undefined },
          ];
          const early = await atOnce(6, (index) => create({ ...body, email: spelled(body.email, index) }));
          for (const { status } of early) expect([200, 409]).toContain(status);
          expect(early.filter(({ status }) => status === 200).length).toBeLessThan(2);
          service.advance(claimMs + 1);
          const late = await atOnce(6, (index) => create({ ...body, email: spelled(body.email, index) }));
          for (const { status } of late) expect([200, 409]).toContain(status);
          const won = [...early, ...late].filter(({ status }) => status === 200);
          expect(won.length).toBeLessThan(2);
          const again = await create(body, key);
          const [id, ...others] = await peopleWith(licence, emailKey(body.email));
          expect([step, others]).toEqual([step, []]);
          expect(
            [...won, again].filter(({ status }) => status === 200).map((reply) => reply.body.data.user.id),
          ).toEqual([id]);
          expect(await holderOf({ category: 'email', licenceId: licence.id, value: emailKey(body.email) })).toBe(id);
          expect(await holderOf({ category: 'chosencode', value: body.authCode })).toBe(id);
          for (const other of taken) expect((await create(other)).status).toBe(409);
          const login = { authCode: body.authCode, password: body.password };
          const signedIn = await service.call('POST', '/auth/employee-login', login);
          expect([step, signedIn.status]).toEqual([step, 200]);
          expect(signedIn.body.data.user.id).toBe(id);
        },
      );
      expect(steps).toBeGreaterThan(3);
    });

    test('CUT-5 a person who leaves frees e-mail and code, or stays and keeps them; sent again, they are free', async () => {
      const licence = await givenLicence(service, { maxConcurrentSessions: 1_000 });
      const create = sending(licence, 'POST', '/employees/create');
      const steps = await atEachStep(
        async (step) => {
          const email = `left${step}@example.com`;
          const { user } = (await create({ ...person(step), email })).body.data;
          return () => sending(licence, 'DELETE', `/users/${user.id}`)({});
        },
        async (step) => {
          const email = `left${step}@example.com`;
          for (const id of await peopleWith(licence, email)) {
            const reply = await sending(licence, 'DELETE', `/users/${id}`)({});
            expect([step, reply.status]).toEqual([step, 200]);
          }
          service.advance(claimMs + 1);
          const next = await atOnce(4, (index) => create({ ...person(step), email: spelled(email, index) }));
          expect([step, statuses(next)]).toEqual([step, [200, 409, 409, 409]]);
          expect(await peopleWith(licence, email)).toEqual([
            next.find(({ status }) => status === 200)?.body.data.user.id,
          ]);
        },
      );
      expect(steps).toBeGreaterThan(3);
    });
  });
};

const spelled = (email: string, index: number): string =>
  [email, email.toUpperCase(), ` ${email.toLowerCase()} `][index % 3] ?? email;
