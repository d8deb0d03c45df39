import { describe, expect, it } from 'vitest';
import { messages } from '../messages.ts';
import { foldOf } from '../testing/given.ts';
import type { KeyEvent } from './events.ts';
import { isKeyInForce, keyActorName, keyIn, keysDecider, mostKeys } from './keys.decider.ts';

const now = '2030-01-01T00:00:00.000Z';
const created: KeyEvent = {
  type: 'KeyCreated',
  data: { keyId: 'k-1', name: 'Отчёты', access: 'read', expiresAt: '2030-02-01T00:00:00.000Z' },
};
const deleted: KeyEvent = { type: 'KeyDeleted', data: { keyId: 'k-1', name: 'Отчёты' } };

describe('keys of a licence', () => {
  it('KEY-2887 are made with a name, an access and an end in the future', () => {
    const command = {
      type: 'CreateKey',
      keyId: 'k-1',
      name: ' Отчёты ',
      access: 'read',
      expiresAt: null,
      now,
    } as const;
    const data = { keyId: 'k-1', name: 'Отчёты', access: 'read', expiresAt: null };
    expect(keysDecider.decide(command, null, {})).toEqual({ kind: 'accepted', events: [{ type: 'KeyCreated', data }] });
    const refused = (more: object) => {
      const decision = keysDecider.decide({ ...command, ...more }, null, {});
      return decision.kind === 'rejected' ? decision.rejection.message : null;
    };
    expect(refused({ name: ' ' })).toBe(messages.nameInvalid);
    expect(refused({ expiresAt: now })).toBe(messages.keyExpiryInvalid);
  });

  it('KEY-2888 are deleted once, and stay known by their names', () => {
    const { state } = foldOf(keysDecider, [created]);
    const command = { type: 'DeleteKey', keyId: 'k-1' } as const;
    expect(keysDecider.decide(command, state, {})).toEqual({ kind: 'accepted', events: [deleted] });
    const after = foldOf(keysDecider, [created, deleted]).state;
    expect(keysDecider.decide(command, after, {}).kind).toBe('rejected');
    expect(keyIn(after, 'k-1')).toMatchObject({ name: 'Отчёты', deleted: true });
    expect(keyActorName('Отчёты')).toBe('Ключ: Отчёты');
  });

  it('KEY-3361 there are 50 in force at most, so that what keys may change together has a bound; those that are over or deleted do not count', () => {
    const made = (count: number): readonly KeyEvent[] =>
      Array.from({ length: count }, (_, index) => ({
        type: 'KeyCreated',
        data: { keyId: `k-${index}`, name: 'Отчёты', access: 'write', expiresAt: null },
      }));
    const command = { type: 'CreateKey', keyId: 'k-new', name: 'Ещё', access: 'read', expiresAt: null, now } as const;
    const decided = (events: readonly KeyEvent[]) => keysDecider.decide(command, foldOf(keysDecider, events).state, {});
    expect(decided(made(mostKeys))).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'CONFLICT', message: messages.tooManyKeysMade },
    });
    expect(messages.tooManyKeysMade).toContain(String(mostKeys));
    const over: KeyEvent = { ...created, data: { ...created.data, expiresAt: now } };
    expect(decided([...made(mostKeys - 1), over, created, deleted]).kind).toBe('accepted');
  });

  it('KEY-2889 are in force until they are over, or deleted', () => {
    const key = keyIn(foldOf(keysDecider, [created]).state, 'k-1');
    const inForce = (at: string) => key !== null && isKeyInForce(key, Date.parse(at));
    expect([inForce(now), inForce('2030-01-31T23:59:59.999Z'), inForce('2030-02-01T00:00:00.000Z')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(key !== null && isKeyInForce({ ...key, deleted: true }, Date.parse(now))).toBe(false);
  });
});
