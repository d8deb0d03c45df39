import { randomUUID } from 'node:crypto';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import type { Placement } from '@zakup/domain/placement/state';
import { EventStoreUnavailable, type StreamWrite } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { array, assert, asyncProperty, constantFrom, nat, record, uniqueArray } from 'fast-check';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { foldStream } from '../pipeline/stream-cache.ts';
import { commandService } from '../testing/command-service.ts';
import { givenBuying, givenPlacement } from '../testing/given.ts';
import { nonAtomicEventStore } from '../testing/non-atomic-event-store.ts';

const rowCount = 5;

/** A team with some placements, on a log that writes one stream after the other. */
const world = async () => {
  const store: { now?: ReturnType<typeof nonAtomicEventStore> } = {};
  const service = await commandService(undefined, (clock) => {
    store.now = nonAtomicEventStore(inMemoryEventStore({ clock }));
    return store.now;
  });
  onTestFinished(() => service.close());
  const log = store.now;
  if (log === undefined) throw new Error('The service has opened no log');
  const { licence, buyer, campaign, body } = await givenBuying(service);
  const { token } = buyer;
  const ids: string[] = [];
  for (let row = 0; row < rowCount; row += 1)
    ids.push((await givenPlacement(service, token, { ...body, contractor: `nick${row}` })).id);
  const stream = (id: string): string => `placement-${licence.id}~${id}`;
  const state = async (id: string): Promise<Placement | null> =>
    foldStream(placementDecider, await log.read(stream(id))).state;
  const contractors = async () => {
    const events = await log.readLicence(licence.id);
    const streams = new Set(events.map((event) => event.stream).filter((name) => name.startsWith('contractor-')));
    return Promise.all([...streams].map(async (name) => foldStream(contractorDecider, await log.read(name)).state));
  };
  return {
    service,
    log,
    licence,
    buyer,
    campaign,
    body,
    ids,
    contractors,
    rows: () => Promise.all(ids.map(state)),
    send: (method: string, path: string, given?: unknown, key: string = randomUUID()) =>
      service.call(method, path, given, { token, key }),
    /** At its n-th write an append loses its place once, after something else was done. */
    losesAt(n: number, meanwhile: (write: StreamWrite) => Promise<unknown> = async () => undefined): void {
      let count = -1;
      log.meanwhile = async (write) => {
        count += 1;
        if (count !== n) return undefined;
        log.meanwhile = null;
        await meanwhile(write);
        return 'lost';
      };
    },
    /** Commands of the test's own, which nothing befalls. */
    complete: async () => {
      const reply = await service.call('POST', `/campaigns/${campaign.id}/complete`, {}, { token: licence.owner });
      expect(reply.status).toBe(200);
    },
  };
};

type World = Awaited<ReturnType<typeof world>>;
const idOf = (write: StreamWrite): string => write.stream.slice(write.stream.indexOf('~') + 1);
const priced =
  ({ send }: World, price: number) =>
  async (write: StreamWrite): Promise<void> => {
    expect((await send('PATCH', `/placements/${idOf(write)}`, { price })).status).toBe(200);
  };
const toggles = ({ ids }: World, more: object = {}) => ({
  items: ids.map((placementId) => ({ op: 'payment', placementId })),
  ...more,
});
const each = Array.from({ length: rowCount }, (_, index) => index);

describe('a command that loses a race between two streams', () => {
  test.each(each)('RDC-1 %i: a batch of toggles toggles each row once, and answers alike when repeated', async (n) => {
    const w = await world();
    w.losesAt(n, priced(w, 777));
    const key = randomUUID();
    const reply = await w.send('POST', '/placements/batch', toggles(w), key);
    expect(reply.status).toBe(200);
    const rows = await w.rows();
    expect(rows.map((row) => row?.paymentStatus)).toEqual(each.map(() => 'paid'));
    expect(rows[n]?.price).toBe(777_00);
    expect(reply.body.data.results.map(({ placement }) => placement?.paymentStatus)).toEqual(each.map(() => 'paid'));
    w.service.forget();
    const again = await w.send('POST', '/placements/batch', toggles(w), key);
    expect(again.body).toEqual(reply.body);
    expect(await w.rows()).toEqual(rows);
  });

  test.each(each)('RDC-2 %i: what was seen does not conflict with the command’s own events', async (n) => {
    const w = await world();
    const items = w.ids.map((placementId) => ({ op: 'change', placementId, price: 500, baseRevision: 0 }));
    w.losesAt(n, (write) => w.send('PATCH', `/placements/${idOf(write)}`, { leads: 7 }));
    expect((await w.send('POST', '/placements/batch', { items })).status).toBe(200);
    const rows = await w.rows();
    expect(rows.map((row) => row?.price)).toEqual(each.map(() => 500_00));
    expect(rows[n]?.leads).toBe(7);
  });

  test.each(each)(
    'RDC-3 %i: a batch that comes to conflict with somebody leaves nothing, also not of its repeat',
    async (n) => {
      const w = await world();
      const before = await w.rows();
      const items = w.ids.map((placementId) => ({ op: 'change', placementId, price: 500, baseRevision: 0 }));
      w.losesAt(n, priced(w, 777));
      const key = randomUUID();
      for (let send = 0; send < 2; send += 1) {
        const reply = await w.send('POST', '/placements/batch', { items }, key);
        expect([reply.status, reply.body.code]).toEqual([409, 'CONFLICT']);
        // To its repeat, what was taken back has changed since, too.
        expect(reply.body.index).toBe(send === 0 ? n : 0);
        const rows = await w.rows();
        expect(rows).toEqual(before.map((row, index) => (index === n && row ? { ...row, price: 777_00 } : row)));
      }
      const events = await w.log.readLicence(w.licence.id);
      const undoing = events.filter(({ metadata }) => metadata.source === 'undo');
      expect(undoing).toHaveLength(n);
      expect(await w.log.readCommand(`${w.buyer.id}/${key}`)).toEqual([]);
    },
  );

  test.each(each)(
    'RDC-4 %i: a batch of deletes deletes each row, and is taken back where its campaign is closed',
    async (n) => {
      const w = await world();
      const items = w.ids.map((placementId) => ({ op: 'delete', placementId }));
      w.losesAt(n, async (write) => {
        await priced(w, 777)(write);
        await w.complete();
      });
      const refused = await w.send('POST', '/placements/batch', { items });
      expect([refused.status, refused.body.code]).toEqual([409, 'CAMPAIGN_COMPLETED']);
      expect((await w.rows()).map((row) => row?.removed)).toEqual(each.map(() => false));
      await w.service.call('POST', `/campaigns/${w.campaign.id}/reopen`, {}, { token: w.licence.owner });
      w.losesAt(n, priced(w, 778));
      expect((await w.send('POST', '/placements/batch', { items })).status).toBe(200);
      expect((await w.rows()).map((row) => row?.removed)).toEqual(each.map(() => true));
    },
  );

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
    'RDC-5 %i: new rows with new nicks are added once, or taken away again',
    async (n) => {
      const w = await world();
      const items = ['new1', 'new2', 'new3'].map((contractor) => ({ op: 'add', ...w.body, contractor }));
      const added = async () => {
        const events = await w.log.readLicence(w.licence.id);
        const names = new Set(events.filter(({ type }) => type === 'PlacementAdded').map((event) => event.stream));
        const all = await Promise.all(
          [...names].map(async (name) => foldStream(placementDecider, await w.log.read(name)).state),
        );
        return all.filter((row) => row?.removed === false);
      };
      w.losesAt(n, () => w.complete());
      const refused = await w.send('POST', '/placements/batch', { items });
      expect([refused.status, refused.body.code]).toEqual([409, 'CAMPAIGN_COMPLETED']);
      expect(await added()).toHaveLength(rowCount);
      await w.service.call('POST', `/campaigns/${w.campaign.id}/reopen`, {}, { token: w.licence.owner });
      w.losesAt(n);
      const reply = await w.send('POST', '/placements/batch', { items });
      expect(reply.status).toBe(200);
      expect(await added()).toHaveLength(rowCount + 3);
      const nicks = (await w.contractors()).map((contractor) => contractor?.nick);
      expect(new Set(nicks)).toEqual(new Set(['new1', 'new2', 'new3', ...each.map((index) => `nick${index}`)]));
      expect(nicks).toHaveLength(rowCount + 3);
    },
  );

  test.each(each)('RDC-6 %i: an undo brings everything back, and an undo of that too', async (n) => {
    const w = await world();
    const [first, second] = [randomUUID(), randomUUID()];
    await w.send('POST', '/placements/batch', toggles(w), first);
    w.losesAt(n, priced(w, 777));
    expect((await w.send('POST', '/undo', { commandId: first }, second)).status).toBe(200);
    expect((await w.rows()).map((row) => row?.paymentStatus)).toEqual(each.map(() => 'unpaid'));
    w.losesAt(n, priced(w, 778));
    expect((await w.send('POST', '/undo', { commandId: second })).status).toBe(200);
    expect((await w.rows()).map((row) => row?.paymentStatus)).toEqual(each.map(() => 'paid'));
  });

  test.each([0, 1, 2])('RDC-7 %i: a contractor is renamed once, and both nicks are whose they are then', async (n) => {
    const w = await world();
    const [id] = (await w.rows()).map((row) => row?.contractorId ?? '');
    const rename = (adminUsername: string) =>
      w.service.call('PUT', `/contractors/${id}`, { adminUsername }, { token: w.licence.owner });
    w.losesAt(n, () =>
      w.service.call('PUT', `/contractors/${id}`, { channelName: 'Другое' }, { token: w.licence.owner }),
    );
    expect((await rename('renamed')).status).toBe(200);
    const found = async (contractor: string) =>
      (await givenPlacement(w.service, w.buyer.token, { ...w.body, contractor })).contractorId;
    expect(await found('renamed')).toBe(id);
    expect(await found('nick0')).not.toBe(id);
    w.losesAt(n, async () => {
      if (n === 0) await givenPlacement(w.service, w.buyer.token, { ...w.body, contractor: 'wanted' });
    });
    expect((await rename('wanted')).status).toBe(n === 0 ? 409 : 200);
    expect(await found(n === 0 ? 'renamed' : 'wanted')).toBe(id);
  });

  test.each([0, 1, 2])(
    'RDC-8 %i: an employee is made once, with an e-mail and a code that nobody else gets',
    async (n) => {
      const w = await world();
      const body = { name: 'Олег', role: 'MEDIA_BUYER', email: 'oleg@example.com', password: 'person-password' };
      const create = (key: string) =>
        w.service.call('POST', '/employees/create', body, { token: w.licence.owner, key });
      w.losesAt(n);
      const reply = await create(randomUUID());
      expect(reply.status).toBe(200);
      const { authCode } = reply.body.data;
      const login = await w.service.call('POST', '/auth/employee-login', { authCode, password: body.password });
      expect(login.status).toBe(200);
      expect((await create(randomUUID())).status).toBe(409);
    },
  );

  test.each(each)('RDC-9 %i: a process that ends after a lost race leaves what its repeat goes on with', async (n) => {
    const w = await world();
    const key = randomUUID();
    const dies = (meanwhile: (write: StreamWrite) => Promise<unknown>) =>
      w.losesAt(n, async (write) => {
        await meanwhile(write);
        throw new EventStoreUnavailable('The process has ended');
      });
    dies(priced(w, 777));
    expect((await w.send('POST', '/placements/batch', toggles(w), key)).status).toBe(503);
    expect((await w.rows()).filter((row) => row?.paymentStatus === 'paid')).toHaveLength(n);
    expect((await w.send('POST', '/placements/batch', toggles(w), key)).status).toBe(200);
    expect((await w.rows()).map((row) => row?.paymentStatus)).toEqual(each.map(() => 'paid'));

    const refused = randomUUID();
    dies(async (write) => {
      await priced(w, 778)(write);
      await w.complete();
    });
    expect((await w.send('POST', '/placements/batch', toggles(w), refused)).status).toBe(503);
    // The second thing that is taken back is cut off as well.
    w.losesAt(1, async () => {
      throw new EventStoreUnavailable('The process has ended');
    });
    const statuses: number[] = [];
    for (let send = 0; send < 3; send += 1)
      statuses.push((await w.send('POST', '/placements/batch', toggles(w), refused)).status);
    expect(statuses.at(-1)).toBe(409);
    expect((await w.rows()).map((row) => row?.paymentStatus)).toEqual(each.map(() => 'paid'));
  });

  test('RDC-10 what another one changed since is not taken back with the rest', async () => {
    const w = await world();
    const [first = ''] = w.ids;
    const items = w.ids.map((placementId) => ({ op: 'change', placementId, price: 500, leads: 5 }));
    w.losesAt(3, async (write) => {
      await w.send('PATCH', `/placements/${first}`, { price: 900 });
      await priced(w, 777)(write);
      await w.complete();
    });
    expect((await w.send('POST', '/placements/batch', { items })).status).toBe(409);
    const rows = await w.rows();
    expect(rows.map((row) => row?.price)).toEqual([900_00, 100_00, 100_00, 777_00, 100_00]);
    expect(new Set(rows.map((row) => row?.leads)).size).toBe(1);
  });

  test('RDC-11 the key of something else does not get what the first one left', async () => {
    const w = await world();
    const key = randomUUID();
    w.losesAt(2, async () => {
      throw new EventStoreUnavailable('The process has ended');
    });
    expect((await w.send('POST', '/placements/batch', toggles(w), key)).status).toBe(503);
    expect((await w.send('POST', '/channels', { name: 'Другое' }, key)).status).not.toBe(503);
    expect((await w.rows()).map((row) => row?.paymentStatus)).toEqual(each.map(() => 'unpaid'));
  });

  test('RDC-12 whatever races befall them, acknowledged batches are there once and refused ones not at all', async () => {
    const step = record({
      rows: uniqueArray(nat(rowCount - 1), { minLength: 1 }),
      kind: constantFrom('toggle', 'price', 'priceSeen'),
      // Per write of the command and its retries: nothing, a lost place, a change of the row, one of another row, or the end of the process.
      races: array(constantFrom('none', 'none', 'lost', 'price', 'other', 'dies'), { maxLength: 12 }),
    });
    await assert(
      asyncProperty(array(step, { maxLength: 6 }), async (steps) => {
        const w = await world();
        const paid = w.ids.map(() => false);
        let price = 1000;
        for (const { rows, kind, races } of steps) {
          const seen = await Promise.all(
            rows.map(async (row) => (await w.log.read(`placement-${w.licence.id}~${w.ids[row]}`)).length - 1),
          );
          price += 1;
          const wanted = price;
          const items = rows.map((row, index) =>
            kind === 'toggle'
              ? { op: 'payment', placementId: w.ids[row] }
              : {
                  op: 'change',
                  placementId: w.ids[row],
                  price: wanted,
                  ...(kind === 'priceSeen' && { baseRevision: seen[index] }),
                },
          );
          const left = [...races];
          const meanwhile: typeof w.log.meanwhile = async (write) => {
            const race = left.shift() ?? 'none';
            if (race === 'none') return undefined;
            if (race === 'dies') throw new EventStoreUnavailable('The process has ended');
            w.log.meanwhile = null;
            price += 1;
            if (race === 'price') await priced(w, price)(write);
            if (race === 'other') await w.send('PATCH', `/placements/${w.ids[0]}`, { price });
            w.log.meanwhile = meanwhile;
            return race === 'other' ? undefined : 'lost';
          };
          const key = randomUUID();
          w.log.meanwhile = meanwhile;
          let reply = await w.send('POST', '/placements/batch', { items }, key);
          while (reply.status === 503) reply = await w.send('POST', '/placements/batch', { items }, key);
          w.log.meanwhile = null;
          expect([200, 409]).toContain(reply.status);
          const done = reply.status === 200;
          if (kind === 'toggle' && done) for (const row of rows) paid[row] = !paid[row];
          const states = await w.rows();
          expect(states.map((state) => state?.paymentStatus === 'paid')).toEqual(paid);
          const visible = states.filter((state) => state?.price === wanted * 100).length;
          expect(done || visible === 0).toBe(true);
          const events = await w.log.readCommand(`${w.buyer.id}/${key}`);
          expect(new Set(events.map(({ stream }) => stream)).size).toBe(done ? rows.length : 0);
        }
        await w.service.close();
      }),
      { numRuns: inject('isDeep') ? 25 : 6 },
    );
  });
});

describe('a command that is sent twice at once', () => {
  test('RDC-1022 a deletion is answered alike, when the first send appends while the second decides', async () => {
    const key = randomUUID();
    const meanwhile: { append: (() => Promise<unknown>) | null; known: (() => Promise<unknown>) | null } = {
      append: null,
      known: null,
    };
    const once = async (what: keyof typeof meanwhile): Promise<void> => {
      const { [what]: step } = meanwhile;
      meanwhile[what] = null;
      await step?.();
    };
    const service = await commandService(undefined, (clock) => {
      const store = inMemoryEventStore({ clock });
      return {
        ...store,
        append: async (...writes) => {
          await once('append');
          return store.append(...writes);
        },
        readCommand: async (commandKey) => {
          const known = await store.readCommand(commandKey);
          await once('known');
          return known;
        },
      };
    });
    onTestFinished(() => service.close());
    const { buyer, body } = await givenBuying(service);
    const { token } = buyer;
    const { id } = await givenPlacement(service, token, body);
    const send = () => service.call('DELETE', `/placements/${id}`, undefined, { token, key });
    let first: Awaited<ReturnType<typeof send>> | undefined;
    // The second send loses a race, and has just seen that nobody had carried the command out when the first one is.
    meanwhile.append = async () => {
      await service.call('PATCH', `/placements/${id}`, { leads: 7 }, { token, key: randomUUID() });
      meanwhile.known = async () => {
        first = await send();
      };
    };
    const second = await send();
    expect(first?.status).toBe(200);
    expect(second.body).toEqual(first?.body);
  });
});
