import { randomUUID } from 'node:crypto';
import type { EventStore, StreamWrite } from '@zakup/event-store/event-store';
import { describe, expect, test } from 'vitest';
import {
  appended,
  type Command,
  freshLicence,
  idsOf,
  idsOfWrites,
  threeWrites,
  type Writes,
} from './eventstoredb-events.ts';
import { standInWorld } from './eventstoredb-world.ts';

type World = Awaited<ReturnType<typeof standInWorld>>;
/** Appends before which the process can end: the plan and one writes; and after the last, before its answer. */
const steps = [
  'before the plan',
  'after the plan',
  'after the first write',
  'after the second write',
  'after the last',
];

/** The command's process ends before the step: what it was about to append never reaches the log. */
const cutOff = async (
  { faults, namespace, open }: World,
  { writes, commandKey }: Command,
  step: number,
): Promise<void> => {
  const process = await open();
  const streams = new RegExp(
    [`${namespace}_command-`, ...writes.map(({ stream }) => `${namespace}_${stream}$`)].join('|'),
  );
  const last = writes.at(-1)?.stream ?? '';
  const lost = step === 4 ? faults.loseAnswer(1, 'cut', new RegExp(`${last}$`)) : undefined;
  const pause = step === 4 ? undefined : faults.pauseAfter(step, streams);
  const outcome = process.append(writes, { commandKey }).then(
    () => 'answered',
    (error: Error) => error.name,
  );
  await (pause?.reached ?? lost);
  if (pause !== undefined) faults.drop();
  expect(await outcome).toBe('EventStoreUnavailable');
  pause?.release();
};

const expectOnce = async (store: EventStore, { writes, commandKey, licenceId }: Command) => {
  expect(idsOf(await store.readCommand(commandKey))).toEqual(idsOfWrites(writes));
  expect(idsOf(await store.readLicence(licenceId)).slice(1)).toEqual(idsOfWrites(writes));
  for (const { stream, events } of writes) {
    expect(idsOf(await store.read(stream)).slice(-events.length)).toEqual(idsOf(events));
  }
};

describe('commands as plans (stand-in)', () => {
  test.each([...steps.entries()])('EDB-1 %i: a command cut off %s is made once by its repeat', async (step) => {
    const world = await standInWorld();
    const store = await world.open();
    const command = await threeWrites(store);
    await cutOff(world, command, step);
    const repeat = await store.append(command.writes, { commandKey: command.commandKey });
    expect(repeat.kind).toBe(step === 0 ? 'appended' : 'command_known');
    await expectOnce(store, command);
  });

  test.each([...steps.entries()])('EDB-2 %i: a command cut off %s is made once by the finisher', async (step) => {
    const world = await standInWorld();
    const store = await world.open();
    const command = await threeWrites(store);
    await cutOff(world, command, step);
    const left: string[] = [];
    let tell: () => void = () => undefined;
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const finishing = await world.open({
      finishPlans: true,
      planPatience: 0,
      onLeftPlan: (what) => {
        left.push(what);
        tell();
      },
    });
    // Where nothing is left open, a later plan that is shows that the finisher has come past this one.
    const open = step === 0 || step === 4 ? await threeWrites(store) : command;
    if (open !== command) await cutOff(world, open, 2);
    await told;
    expect(left).toEqual(['finished']);
    await expectOnce(store, open);
    if (step > 0) await expectOnce(store, command);
    expect((await store.readCommand(command.commandKey)).length > 0).toBe(step > 0);
    await finishing.close();
  });
});

describe('commands and keys (stand-in)', () => {
  test('EDB-5 an answer that got lost is found by the repeat', async () => {
    const world = await standInWorld();
    const store = await world.open({ deadline: 400 });
    const { stream, write } = freshLicence();
    const [to, commandKey] = [stream(), randomUUID()];
    const writes: Writes = [write(to)];
    void world.faults.loseAnswer(1, 'silence', new RegExp(to));
    await expect(store.append(writes, { commandKey })).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
    expect(await store.append(writes, { commandKey })).toEqual({ kind: 'command_known', commandKey });
    expect(idsOf(await store.readCommand(commandKey))).toEqual(idsOfWrites(writes));
  });

  test('EDB-6 an append without a key whose answer got lost is the same append again', async () => {
    const world = await standInWorld();
    const store = await world.open({ deadline: 400 });
    const { stream, write, licenceId } = freshLicence();
    for (const writes of [[write(stream(), 'no_stream', 3)], [write(stream())]] as Writes[]) {
      void world.faults.loseAnswer(1, 'silence', new RegExp(writes[0].stream));
      await expect(store.append(writes)).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
      const again = appended(await store.append(writes));
      expect(await store.read(writes[0].stream)).toMatchObject(again.events);
    }
    expect(await store.readLicence(licenceId)).toHaveLength(4);
  });

  test('EDB-10 an append that the server does not know the end of is looked for where it belongs', async () => {
    const world = await standInWorld();
    const store = await world.open();
    const { stream, write } = freshLicence();
    const lost = write(stream(), 'no_stream', 3);
    void world.faults.loseAnswer(1, 'timeout', new RegExp(lost.stream));
    const made = appended(await store.append([lost]));
    expect(await store.read(lost.stream)).toMatchObject(made.events);
  });

  test.each([5, 60])('EDB-11 reads that show appends %i ms late: repeats at once are made once', async (late) => {
    const world = await standInWorld();
    const stores = await Promise.all([world.open(), world.open()]);
    const [store] = stores;
    world.standIn.log.lateIndex(late);
    const command = await threeWrites(store);
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (stores[index % 2] ?? store).append(command.writes, { commandKey: command.commandKey }),
      ),
    );
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['appended', ...Array(11).fill('command_known')]);
    await expectOnce(store, command);
  });

  test('EDB-12 reads that show appends late: whoever lost a place reads what took it', async () => {
    const world = await standInWorld();
    const store = await world.open();
    const { stream, write } = freshLicence();
    const to = stream();
    world.standIn.log.lateIndex(80);
    const shown = Promise.all(
      [write(to), write(to)].map(async (one) => `${(await store.append([one])).kind} ${await store.revision(to)}`),
    );
    expect(new Set(await shown)).toEqual(new Set(['appended 0', 'wrong_revision 0']));
  });

  test('EDB-13 the same events written twice at once are kept waiting by the server, and made once', async () => {
    const world = await standInWorld();
    const [store, other] = await Promise.all([world.open(), world.open()]);
    const { stream, write } = freshLicence();
    const one = write(stream(), 'no_stream', 2);
    world.standIn.log.lateIndex(50);
    const [first, second] = await Promise.all([store.append([one]), other.append([one])]);
    expect(appended(first).revisions).toEqual([1]);
    expect(appended(second).revisions).toEqual([1]);
    expect(idsOf(await store.read(one.stream))).toEqual(idsOfWrites([one]));
  });

  test('EDB-7 a command that lost a stream on the way is decided anew, and its parts are read as one', async () => {
    const world = await standInWorld();
    const store = await world.open();
    const other = await world.open();
    const { stream, write, licenceId } = freshLicence();
    const [one, two, key] = [stream(), stream('contractor'), randomUUID()];
    await store.append([write(two)]);
    const held = world.faults.pauseAfter(1, new RegExp(`${one}|command-`));
    const begun = write(one);
    const losing = store.append([begun, write(two, 0)], { commandKey: key });
    await held.reached;
    await other.append([write(two, 0)]);
    held.release();
    expect(await losing).toEqual({ kind: 'wrong_revision', stream: two, actual: 1 });
    expect(await store.readCommand(key)).toEqual([]);
    expect(await store.revision(one)).toBe(0);
    const partial = await store.unfinished?.findPartial(key);
    expect(partial?.events).toMatchObject([{ stream: one, revision: 0, id: begun.events[0].id }]);
    await other.append([write(one, 0)]);
    const anew = [begun, write(two, 1)] as const;
    const planToken = partial?.planToken ?? 0;
    const unknown = { kind: 'command_partial', commandKey: key };
    expect(await other.append([write(one, 1), write(two, 1)], { commandKey: key })).toEqual(unknown);
    expect(await other.append(anew, { commandKey: key, planToken: planToken + 1 })).toEqual(unknown);
    expect((await store.append(anew, { commandKey: key, planToken })).kind).toBe('appended');
    expect((await store.readCommand(key)).map((event) => event.stream)).toEqual([one, two]);
    expect(await store.append(anew, { commandKey: key })).toEqual({ kind: 'command_known', commandKey: key });
    expect(await store.unfinished?.abandon(key, planToken)).toBe(false);
    expect(await store.readLicence(licenceId)).toHaveLength(5);
  });

  test('RDC-21 what is given up is nobody’s any more, whoever was about to go on with it', async () => {
    const world = await standInWorld();
    const store = await world.open();
    const other = await world.open();
    const { stream, write } = freshLicence();
    const [one, two, key] = [stream(), stream('contractor'), randomUUID()];
    await store.append([write(two)]);
    const held = world.faults.pauseAfter(1, new RegExp(`${one}|command-`));
    const begun = write(one);
    const losing = store.append([begun, write(two, 0)], { commandKey: key });
    await held.reached;
    await other.append([write(two, 0)]);
    held.release();
    await losing;
    const partial = await store.unfinished?.findPartial(key);
    const planToken = partial?.planToken ?? 0;
    expect(await other.unfinished?.abandon(key, planToken)).toBe(true);
    expect(await store.unfinished?.abandon(key, planToken)).toBe(false);
    const anew = [begun, write(two, 1)] as const;
    const unknown = { kind: 'command_partial', commandKey: key };
    expect(await store.append(anew, { commandKey: key, planToken })).toEqual(unknown);
    const after = await store.unfinished?.findPartial(key);
    expect(after).toMatchObject({ events: [], abandoned: partial?.events });
    const last = [write(one, 0), write(two, 1)] as const;
    expect((await store.append(last, { commandKey: key, planToken: after?.planToken ?? 0 })).kind).toBe('appended');
    expect(idsOf(await other.readCommand(key))).toEqual(idsOfWrites(last));
  });

  test('RDC-22 a plan that can never be settled is passed over, and the next one is finished', async () => {
    const world = await standInWorld();
    const store = await world.open();
    const damaged = await threeWrites(store);
    await cutOff(world, damaged, 3);
    // One that nobody has read yet: the stand-in damages no copies.
    const second = damaged.writes[1]?.stream ?? '';
    const event = world.standIn.log.events.findLast(({ stream }) => stream.endsWith(second));
    const bytes = event?.data ?? new Uint8Array();
    bytes[12] = (bytes[12] ?? 0) ^ 1;
    await expect(store.read(second)).rejects.toMatchObject({ name: 'CorruptEvent' });
    const whole = await threeWrites(store);
    await cutOff(world, whole, 2);
    const left: string[] = [];
    const warned: string[] = [];
    let tell: () => void = () => undefined;
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const finishing = await world.open({
      finishPlans: true,
      planPatience: 0,
      log: { info: () => undefined, warn: (_about, text) => void warned.push(text) },
      onLeftPlan: (what) => {
        left.push(what);
        if (what === 'finished') tell();
      },
    });
    await told;
    expect(left).toEqual(['lost', 'finished']);
    expect(warned).toContain('An unfinished command that cannot be looked after is passed over');
    await expectOnce(store, whole);
    await finishing.close();
  });

  test('EDB-8 three finishers at once finish a plan once, and leave one that has lost its place', async () => {
    const world = await standInWorld();
    const store = await world.open();
    const whole = await threeWrites(store);
    await cutOff(world, whole, 2);
    const losing = await threeWrites(store);
    await cutOff(world, losing, 2);
    const { write } = freshLicence();
    const taken = losing.writes[1] as StreamWrite;
    await store.append([write(taken.stream, 0)]);
    const left: string[] = [];
    let tell: () => void = () => undefined;
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const finishing = await Promise.all(
      [1, 2, 3].map(() =>
        world.open({
          finishPlans: true,
          planPatience: 0,
          onLeftPlan: (what) => {
            left.push(what);
            if (left.filter((each) => each === 'lost').length === 3) tell();
          },
        }),
      ),
    );
    await told;
    await expectOnce(store, whole);
    expect(await store.readCommand(losing.commandKey)).toEqual([]);
    expect(idsOf(await store.readLicence(losing.licenceId))).not.toContain(losing.writes[2]?.events[0].id);
    await Promise.all(finishing.map((each) => each.close()));
  });
});
