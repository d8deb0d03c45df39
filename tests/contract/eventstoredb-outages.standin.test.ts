import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore } from '@zakup/event-store/event-store';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startEventStoreDbStandIn } from '../support/eventstoredb-standin/stand-in.ts';
import { followed, freshLicence, idsOf } from './eventstoredb-events.ts';
import { standInWorld } from './eventstoredb-world.ts';
import { scheduledTime } from '@zakup/service-kit/testing/scheduled-time';

const unavailable = { name: 'EventStoreUnavailable' };

/** Asks until the store answers again; how it is asked must not matter. */
const untilAnswered = <Result>(ask: () => Promise<Result>): Promise<Result> =>
  vi.waitFor(ask, { timeout: 30_000, interval: 10 });

/** Appends 40 events one after the other, each until it is acknowledged. */
const appendThrough = async (store: EventStore, to: string, licence: ReturnType<typeof freshLicence>) => {
  const acknowledged: string[] = [];
  for (let revision = 0; revision < 40; revision += 1) {
    const write = licence.write(to, revision === 0 ? 'no_stream' : revision - 1);
    const result = await untilAnswered(() => store.append([write]));
    expect(result.kind).toBe('appended');
    acknowledged.push(write.events[0].id);
  }
  return acknowledged;
};

describe('EventStoreDB goes away and comes back (stand-in)', () => {
  test('EDB-20 away at opening it is told with its cause, and waited for if it comes in time', async () => {
    const { faults, open, standIn } = await standInWorld();
    await faults.away();
    const refused = open({ openWithin: 200 });
    await expect(refused).rejects.toMatchObject({ ...unavailable, cause: { type: 'unavailable' } });
    await expect(refused).rejects.toThrow(`127.0.0.1:${standIn.port}`);
    const waiting = open({ openWithin: 20_000 });
    await expect(open({ openWithin: 0 })).rejects.toMatchObject(unavailable);
    await faults.back();
    const { stream, write } = freshLicence();
    expect((await (await waiting).append([write(stream())])).kind).toBe('appended');
  });

  test('EDB-22 while it refuses or is gone nothing is acknowledged; afterwards the same store goes on', async () => {
    const { faults, open } = await standInWorld();
    const store = await open();
    const { stream, write, licenceId } = freshLicence();
    const to = stream();
    for (const [stop, start] of [
      [() => faults.refuse(), () => faults.allow()],
      [() => faults.refuse('not-ready'), () => faults.allow()],
      [() => faults.away(), () => faults.back()],
    ] as const) {
      await stop();
      await expect(store.append([write(to, 'any')])).rejects.toMatchObject(unavailable);
      await expect(store.append([write(to, 'any')], { commandKey: randomUUID() })).rejects.toMatchObject(unavailable);
      await expect(store.read(to)).rejects.toMatchObject(unavailable);
      await expect(store.readLicence(licenceId)).rejects.toMatchObject(unavailable);
      await start();
      expect((await untilAnswered(() => store.append([write(to, 'any')]))).kind).toBe('appended');
    }
    expect(await store.readLicence(licenceId)).toHaveLength(3);
  });

  test('EDB-23 a call without an answer ends at its deadline', async () => {
    const { faults, open } = await standInWorld();
    const store = await open({ deadline: 150 });
    const { stream, write } = freshLicence();
    faults.delay(60_000);
    const began = scheduledTime();
    const calls = [
      store.append([write(stream())]),
      store.read(stream()),
      store.head(),
      store.readLicence('00'),
      store.readCommand('x'),
    ];
    // Together: whichever ends first must not end before anybody listens.
    const ends = { ...unavailable, cause: { name: 'NoAnswer' } };
    await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(ends)));
    expect(began.stop()).toBeLessThan(3000);
    faults.allow();
    expect((await untilAnswered(() => store.append([write(stream())]))).kind).toBe('appended');
  });

  test('EDB-24 a slow server is only slow', async () => {
    const { faults, open } = await standInWorld();
    const store = await open();
    const { stream, write, licenceId } = freshLicence();
    faults.delay(20);
    const to = stream();
    await store.append([write(to)], { commandKey: randomUUID() });
    await store.append([write(to, 0), write(stream())]);
    expect(await store.readLicence(licenceId)).toHaveLength(3);
    expect(await followed(store, { after: 0 }, (_, message) => message.kind === 'caught_up')).toHaveLength(3);
  });

  test.each(['drop', 'reset', 'restart'] as const)(
    'EDB-25 %s again and again with appends under way: every acknowledged event is there once, followers miss none',
    async (how) => {
      const { faults, open } = await standInWorld();
      const store = await open();
      const licence = freshLicence();
      const streams = Array.from({ length: 8 }, () => licence.stream());
      const following = followed(store, { after: 0, maxBatch: 5 }, (events) => events.length === 320);
      let drops = 0;
      const disturb = async () => {
        drops += 1;
        if (how === 'drop') faults.drop();
        else if (how === 'reset') faults.reset(0);
        else await faults.restart();
      };
      // Every so many events seen, so that it happens in the middle of things.
      const disturbing = followed(store, { after: 0, maxBatch: 7 }, (events, message) => {
        if (message.kind === 'events' && events.length >= drops * 60 + 30) void disturb();
        return events.length === 320;
      });
      const acknowledged = await Promise.all(streams.map((to) => appendThrough(store, to, licence)));
      const events = await following;
      await disturbing;
      expect(drops).toBeGreaterThan(3);
      expect(new Set(idsOf(events)).size).toBe(320);
      expect(events).toEqual(await untilAnswered(() => store.readLicence(licence.licenceId)));
      for (const [index, to] of streams.entries()) {
        expect(idsOf(await untilAnswered(() => store.read(to)))).toEqual(acknowledged[index]);
      }
    },
  );

  test('EDB-26 sixty-four appends at once to a server that is gone end without ending the process', async () => {
    const { faults, open } = await standInWorld();
    // It is gone at once, and takes its time to answer so many once it is back.
    const store = await open({ deadline: 30_000 });
    const { stream, write, licenceId } = freshLicence();
    const round = () =>
      Promise.allSettled(Array.from({ length: 64 }, () => store.append([write(stream(), 'no_stream', 20)])));
    faults.delay(30);
    const first = round();
    const second = round();
    faults.drop();
    await faults.away();
    const gone = await round();
    expect(gone.every(({ status }) => status === 'rejected')).toBe(true);
    await Promise.all([first, second]);
    faults.allow();
    await faults.back();
    await untilAnswered(() => store.append([write(stream())]));
    expect((await round()).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect((await store.readLicence(licenceId)).length).toBeGreaterThanOrEqual(64 * 20 + 1);
  });

  test('EDB-27 wrong credentials are told apart from an outage, right ones go over TLS', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zakup-tls-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    execFileSync(
      'openssl',
      `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${certificate}`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    );
    const standIn = await startEventStoreDbStandIn({
      credentials: { username: 'zakup', password: 'right:and/proper' },
      tls: { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') },
    });
    onTestFinished(() => standIn.stop());
    const url = (user: string, password: string) =>
      `esdb://${user}:${encodeURIComponent(password)}@localhost:${standIn.port}?tls=true&tlsCAFile=${encodeURIComponent(certificate)}`;
    const wrong = eventStoreDbEventStore({ url: url('zakup', 'wrong'), openWithin: 5000 });
    await expect(wrong).rejects.toMatchObject({ name: 'EventStoreAccessDenied' });
    await expect(wrong).rejects.not.toThrow(/wrong/);
    await expect(
      eventStoreDbEventStore({ url: `esdb://localhost:${standIn.port}?tls=true`, openWithin: 0 }),
    ).rejects.toMatchObject(unavailable);
    const store = await eventStoreDbEventStore({ url: url('zakup', 'right:and/proper') });
    const { stream, write, licenceId } = freshLicence();
    await store.append([write(stream())], { commandKey: randomUUID() });
    expect(await store.readLicence(licenceId)).toHaveLength(1);
    await store.close();
  });
});
