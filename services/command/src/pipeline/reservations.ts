import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import { holdsNick } from '@zakup/domain/contractor/nicks';
import type { CodeCipher } from '@zakup/credentials/code-cipher';
import type { Rejection } from '@zakup/domain/decider';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { messages } from '@zakup/domain/messages';
import type { Holder } from '@zakup/domain/reservation/events';
import { claimInTheWay, reservationDecider } from '@zakup/domain/reservation/reservation.decider';
import { reservationStream } from '@zakup/domain/reservation/reservation-stream';
import type { DecisionSession } from './decision-session.ts';
import { streamOf, valueHash } from './ids.ts';

/** A value that only one holder may have, in its canonical spelling: within a licence, or everywhere. A chosen code has one in each licence. */
export type ReservedValue =
  | { readonly category: 'nick' | 'email'; readonly licenceId: string; readonly value: string }
  | { readonly category: 'authcode' | 'chosencode' | 'licencekey'; readonly value: string };

/** Milliseconds after which a claim whose holder does not have the value is dead: whoever made it has given up. */
const claimMs = 60_000;

const deciders = {
  nick: reservationDecider('nick'),
  email: reservationDecider('email'),
  authcode: reservationDecider('authcode'),
  chosencode: reservationDecider('chosencode'),
  licencekey: reservationDecider('licencekey'),
} as const;

/** The canonical spelling of an e-mail. */
export const emailKey = (email: string): string => email.trim().toLowerCase();

/** The stream of a value; that of a code or key is named after a hash that needs the log's key, so that nobody guesses a short one from it. */
export const streamOfValue = (codes: CodeCipher, reserved: ReservedValue): string =>
  'licenceId' in reserved
    ? reservationStream(reserved.category, reserved.licenceId, valueHash(reserved.value))
    : reservationStream(reserved.category, null, codes.hash(reserved.value).slice(0, 40));

/** Every stream where the value may be held: what was claimed before codes were hidden stays where it is, the one for new claims is last. */
export const streamsOfValue = (codes: CodeCipher, reserved: ReservedValue): readonly string[] => {
  const now = streamOfValue(codes, reserved);
  if ('licenceId' in reserved) return [now];
  return [...new Set([reservationStream(reserved.category, null, valueHash(reserved.value)), now])];
};

/** Who holds the value, whoever has it longest first. */
const holdersOf = async (session: DecisionSession, reserved: ReservedValue): Promise<readonly Holder[]> => {
  const holders: Holder[] = [];
  for (const stream of streamsOfValue(session.codes, reserved)) {
    const { state } = await session.loadStream(deciders[reserved.category], stream);
    holders.push(...(state?.claims ?? []).map(({ holder }) => holder));
  }
  return holders;
};

/** Who holds a value that one holder has; null = nobody. */
export const holderOf = async (
  session: DecisionSession,
  reserved: Exclude<ReservedValue, { readonly category: 'chosencode' }>,
): Promise<Holder | null> => (await holdersOf(session, reserved))[0] ?? null;

/** Claims the value at its stream's present revision; the rejection when another holds it who has it, or may yet get it. */
export const claim = async (
  session: DecisionSession,
  reserved: ReservedValue,
  holder: Holder,
): Promise<Rejection | null> => {
  const command = { type: 'ClaimValue', holder } as const;
  const now = streamOfValue(session.codes, reserved);
  for (const stream of streamsOfValue(session.codes, reserved)) {
    const { state } = await session.loadStream(deciders[reserved.category], stream);
    // Who takes over from a dead holder does it where that one's claim is: nobody stands in two streams.
    if (stream !== now && claimInTheWay(reserved.category, state, holder) !== null)
      return decideOn(session, reserved, stream, command);
  }
  return decideOn(session, reserved, now, command);
};

/**
 * Claims an access code: one that was made here is one person's everywhere, one that somebody chose one person's in their licence. Who has
 * it in another licence is not even asked, so that no answer tells of it (AUTH-37).
 */
export const claimCode = async (
  session: DecisionSession,
  { value, chosen }: { readonly value: string; readonly chosen: boolean },
  holder: Holder,
): Promise<Rejection | null> => {
  if (!chosen) return claim(session, { category: 'authcode', value }, holder);
  const made = { category: 'authcode', value } as const;
  const colleague = await holderOf(session, made);
  const isTaken = colleague?.licenceId === holder.licenceId && colleague.id !== holder.id;
  if (isTaken && (await hasValue(session, made, colleague))) return { code: 'DUPLICATE', message: messages.valueTaken };
  return claim(session, { category: 'chosencode', value }, holder);
};

/** Frees an access code of either kind if this holder has it. */
export const releaseCode = async (session: DecisionSession, value: string, holder: Holder): Promise<void> => {
  await release(session, { category: 'authcode', value }, holder);
  await release(session, { category: 'chosencode', value }, holder);
};

/** Frees the value if this holder has it. */
export const release = async (session: DecisionSession, reserved: ReservedValue, holder: Holder): Promise<void> => {
  for (const stream of streamsOfValue(session.codes, reserved))
    await decideOn(session, reserved, stream, { type: 'ReleaseValue', holder });
};

const decideOn = async (
  session: DecisionSession,
  reserved: ReservedValue,
  stream: string,
  command: { readonly type: 'ClaimValue' | 'ReleaseValue'; readonly holder: Holder },
): Promise<Rejection | null> => {
  const decider = deciders[reserved.category];
  const { state } = await session.loadStream(decider, stream);
  let decision = decider.decide(command, state, { holderIsDead: false });
  const other = claimInTheWay(reserved.category, state, command.holder);
  // Looked at only where it matters: its stream becomes a precondition.
  if (decision.kind === 'rejected' && other !== null) {
    const left = Date.parse(session.at) - Date.parse(other.claimedAt) > claimMs;
    const holderIsDead = left && !(await hasValue(session, reserved, other.holder));
    // Whoever claimed it may have ended before the holder was made, and others may yet make it.
    if (holderIsDead) await session.settle(stream);
    decision = decider.decide(command, state, { holderIsDead });
  }
  if (decision.kind === 'rejected') return decision.rejection;
  session.emitTo(decider, stream, decision.events);
  return null;
};

/** Whether the holder exists and has the value: a claim without that was left behind, or is about to be followed by it. */
const hasValue = async (
  session: DecisionSession,
  { category, value }: ReservedValue,
  { licenceId, id }: Holder,
): Promise<boolean> => {
  switch (category) {
    case 'nick': {
      const { state } = await session.loadStream(contractorDecider, streamOf('contractor', licenceId, id));
      return state !== null && holdsNick(state, value);
    }
    case 'email': {
      const { state } = await session.loadStream(employeeDecider, streamOf('employee', licenceId, id));
      return state !== null && state.isActive && emailKey(state.email) === value;
    }
    case 'authcode':
    case 'chosencode': {
      const { state } = await session.loadStream(employeeDecider, streamOf('employee', licenceId, id));
      return state !== null && state.isActive && state.authCode === value;
    }
    case 'licencekey': {
      const { state } = await session.loadStream(licenceDecider, streamOf('licence', licenceId, id));
      return state !== null && state.licenseKey === value;
    }
  }
};
