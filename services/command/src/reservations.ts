import type { Rejection } from '@zakup/domain/decider';
import type { Holder } from '@zakup/domain/reservation/events';
import { reservationDecider } from '@zakup/domain/reservation/reservation.decider';
import { reservationStream } from '@zakup/domain/reservation/reservation-stream';
import type { DecisionSession } from './decision-session.ts';
import { valueHash } from './ids.ts';

/** A value that only one holder may have, in its canonical spelling: within a licence, or everywhere. */
export type ReservedValue =
  | { readonly category: 'nick' | 'email'; readonly licenceId: string; readonly value: string }
  | { readonly category: 'authcode' | 'licencekey'; readonly value: string };

const deciders = {
  nick: reservationDecider('nick'),
  email: reservationDecider('email'),
  authcode: reservationDecider('authcode'),
  licencekey: reservationDecider('licencekey'),
} as const;

export const streamOfValue = (reserved: ReservedValue): string =>
  'licenceId' in reserved
    ? reservationStream(reserved.category, reserved.licenceId, valueHash(reserved.value))
    : reservationStream(reserved.category, null, valueHash(reserved.value));

/** Who holds the value; null = nobody. */
export const holderOf = async (session: DecisionSession, reserved: ReservedValue): Promise<Holder | null> =>
  (await session.loadStream(deciders[reserved.category], streamOfValue(reserved))).state?.holder ?? null;

/** Claims the value at its stream's present revision; the rejection when another holds it. */
export const claim = (session: DecisionSession, reserved: ReservedValue, holder: Holder): Promise<Rejection | null> =>
  decideOn(session, reserved, { type: 'ClaimValue', holder });

/** Frees the value if this holder has it. */
export const release = (session: DecisionSession, reserved: ReservedValue, holder: Holder): Promise<Rejection | null> =>
  decideOn(session, reserved, { type: 'ReleaseValue', holder });

const decideOn = async (
  session: DecisionSession,
  reserved: ReservedValue,
  command: { readonly type: 'ClaimValue' | 'ReleaseValue'; readonly holder: Holder },
): Promise<Rejection | null> => {
  const decider = deciders[reserved.category];
  const stream = streamOfValue(reserved);
  const { state } = await session.loadStream(decider, stream);
  const decision = decider.decide(command, state, { holderIsDead: false });
  if (decision.kind === 'rejected') return decision.rejection;
  session.emitTo(decider, stream, decision.events);
  return null;
};
