import { randomUUID } from 'node:crypto';
import { serverNames } from '@zakup/event-store/eventstoredb/names';
import { describe, expect, test } from 'vitest';
import { appended, freshLicence, idsOf, idsOfWrites, threeWrites } from './eventstoredb-events.ts';
import { sharedServer } from './eventstoredb-shared.ts';

const { kind, typesIn, installation } = await sharedServer();

describe(`commands and keys (${kind})`, () => {
  test('EDB-3 of twenty repeats at once of one command over three streams one is made, the others know it', async () => {
    const { open, now } = await installation();
    const stores = await Promise.all([open(), open(), open()]);
    const [store] = stores;
    const { writes, commandKey, licenceId } = await threeWrites(store);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (stores[index % 3] ?? store).append(writes, { commandKey })),
    );
    const kinds = results.map((result) => result.kind);
    expect(kinds.filter((one) => one === 'appended')).toHaveLength(1);
    expect(kinds.filter((one) => one === 'command_known')).toHaveLength(19);
    expect(idsOf(await store.readCommand(commandKey))).toEqual(idsOfWrites(writes));
    expect(idsOf(await store.readLicence(licenceId, { after: now })).slice(1)).toEqual(idsOfWrites(writes));
    for (const { stream, events } of writes) {
      expect(idsOf(await store.read(stream)).slice(-events.length)).toEqual(idsOf(events));
    }
  });

  test('EDB-4 a key that was used on another stream is known', async () => {
    const { open, now } = await installation();
    const store = await open();
    const { stream, write, licenceId } = freshLicence();
    const commandKey = randomUUID();
    const first = appended(await store.append([write(stream())], { commandKey }));
    const known = { kind: 'command_known', commandKey };
    expect(await store.append([write(stream())], { commandKey })).toEqual(known);
    expect(await store.append([write(stream()), write(stream())], { commandKey })).toEqual(known);
    expect(await store.readLicence(licenceId, { after: now })).toMatchObject(first.events);
  });

  test('EDB-9 a plan that no append of the server can hold has several parts, and so has a write', async () => {
    const { open, now, namespace } = await installation();
    const store = await open();
    const { stream, event, licenceId } = freshLicence();
    const large = (count: number) =>
      Array.from({ length: count }, (_, index) => event('Large', { index, text: 'ж'.repeat(20_000) })) as [
        ReturnType<typeof event>,
        ...ReturnType<typeof event>[],
      ];
    const writes = [
      { stream: stream(), expectedRevision: 'no_stream', events: large(60) },
      { stream: stream(), expectedRevision: 'no_stream', events: large(10) },
    ] as const;
    const commandKey = randomUUID();
    const done = appended(await store.append(writes, { commandKey }));
    expect(done.revisions).toEqual([59, 9]);
    expect(idsOf(done.events)).toEqual(idsOfWrites(writes));
    expect(await store.readCommand(commandKey)).toMatchObject(done.events);
    expect(await store.append(writes, { commandKey })).toEqual({ kind: 'command_known', commandKey });
    const names = serverNames(namespace);
    const plan = await typesIn(names.onServer(names.command(`key ${commandKey}`)));
    expect(plan.slice(-3)).toEqual(['CommandPlanned', 'CommandPlanned', 'CommandPlanned']);
    const alone = { stream: stream(), expectedRevision: 'no_stream', events: large(60) } as const;
    expect(appended(await store.append([alone])).revisions).toEqual([59]);
    expect(appended(await store.append([alone])).revisions).toEqual([59]);
    expect(await store.readLicence(licenceId, { after: now })).toHaveLength(130);
  });
});
