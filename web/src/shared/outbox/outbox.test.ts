import { commandKeyOf, derivedId } from '@zakup/contracts/derived-ids';
import { describe, expect, it } from 'vitest';
import { memoryReplica } from '../replica/replica.ts';
import { type CommandDraft, type Entry, isHeld } from './entry.ts';
import { memoryEntryStore } from './entry-store.ts';
import { firstRetry } from './entry-sender.ts';
import { openOutbox, type Outbox, type OutboxDeps, unsentCount } from './outbox.ts';
import type { TabChannel, TabMessage } from './tab-channel.ts';
import type { SendResult, Transport } from './transport.ts';

/** A server of the test's own: keeps what it got and answers when told to. */
const scripted = () => {
  const waiting: { entry: Entry; answer: (result: SendResult) => void }[] = [];
  const sent: Entry[] = [];
  const arrivals: (() => void)[] = [];
  const transport: Transport = {
    send: (entry) =>
      new Promise((answer) => {
        sent.push(entry);
        waiting.push({ entry, answer });
        arrivals.shift()?.();
      }),
  };
  return {
    transport,
    sent,
    /** Waits until something is on its way, then answers it. */
    answer: async (result: SendResult): Promise<Entry> => {
      if (waiting.length === 0) await new Promise<void>((resolve) => arrivals.push(resolve));
      const first = waiting.shift();
      if (!first) throw new Error('nothing was sent');
      first.answer(result);
      return first.entry;
    },
    idle: () => waiting.length === 0,
  };
};

const handClock = () => {
  const timers: { run: () => void; ms: number }[] = [];
  return {
    timers,
    clock: {
      now: () => 1000,
      setTimeout: (run: () => void, ms: number) => {
        const timer = { run, ms };
        timers.push(timer);
        return timer;
      },
      clearTimeout: (handle: unknown) => {
        const at = timers.findIndex((timer) => timer === handle);
        if (at >= 0) timers.splice(at, 1);
      },
    },
    ring: () => timers.shift()?.run(),
  };
};

const setUp = async (
  more: {
    store?: ReturnType<typeof memoryEntryStore>;
    tabs?: TabChannel | null;
    leads?: boolean;
    refusal?: OutboxDeps['refusal'];
  } = {},
) => {
  const server = scripted();
  const time = handClock();
  const replica = memoryReplica();
  const store = more.store ?? memoryEntryStore();
  let id = 0;
  const outbox = await openOutbox({
    personId: 'anna',
    store,
    transport: server.transport,
    replica,
    ...(more.refusal && { refusal: more.refusal }),
    newId: () => {
      id += 1;
      return `command-${id}`;
    },
    clock: time.clock,
    chance: () => 1,
    tabs: more.tabs ?? null,
    election: (lead) => {
      if (more.leads !== false) lead();
      return () => undefined;
    },
  });
  return { server, time, replica, store, outbox };
};

const edit = (field: string, value: unknown, baseRevision = 5, id = 'p1') => ({
  target: { kind: 'placement' as const, id },
  method: 'PATCH' as const,
  path: `/api/placements/${id}`,
  body: { [field]: value },
  baseRevision,
  label: field,
  scope: 'campaign:c',
});
const creation: CommandDraft = {
  ...edit('price', 1),
  target: { kind: 'placement', id: null },
  method: 'POST',
  path: '/api/placements',
  baseRevision: null,
};
/** Id of what the command makes that is issued first. */
const madeFirst = derivedId(commandKeyOf('anna', 'command-1'), 'placement');
const accepted = (position: number, revision: number): SendResult => ({ kind: 'accepted', position, revision });

/** Resolves at the next moment when `met` holds. */
const until = (outbox: Outbox, met: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    if (met()) return resolve();
    const stop = outbox.subscribe(() => {
      if (!met()) return;
      stop();
      resolve();
    });
  });
const states = (outbox: Outbox): readonly string[] => outbox.entries().map((entry) => entry.state.kind);

/** Tabs of one browser, by name: each hears what the others post. */
const tabs = (): ((name: string) => TabChannel) => {
  const listeners = new Map<string, (message: TabMessage) => void>();
  return (name) => ({
    post: (message) => {
      for (const [other, listener] of listeners) if (other !== name) listener(message);
    },
    listen: (listener) => {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
  });
};

describe('outbox', () => {
  it('OB-1 shows a command at once and keeps it until the position comes back', async () => {
    const { server, replica, outbox, store } = await setUp();
    outbox.issue(edit('price', 5400));
    expect(outbox.entriesOf('placement', 'p1').map((entry) => entry.body)).toEqual([{ price: 5400 }]);
    await server.answer(accepted(9, 6));
    await until(outbox, () => states(outbox).includes('acknowledged'));
    expect(await store.load()).toEqual([]);
    const doc = { kind: 'placement', id: 'p1', doc: { id: 'p1' } } as const;
    replica.apply({ scope: 'campaign:c', position: 8, docs: [{ ...doc, position: 8 }], last: true });
    expect(states(outbox)).toEqual(['acknowledged']);
    replica.apply({ scope: 'campaign:c', position: 9, docs: [{ ...doc, position: 9 }], last: true });
    expect(outbox.entries()).toEqual([]);
  });

  it('OB-2500 what the server has undone is foretold no more, until that is undone, too', async () => {
    const { server, outbox } = await setUp();
    const foretold = (): readonly string[] => outbox.entriesOf('placement', 'p1').map(({ id }) => id);
    const undo = (commandId: string): string =>
      outbox.issue({
        ...edit('commandId', commandId),
        method: 'POST',
        path: '/api/undo',
        baseRevision: null,
        gives: {},
      });
    const change = outbox.issue(edit('price', 5400));
    await server.answer(accepted(9, 6));
    const back = undo(change);
    expect(foretold(), 'nobody has undone it yet').toEqual([change, back]);
    await server.answer(accepted(10, 7));
    await until(outbox, () => foretold().length === 1);
    expect(foretold()).toEqual([back]);
    const again = undo(back);
    await server.answer(accepted(11, 8));
    await until(outbox, () => foretold()[0] === change);
    expect(foretold()).toEqual([change, again]);
  });

  it('OB-2 sends in order per entity, different entities side by side', async () => {
    const { server, outbox } = await setUp();
    outbox.issue(edit('price', 1));
    outbox.issue(edit('leads', 2));
    outbox.issue(edit('price', 3, 5, 'p2'));
    const first = await server.answer(accepted(9, 6));
    const second = await server.answer(accepted(10, 6));
    const third = await server.answer(accepted(11, 7));
    expect([first, second, third].map((entry) => [entry.target.id, entry.body])).toEqual([
      ['p1', { price: 1 }],
      ['p2', { price: 3 }],
      ['p1', { leads: 2 }],
    ]);
  });

  it('OB-3 a line that fails keeps the entry and sends the same id again after a growing wait', async () => {
    const { server, time, outbox } = await setUp();
    const id = outbox.issue(edit('price', 1));
    await server.answer({ kind: 'later', retryAfterSeconds: null });
    await until(outbox, () => server.idle());
    await Promise.resolve();
    expect(time.timers.map((timer) => timer.ms)).toEqual([firstRetry]);
    time.ring();
    await server.answer({ kind: 'later', retryAfterSeconds: 7 });
    await Promise.resolve();
    await Promise.resolve();
    expect(time.timers.map((timer) => timer.ms)).toEqual([7000]);
    expect(unsentCount(outbox.entries())).toBe(1);
    outbox.flush();
    await server.answer(accepted(9, 6));
    expect(server.sent.map((entry) => entry.id)).toEqual([id, id, id]);
  });

  it('OB-4 a refusal is marked with its reason, holds nothing back and can be dismissed or tried again', async () => {
    const { server, outbox } = await setUp();
    const id = outbox.issue(edit('price', 1));
    outbox.issue(edit('leads', 2));
    await server.answer({ kind: 'rejected', code: 'CAMPAIGN_COMPLETED', reason: 'Кампания завершена' });
    await server.answer(accepted(9, 6));
    await until(outbox, () => states(outbox).includes('acknowledged'));
    expect(outbox.entries()[0]?.state).toMatchObject({ kind: 'rejected', reason: 'Кампания завершена' });
    outbox.tryAgain(id);
    expect((await server.answer(accepted(10, 7))).id).not.toBe(id);
  });

  it('OB-5 a conflict waits; «Оставить моё» is a new command on the revision that was shown', async () => {
    const { server, outbox } = await setUp();
    const id = outbox.issue(edit('price', 5400));
    const conflict = {
      field: 'price',
      base: 5000,
      theirs: 5200,
      mine: 5400,
      by: { userId: 'u', name: 'Анна' },
      at: '2026-11-21T11:36:00.000Z',
    };
    await server.answer({ kind: 'conflict', conflicts: [conflict], revision: 8 });
    await until(outbox, () => states(outbox).includes('conflict'));
    outbox.issue(edit('leads', 3));
    await Promise.resolve();
    expect(server.sent).toHaveLength(1);
    outbox.keepMine(id);
    const sent = [await server.answer(accepted(12, 9)), await server.answer(accepted(13, 10))];
    const mine = sent.find((entry) => 'price' in entry.body);
    expect(mine).toMatchObject({ body: { price: 5400 }, baseRevision: 8 });
    expect(mine?.id).not.toBe(id);
  });

  it('OB-6 «Взять новое» sends nothing', async () => {
    const { server, outbox } = await setUp();
    const id = outbox.issue(edit('price', 5400));
    await server.answer({ kind: 'conflict', conflicts: [], revision: 8 });
    await until(outbox, () => states(outbox).includes('conflict'));
    outbox.takeTheirs(id);
    expect(outbox.entries()).toEqual([]);
    expect(server.sent).toHaveLength(1);
  });

  it('OB-7 an own earlier change of the same field is no conflict, one of another field moves no base', async () => {
    const { server, outbox } = await setUp();
    outbox.issue(edit('price', 1));
    outbox.issue(edit('price', 2));
    outbox.issue(edit('leads', 3));
    await server.answer(accepted(9, 7));
    expect((await server.answer(accepted(10, 8))).baseRevision).toBe(7);
    expect((await server.answer(accepted(11, 9))).baseRevision).toBe(5);
    outbox.issue(edit('price', 4));
    expect((await server.answer(accepted(12, 10))).baseRevision).toBe(8);
  });

  it('OB-8 what an earlier tab left behind is sent under its own id', async () => {
    const store = memoryEntryStore();
    const before = await setUp({ store });
    const id = before.outbox.issue(edit('price', 1));
    await before.server.answer({ kind: 'later', retryAfterSeconds: null });
    before.outbox.close();
    const after = await setUp({ store });
    expect((await after.server.answer(accepted(9, 6))).id).toBe(id);
  });

  it('OB-9 only the leading tab sends; the others show the same entries', async () => {
    const tab = tabs();
    const store = memoryEntryStore();
    const leader = await setUp({ store, tabs: tab('a') });
    const follower = await setUp({ store, tabs: tab('b'), leads: false });
    const id = follower.outbox.issue(edit('price', 1));
    expect((await leader.server.answer(accepted(9, 6))).id).toBe(id);
    await until(follower.outbox, () => states(follower.outbox).includes('acknowledged'));
    expect(follower.server.sent).toEqual([]);
  });

  it('OB-10 a new entity is drawn until its scope has passed the acknowledged position', async () => {
    const { server, replica, outbox } = await setUp();
    outbox.issue(creation);
    await server.answer(accepted(9, 0));
    await until(outbox, () => states(outbox).includes('acknowledged'));
    replica.apply({ scope: 'campaign:c', position: 9, docs: [], last: true });
    expect(outbox.entries()).toEqual([]);
  });

  it('OB-11 what could not be sent says so until it is saved, and so does all that waits behind it', async () => {
    const { server, time, outbox } = await setUp();
    const held = (): readonly boolean[] => outbox.entries().map(isHeld);
    outbox.issue(edit('price', 1));
    outbox.issue(edit('leads', 2));
    outbox.issue(edit('price', 3, 5, 'p2'));
    expect(held(), 'under way').toEqual([false, false, false]);
    await server.answer({ kind: 'later', retryAfterSeconds: null });
    await until(outbox, () => held()[0] === true);
    expect(held(), 'the other entity is still under way').toEqual([true, false, false]);
    await server.answer({ kind: 'later', retryAfterSeconds: null });
    await until(outbox, () => held().every(Boolean));
    outbox.issue(edit('price', 4, 5, 'p3'));
    await until(outbox, () => held().every(Boolean));
    expect(server.sent).toHaveLength(2);
    time.ring();
    const ids = outbox.entries().map(({ id }) => id);
    const again = [
      await server.answer(accepted(9, 6)),
      await server.answer(accepted(10, 6)),
      await server.answer(accepted(11, 6)),
      await server.answer(accepted(12, 7)),
    ];
    await until(outbox, () => states(outbox).every((state) => state === 'acknowledged'));
    expect(again.map(({ id }) => id).toSorted(), 'each under its own id, once').toEqual(ids.toSorted());
    expect(held()).toEqual([false, false, false, false]);
  });

  it('OB-12 what a person asks to send again goes at once under its own id, and so does what is refused then', async () => {
    const { server, time, outbox } = await setUp();
    const id = outbox.issue(edit('price', 1));
    await server.answer({ kind: 'later', retryAfterSeconds: 30 });
    await until(outbox, () => outbox.entries().every(isHeld));
    outbox.flush();
    expect(time.timers).toEqual([]);
    expect((await server.answer({ kind: 'rejected', code: 'CAMPAIGN_COMPLETED', reason: 'нет' })).id).toBe(id);
    await until(outbox, () => states(outbox).includes('rejected'));
    expect(outbox.entries().map(isHeld)).toEqual([false]);
  });

  it('OB-13 what was refused is forgotten once all its fields were set anew and saved, and not before', async () => {
    const { server, outbox } = await setUp();
    const refused = outbox.issue(edit('price', 200));
    await server.answer({ kind: 'rejected', code: 'INVALID', reason: 'нет' });
    outbox.issue(edit('leads', 3));
    await server.answer(accepted(9, 6));
    await until(outbox, () => states(outbox).includes('acknowledged'));
    expect(outbox.entries().map(({ id }) => id)).toContain(refused);
    outbox.issue(edit('price', 300));
    expect(outbox.entries().map(({ id }) => id)).toContain(refused);
    await server.answer(accepted(10, 7));
    await until(outbox, () => outbox.entries().every(({ id }) => id !== refused));
  });

  it('OB-14 asked in a tab that does not send, the one that does sends again at once', async () => {
    const tab = tabs();
    const store = memoryEntryStore();
    const leader = await setUp({ store, tabs: tab('a') });
    const follower = await setUp({ store, tabs: tab('b'), leads: false });
    const id = follower.outbox.issue(edit('price', 1));
    await leader.server.answer({ kind: 'later', retryAfterSeconds: 30 });
    await until(follower.outbox, () => follower.outbox.entries().every(isHeld));
    follower.outbox.flush();
    expect(leader.time.timers).toEqual([]);
    expect((await leader.server.answer(accepted(9, 6))).id).toBe(id);
    expect(follower.server.sent).toEqual([]);
  });

  it('OB-15 what is wrong in itself is refused at once, kept as it was typed, and never sent', async () => {
    const store = memoryEntryStore();
    const refusal = ({ body }: CommandDraft) =>
      body['price'] === -1 ? { code: 'VALIDATION_FAILED', reason: 'Некорректная цена' } : null;
    const { server, outbox } = await setUp({ store, refusal });
    const wrong = outbox.issue(edit('price', -1));
    expect(outbox.entries()[0]).toMatchObject({
      state: { kind: 'rejected', code: 'VALIDATION_FAILED', reason: 'Некорректная цена' },
      body: { price: -1 },
    });
    outbox.tryAgain(wrong);
    outbox.issue(edit('leads', 2));
    expect((await server.answer(accepted(9, 6))).body).toEqual({ leads: 2 });
    await until(outbox, () => states(outbox).includes('acknowledged'));
    expect(server.sent).toHaveLength(1);
    expect((await store.load()).map(({ body, state }) => [body, state.kind])).toEqual([[{ price: -1 }, 'rejected']]);
  });

  it('OB-16 what an earlier version of the app kept, with what it had predicted, is sent, and asked again without that', async () => {
    const store = memoryEntryStore();
    const kept = {
      ...edit('price', 1),
      predicted: { price: 1 },
      id: 'old',
      order: 1,
      issuedAt: 0,
      attempted: true,
      state: { kind: 'pending' },
    } satisfies Entry & { readonly predicted: object };
    await store.put(kept);
    const { server, outbox } = await setUp({ store });
    const sent = await server.answer({ kind: 'rejected', code: 'CAMPAIGN_COMPLETED', reason: 'нет' });
    expect(sent).toMatchObject({ id: 'old', body: { price: 1 } });
    await until(outbox, () => states(outbox).includes('rejected'));
    outbox.tryAgain('old');
    expect(outbox.entries().map((entry) => 'predicted' in entry)).toEqual([false]);
  });

  it('OB-17 what a command makes is named from its issue on, and settled by that name', async () => {
    const { server, replica, outbox } = await setUp();
    outbox.issue(creation);
    expect(outbox.entries()[0]?.target).toEqual({ kind: 'placement', id: madeFirst });
    await server.answer(accepted(9, 0));
    await until(outbox, () => states(outbox).includes('acknowledged'));
    const docs = [{ kind: 'placement' as const, id: madeFirst, position: 9, doc: null }];
    replica.apply({ scope: 'contractor:k', position: 9, docs, last: true });
    expect(outbox.entries()).toEqual([]);
  });

  it('OB-18 changes of what is not answered yet wait for the answer, and are told apart from what made it', async () => {
    const { server, outbox } = await setUp();
    outbox.issue(creation);
    outbox.issue(edit('leads', 3, 0, madeFirst));
    expect(outbox.entriesOf('placement', madeFirst).map(({ body }) => body)).toEqual([{ leads: 3 }]);
    expect((await server.answer(accepted(9, 0))).body).toEqual({ price: 1 });
    expect(server.sent).toHaveLength(1);
    expect((await server.answer(accepted(10, 1))).body).toEqual({ leads: 3 });
  });

  it('OB-19 a creation asked again makes one thing, also where it was carried out and answered with an error', async () => {
    const { server, replica, outbox } = await setUp();
    const id = outbox.issue(creation);
    await server.answer({ kind: 'rejected', code: 'INTERNAL', reason: 'сбой' });
    await until(outbox, () => states(outbox).includes('rejected'));
    const doc = { id: madeFirst, price: 1 } as never;
    const docs = [{ kind: 'placement' as const, id: madeFirst, position: 9, doc }];
    replica.apply({ scope: 'campaign:c', position: 9, docs, last: true });
    outbox.tryAgain(id);
    expect(await server.answer(accepted(9, 0))).toMatchObject({ id, target: { id: madeFirst }, creates: true });
    await until(outbox, () => outbox.entries().length === 0);
    expect(new Set(server.sent.map((entry) => entry.id))).toEqual(new Set([id]));
  });

  it('OB-21 a creation that is wrong in itself stays refused when it is asked again', async () => {
    const refusal = () => ({ code: 'VALIDATION_FAILED', reason: 'Некорректная цена' });
    const { server, outbox } = await setUp({ refusal });
    const id = outbox.issue(creation);
    await until(outbox, () => states(outbox).includes('rejected'));
    outbox.tryAgain(id);
    expect([states(outbox), server.sent]).toEqual([['rejected'], []]);
  });

  it('OB-20 a creation that an earlier version kept without a name gets the one that the server gives it', async () => {
    const old = { ...creation, id: 'old', order: 1, issuedAt: 0, attempted: true, state: { kind: 'pending' } } as const;
    const store = { ...memoryEntryStore(), load: async () => [old] };
    const { server, outbox } = await setUp({ store });
    const target = { kind: 'placement', id: derivedId(commandKeyOf('anna', 'old'), 'placement') };
    expect(outbox.entries()).toMatchObject([{ id: 'old', target, creates: true }]);
    expect((await server.answer(accepted(9, 0))).id).toBe('old');
    const tab = tabs();
    const follower = await setUp({ tabs: tab('b'), leads: false });
    tab('a').post({ type: 'put', entry: old });
    expect(follower.outbox.entries()).toMatchObject([{ id: 'old', target, creates: true }]);
  });

  it('OB-1060 what names or changes something that has yet to be made waits for it, and goes after it', async () => {
    const { server, outbox } = await setUp();
    const workspace = { baseRevision: null, label: '', scope: 'workspace' } as const;
    const made = outbox.issue({
      ...workspace,
      target: { kind: 'channel', id: null },
      method: 'POST',
      path: '/api/channels',
      body: { name: 'Дача' },
    });
    const channelId = derivedId(commandKeyOf('anna', made), 'channel');
    const inIt = outbox.issue({
      ...workspace,
      target: { kind: 'campaign', id: null },
      method: 'POST',
      path: '/api/campaigns/create-safe',
      body: { name: 'Рассада', channelId },
    });
    expect((await server.answer({ kind: 'rejected', code: 'DUPLICATE', reason: 'Уже есть' })).id).toBe(made);
    await until(outbox, () => states(outbox).includes('rejected'));
    expect([states(outbox), server.sent.map(({ id }) => id)]).toEqual([['rejected', 'pending'], [made]]);
    outbox.revise(made, { name: 'Дача и сад' });
    const again = await server.answer(accepted(9, 0));
    expect([again.id, again.target.id, again.body]).toEqual([made, channelId, { name: 'Дача и сад' }]);
    expect((await server.answer(accepted(10, 0))).id).toBe(inIt);
  });

  it('OB-1061 what was sent outside and not answered goes on under the id that it had, on what it stood on', async () => {
    const { server, outbox } = await setUp();
    const target = { kind: 'channel', id: 'ch' } as const;
    const call = { method: 'PUT', path: '/api/channels/ch', label: '', scope: 'workspace' } as const;
    const { id, goOn } = await outbox.reserve({ ...call, target, body: { name: 'Дача' }, baseRevision: 3 });
    expect([outbox.entries(), outbox.reserved()]).toEqual([[], 1]);
    goOn();
    expect(outbox.entries()).toMatchObject([{ id, attempted: true, state: { kind: 'pending', held: true } }]);
    expect(outbox.reserved()).toBe(0);
    expect(await server.answer(accepted(9, 4))).toMatchObject({ id, baseRevision: 3 });
  });
  it('OB-1200 what is sent outside is kept before that; the next tab sends it under its id, and nothing stays once it is answered', async () => {
    const { store, outbox, server } = await setUp();
    const target = { kind: 'channel', id: null } as const;
    const draft = { target, method: 'POST', path: '/api/channels', label: '', scope: 'workspace' } as const;
    const { id, answered } = await outbox.reserve({ ...draft, body: { name: 'Дача' }, baseRevision: null });
    expect(await store.load()).toMatchObject([{ id, creates: true, body: { name: 'Дача' } }]);
    const next = await setUp({ store });
    expect(await next.server.answer(accepted(9, 0))).toMatchObject({ id, creates: true });
    answered();
    expect([outbox.entries(), outbox.reserved(), server.sent]).toEqual([[], 0, []]);
    expect(await store.load()).toEqual([]);
  });
  it('OB-1201 a tab that becomes the one that sends does not send what its own form is sending', async () => {
    const store = memoryEntryStore();
    let lead = (): void => undefined;
    const server = scripted();
    const outbox = await openOutbox({
      personId: 'anna',
      store,
      transport: server.transport,
      replica: memoryReplica(),
      newId: () => 'command',
      clock: handClock().clock,
      chance: () => 1,
      tabs: null,
      election: (begin) => {
        lead = begin;
        return () => undefined;
      },
    });
    const { goOn } = await outbox.reserve({ ...edit('price', 1), baseRevision: 5 });
    lead();
    await store.load();
    await Promise.resolve();
    expect([outbox.entries(), server.sent]).toEqual([[], []]);
    goOn();
    expect((await server.answer(accepted(9, 6))).id).toBe('command');
  });
  it('OB-1202 a contested change sent anew is kept before the old one is let go', async () => {
    const done: string[] = [];
    const inner = memoryEntryStore();
    const store = {
      ...inner,
      put: (entry: Entry) => {
        done.push(`put ${entry.id} ${entry.state.kind}`);
        return inner.put(entry);
      },
      remove: (id: string) => {
        done.push(`remove ${id}`);
        return inner.remove(id);
      },
    };
    const { server, outbox } = await setUp({ store });
    const id = outbox.issue(edit('price', 1));
    await server.answer({ kind: 'conflict', conflicts: [], revision: 7 });
    await until(outbox, () => states(outbox).includes('conflict'));
    done.length = 0;
    outbox.keepMine(id);
    expect(done).toEqual(['put command-2 pending', 'remove command-1']);
    expect(await server.answer(accepted(9, 8))).toMatchObject({ id: 'command-2', baseRevision: 7 });
  });
});
