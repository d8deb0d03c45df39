import { createHash, createHmac } from 'node:crypto';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalText, type Json } from './canonical.ts';
import { chainOver, chainStart, eventHash, partHash, partHashes, partsOf, saltsOf } from './chain.ts';
import { licenceHistory, licenceOf } from './licence-history.ts';
import { isSignedBy, sealKeyOf } from './seal.ts';
import { firstInstant, otherKey, recordedEvent, sampleEvent, sealAfter, testKey, testSalt } from './testing/sealed.ts';

const shuffled = (value: Json): Json =>
  value === null || typeof value !== 'object'
    ? value
    : Array.isArray(value)
      ? (value as readonly Json[]).map(shuffled)
      : Object.fromEntries(
          Object.entries(value as { readonly [member: string]: Json })
            .toReversed()
            .map(([name, member]) => [name, shuffled(member)]),
        );

describe('canonical text', () => {
  test('SEAL-20 is the same however members are ordered, and reads back as the value', () => {
    assert(
      property(jsonValue(), (given) => {
        const value = JSON.parse(JSON.stringify(given)) as Json;
        expect(canonicalText(shuffled(value))).toBe(canonicalText(value));
        expect(JSON.parse(canonicalText(value))).toEqual(value);
      }),
    );
    expect(canonicalText({ б: [1, 1e21, -0, 'é"\n'], a: null, Z: undefined })).toBe(
      '{"a":null,"б":[1,1e+21,0,"é\\"\\n"]}',
    );
  });
});

describe('the chain', () => {
  test('SEAL-21 is what the reference says, byte by byte', () => {
    const event = recordedEvent('3f1', 1, { leads: 5 });
    const sha = (tag: number, ...parts: readonly (string | Buffer)[]): Buffer =>
      createHash('sha256')
        .update(Buffer.concat([Buffer.of(tag), ...parts.map((part) => Buffer.from(part as string))]))
        .digest();
    const id = event.id;
    const part = (name: string, value: string): string => {
      const salt = sha(5, createHmac('sha256', testSalt).update(id).digest(), name);
      return sha(0, salt, `["${name}",${value}]`).toString('hex');
    };
    const envelope = `{"actorId":"user-1","at":"2026-11-21T09:00:00.001Z","commandId":"${event.metadata.commandId}","id":"${id}","licenceId":"3f1","revision":0,"schemaVersion":1,"source":"screen","type":"PlacementLeadsRecorded"}`;
    const parts = {
      'data.leads': part('data.leads', '5'),
      envelope: part('envelope', envelope),
      requestHash: part('requestHash', `"${'ab'.repeat(32)}"`),
      stream: part('stream', '"placement-3f1~1"'),
    };
    const hash = sha(1, JSON.stringify(parts));
    const start = sha(3, '"3f1"');
    expect(partHashes(testSalt, event, 'zakup-seal-1')).toEqual(parts);
    expect(eventHash(partHashes(testSalt, event, 'zakup-seal-1'))).toBe(hash.toString('hex'));
    expect(chainStart('3f1')).toBe(start.toString('hex'));
    expect(chainOver(chainStart('3f1'), testSalt, [event], 'zakup-seal-1')).toBe(sha(2, start, hash).toString('hex'));
    // Of the second version.
    const recorded = part('recorded', `{"at":"${event.recordedAt}","position":1}`);
    expect(partHashes(testSalt, event)).toEqual({ ...parts, recorded });
  });

  test('SEAL-22 a part that is withheld leaves its hash, which cannot be guessed without the salt', () => {
    const event = recordedEvent('3f1', 1, { email: 'anna@example.com', name: 'Анна' });
    const whole = partHashes(testSalt, event);
    const shown = Object.fromEntries(
      Object.entries(partsOf(event))
        .filter(([name]) => name !== 'data.email')
        .map(([name, value]) => [name, partHash(saltsOf(testSalt, event.id)(name), name, value)]),
    );
    expect(eventHash({ ...shown, 'data.email': whole['data.email'] ?? '' })).toBe(eventHash(whole));
    const salts = Object.keys(partsOf(event)).map((name) => saltsOf(testSalt, event.id)(name).toString('hex'));
    expect(new Set(salts).size).toBe(salts.length);
    const again = recordedEvent('3f1', 2, { email: 'anna@example.com', name: 'Анна' });
    expect(partHashes(testSalt, again)['data.email']).not.toBe(whole['data.email']);
    for (const salt of [Buffer.alloc(0), Buffer.alloc(32), saltsOf(testSalt, event.id)('data.name')])
      expect(partHash(salt, 'data.email', 'anna@example.com')).not.toBe(whole['data.email']);
  });

  test('SEAL-23 any change of content, and any other order, is another chain', () => {
    const events = [1, 2, 3].map((number) => recordedEvent('3f1', number));
    const [first, second, third] = events;
    if (first === undefined || second === undefined || third === undefined) throw new Error('No events');
    const { metadata } = second;
    const changed = [
      { ...second, id: first.id.replace('4000', '4001') },
      { ...second, type: 'PlacementPriceChanged' },
      { ...second, revision: 5 },
      { ...second, stream: 'placement-3f1~2' },
      { ...second, data: { leads: 3 } },
      { ...second, data: { leads: 2, more: null } },
      { ...second, data: {} },
      ...Object.entries(metadata).map(([name, value]) => ({
        ...second,
        metadata: { ...metadata, [name]: typeof value === 'number' ? value + 1 : `${String(value)}x` },
      })),
      { ...second, metadata: { ...metadata, causedBy: 'x' } },
      { ...second, metadata: { ...metadata, reason: 'x' } },
    ];
    const chainOf = (all: readonly (typeof first)[]): string => chainOver(chainStart('3f1'), testSalt, all);
    const chains = [
      chainOf(events),
      ...changed.map((one) => chainOf([first, one, third])),
      chainOf([second, first, third]),
      chainOf([first, third]),
      chainOf([first, first, second, third]),
      chainOver(chainStart('3f2'), testSalt, events),
    ];
    expect(new Set(chains).size).toBe(chains.length);
    const elsewhere = events.map((event) => ({ ...event, position: 77, recordedAt: '2030-01-01T00:00:00.000Z' }));
    const before = (all: readonly (typeof first)[]): string =>
      chainOver(chainStart('3f1'), testSalt, all, 'zakup-seal-1');
    expect(before(elsewhere)).toBe(before(events));
  });

  test('SEAL-1320 another instant of the log, or another place in it, is another chain', () => {
    const events = [1, 2, 3].map((number) => recordedEvent('3f1', number));
    const chainOf = (change: object): string =>
      chainOver(
        chainStart('3f1'),
        testSalt,
        events.map((event, index) => (index === 1 ? { ...event, ...change } : event)),
      );
    const chains = [{}, { recordedAt: '2026-11-21T09:00:00.003Z' }, { position: 4 }].map(chainOf);
    expect(new Set(chains).size).toBe(3);
  });

  test('SEAL-24 events have the same chain of the first version in another store, whatever lies between them there', async () => {
    const [one, two] = [inMemoryEventStore({ clock: () => 1 }), inMemoryEventStore({ clock: () => firstInstant })];
    const put = (store: typeof one, licenceId: string, stream: string, ...numbers: readonly number[]) =>
      Promise.all(
        numbers.map((number) =>
          store.append([{ stream, expectedRevision: 'any', events: [sampleEvent(licenceId, number)] }]),
        ),
      );
    for (const number of [1, 2, 3, 4, 5]) {
      await put(one, '3f1', 'placement-3f1~1', number);
      await put(two, '4a1', 'placement-4a1~1', number + 50, number + 60);
      // Reserved everywhere: in nobody's history.
      await put(two, '3f1', 'authcode-77~77', number + 70);
      await put(two, '3f1', 'placement-3f1~1', number);
    }
    const chainIn = async (store: typeof one): Promise<string> => {
      let chain = chainStart('3f1');
      for await (const events of licenceHistory(store, '3f1', { page: 2 }))
        chain = chainOver(chain, testSalt, events, 'zakup-seal-1');
      return chain;
    };
    expect(await chainIn(two)).toBe(await chainIn(one));
    expect(await chainIn(one)).not.toBe(chainStart('3f1'));
    const global = { stream: 'licencekey-3f~3f', metadata: recordedEvent('3f1', 1).metadata };
    expect([licenceOf(recordedEvent('3f1', 1)), licenceOf(global)]).toEqual(['3f1', null]);
  });
});

describe('a seal', () => {
  test('SEAL-25 bears the signature of its key over every member, and of no other', () => {
    const { seal } = sealAfter(null, '3f1', 3);
    expect(isSignedBy(seal, testKey)).toBe(true);
    expect(isSignedBy(seal, otherKey)).toBe(false);
    expect(isSignedBy(seal, { ...testKey, publicKey: otherKey.publicKey })).toBe(false);
    const taken = Object.entries(seal).map(([name, value]) => {
      const changed = { ...seal, [name]: typeof value === 'number' ? value + 1 : `${value}0` };
      return { name, isSigned: isSignedBy(changed, testKey) };
    });
    expect(taken.filter(({ isSigned }) => isSigned)).toEqual([]);
    expect(taken.length).toBe(12);
  });

  test('SEAL-26 a key has 32 bytes, and a fingerprint of its public half', () => {
    expect(() => sealKeyOf('c2hvcnQ')).toThrow(RangeError);
    expect(testKey.fingerprint).toBe(
      createHash('sha256').update(Buffer.from(testKey.publicKey, 'base64url')).digest('hex'),
    );
    // RFC 8032, test 1.
    const known = sealKeyOf(
      Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex').toString('base64url'),
    );
    expect(Buffer.from(known.publicKey, 'base64url').toString('hex')).toBe(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    );
  });
});
