import { describe, expect, it } from 'vitest';
import { accept, reject } from '../decider.ts';
import { messages } from '../messages.ts';
import { given } from '../testing/given.ts';
import type { ReservationEvent } from './events.ts';
import { reservationDecider } from './reservation.decider.ts';
import { reservationStream } from './reservation-stream.ts';

const reservation = given(reservationDecider('nick'));
const first = { licenceId: '3f1', id: 'k-1' };
const second = { licenceId: '3f1', id: 'k-2' };
const claimed = (holder: typeof first): ReservationEvent => ({ type: 'ValueClaimed', data: { holder } });
const released = (holder: typeof first): ReservationEvent => ({ type: 'ValueReleased', data: { holder } });
const claim = (holder: typeof first) => ({ type: 'ClaimValue', holder }) as const;
const alive = { holderIsDead: false };

describe('reservation', () => {
  it('RSV-1 is claimed when free or released', () => {
    expect(reservation().when(claim(first), alive)).toEqual(accept(claimed(first)));
    expect(reservation(claimed(first), released(first)).when(claim(second), alive)).toEqual(accept(claimed(second)));
  });

  it('RSV-2 claimed again by its holder appends nothing', () => {
    expect(reservation(claimed(first)).when(claim(first), alive)).toEqual(accept());
  });

  it('RSV-3 held by another is refused, telling nothing of the holder', () => {
    expect(reservation(claimed(first)).when(claim(second), alive)).toEqual(reject('DUPLICATE', messages.valueTaken));
    const otherTeam = { ...first, licenceId: '4a2' };
    expect(reservation(claimed(first)).when(claim(otherTeam), alive).kind).toBe('rejected');
  });

  it('RSV-4 of a dead holder is taken over', () => {
    expect(reservation(claimed(first)).when(claim(second), { holderIsDead: true })).toEqual(
      accept(released(first), claimed(second)),
    );
  });

  it('RSV-5 is released by its holder only', () => {
    const release = { type: 'ReleaseValue', holder: second } as const;
    expect(reservation(claimed(first)).when(release, alive)).toEqual(accept());
    expect(reservation(claimed(second)).when(release, alive)).toEqual(accept(released(second)));
  });

  it('RSV-1260 a chosen code is held once in each licence, whoever has it elsewhere', () => {
    const chosen = given(reservationDecider('chosencode'));
    const elsewhere = { licenceId: '4a2', id: 'k-9' };
    const history = [claimed(elsewhere), claimed(first)];
    expect(chosen(claimed(elsewhere)).when(claim(first), alive)).toEqual(accept(claimed(first)));
    expect(chosen(...history).when(claim(second), alive)).toEqual(reject('DUPLICATE', messages.valueTaken));
    expect(chosen(...history).when(claim(second), { holderIsDead: true })).toEqual(
      accept(released(first), claimed(second)),
    );
    expect(chosen(...history, released(first)).when(claim(second), alive)).toEqual(accept(claimed(second)));
    expect(chosen(...history).when({ type: 'ReleaseValue', holder: elsewhere }, alive)).toEqual(
      accept(released(elsewhere)),
    );
  });

  it('RSV-6 streams belong to the licence, or to a partition of the hash', () => {
    expect(reservationStream('nick', '3f1', 'abcd')).toBe('nick-3f1~abcd');
    expect(reservationStream('email', '3f1', 'abcd')).toBe('email-3f1~abcd');
    expect(reservationStream('authcode', null, 'abcd')).toBe('authcode-ab~abcd');
    expect(reservationStream('chosencode', null, 'abcd')).toBe('chosencode-ab~abcd');
    expect(reservationStream('licencekey', null, 'abcd')).toBe('licencekey-ab~abcd');
  });
});
