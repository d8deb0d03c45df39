import { setTimeout as after } from 'node:timers/promises';
import { parseMoment } from '@zakup/contracts/moment';
import { messages } from '@zakup/domain/messages';
import type { MomentAsked, Past } from '@zakup/projections/past/licence-fold';
import type { Request } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { limits } from '../http/limits/limits.ts';
import { type Asker, costOf, tooManyAtOnce } from '../http/limits/read-guard.ts';
import { Refused } from '../http/refused.ts';

/** Milliseconds after which nothing more is recorded at a time, should the log's clock go a little behind. */
const settling = 1_000;

export type PastMoment = Extract<Past, { kind: 'found' }>;

export type MomentFound =
  | (PastMoment & { readonly asked: MomentAsked })
  | { readonly kind: 'wrong'; readonly message: string }
  /** An event before it is not known to this version. */
  | { readonly kind: 'unfoldable' };

/** One that the licence has to be folded on to: it costs like a costly read, takes turns with these, and is folded once for all who ask for it at once. */
const coldMoment = async (
  { past, guard }: Pick<GatewayDeps, 'past' | 'guard'>,
  asker: Asker,
  asked: MomentAsked,
  signal: AbortSignal,
): Promise<Past> => {
  const { licenceId } = asker;
  const spent = guard.charge(asker, limits.coldCost, costOf('plain', true));
  if (spent !== null) throw new Refused(spent);
  const found = await guard.moments.of(JSON.stringify([licenceId, asked]), signal, (waiting) =>
    guard.moment(licenceId, waiting, () => past.at(licenceId, asked, waiting)),
  );
  if (found === null) throw new Refused(tooManyAtOnce);
  return found;
};

const wrong = (message: string): MomentFound => ({ kind: 'wrong', message });

/**
 * The licence as it was at the moment of `?at=`; `shown`: the position that the read models are complete to. What is answered stays so: a moment that is just over is waited for. Rejects with the
 * signal's reason, with a refusal where the budgets have no room, and with what the log throws.
 */
export const resolveAt = async (
  {
    past,
    eventStore,
    now,
    logClock = now,
    guard,
  }: Pick<GatewayDeps, 'past' | 'eventStore' | 'now' | 'logClock' | 'guard'>,
  asker: Asker,
  shown: number,
  { at, after: waitedFor }: Request['query'],
  signal: AbortSignal,
): Promise<MomentFound> => {
  if (waitedFor !== undefined) return wrong(messages.atWithAfter);
  const asked = typeof at === 'string' ? parseMoment(at) : null;
  if (asked === null) return wrong(messages.atInvalid);
  if (asked.by === 'position') {
    // What the read models show is in the log: only beyond that it has to be asked.
    if (asked.position > shown && asked.position > (await eventStore.head())) return wrong(messages.atInFuture);
  } else {
    const ahead = asked.time - logClock();
    if (ahead > 0) return wrong(messages.atInFuture);
    if (ahead > -settling) await after(ahead + settling, undefined, { signal });
    // A clock that was set back stands still until it is right: what follows is dated as it stands.
    if (asked.time >= logClock()) return wrong(messages.atInFuture);
  }
  const { licenceId } = asker;
  const found = (await past.isNear(licenceId, asked))
    ? await past.at(licenceId, asked, signal)
    : await coldMoment({ past, guard }, asker, asked, signal);
  if (found.kind === 'before_beginning') return wrong(messages.atBeforeLicence);
  return found.kind === 'found' ? { ...found, asked } : found;
};
