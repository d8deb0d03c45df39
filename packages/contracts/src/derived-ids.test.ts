import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { commandKeyOf, derivedId } from './derived-ids.ts';

const commandId = '8f0e3a52-7a0c-4d0f-9a5e-2c1b7a9d4e10';

describe('ids of what commands make', () => {
  it('MID-1 are the first 24 hex digits of SHA-256 over person, command and purpose, for ever', () => {
    const key = commandKeyOf('0a1b2c3d4e5f60718293a4b5', commandId);
    const digest = createHash('sha256').update(`0a1b2c3d4e5f60718293a4b5/${commandId}/placement`).digest('hex');
    expect(derivedId(key, 'placement')).toBe(digest.slice(0, 24));
    expect(derivedId(key, 'placement')).toBe('6bce6d081044af60bbfb54f6');
  });

  it('MID-2 differ by person, by command and by purpose', () => {
    const ids = ['a', 'b'].flatMap((person) =>
      [commandId, commandId.replace('8f', '8e')].flatMap((id) =>
        ['placement', 'placement/0', 'contractor'].map((purpose) => derivedId(commandKeyOf(person, id), purpose)),
      ),
    );
    expect(new Set(ids).size).toBe(12);
  });
});
