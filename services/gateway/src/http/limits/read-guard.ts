import type { Problem } from '@zakup/contracts/problems';
import { messages } from '@zakup/domain/messages';
import type { Past } from '@zakup/projections/past/licence-fold';
import { rateLimit } from '@zakup/service-kit/rate-limit';
import { isShort } from '../stream-json.ts';
import type { Answer } from '../answer.ts';
import { WrittenJson } from '../written-json.ts';
import { heldBytes } from './held-bytes.ts';
import { limits, type Weight } from './limits.ts';
import { type Place, places, processTimers, type Timers } from './places.ts';
import { type SharedAnswers, sharedAnswers } from './shared-answers.ts';
import { type SharedWork, sharedWork } from './shared-work.ts';

export interface Asker {
  readonly sessionId: string;
  readonly licenceId: string;
}

/** What one long answer holds until it is taken. */
export interface Held {
  /** False: there is no room, and what it held is let go. */
  add(bytes: number): boolean;
  /** So many of them were taken. */
  taken(bytes: number): void;
  end(): void;
}

/** Keeps the reads of one session and of one licence from taking what the others need. */
export interface ReadGuard {
  /** Takes what it costs of both budgets; 429 when one of them has not as much. `paid`: what the same read took before, and takes again when it comes again. */
  charge(asker: Asker, cost: number, paid?: number): Problem | null;
  /** A turn for a costly read; null = none in time. Rejects with the signal's reason. */
  place(licenceId: string, signal: AbortSignal, patience?: null): Promise<Place | null>;
  /** Folds on to a moment in a turn; null = none in time. Rejects with the signal's reason. */
  moment<Result>(licenceId: string, signal: AbortSignal, fold: () => Promise<Result>): Promise<Result | null>;
  /** Reads a whole scope in one of the few turns that there are for that, apart from those for costly reads; null = none in time. */
  scope<Result>(licenceId: string, read: () => Promise<Result>): Promise<Result | null>;
  /** Counts one more file of the session; null = it takes enough already. */
  file(sessionId: string): Place | null;
  hold(asker: Asker): Held;
  /** Bytes that wait for the session's readers. */
  heldOf(sessionId: string): number;
  readonly shared: SharedAnswers;
  /** Moments that are folded for several who ask at once. */
  readonly moments: SharedWork<Past | null>;
  readonly timers: Timers;
}

export interface ReadGuardOptions {
  /** Milliseconds that never go back. */
  readonly now?: () => number;
  readonly timers?: Timers;
  readonly most?: Partial<{
    readonly [Name in keyof typeof limits]: (typeof limits)[Name] extends number
      ? number
      : { readonly [Member in keyof (typeof limits)[Name]]: number };
  }>;
}

export const costOf = (weight: Weight, ofThePast: boolean): number =>
  limits.cost[weight] + (ofThePast ? limits.pastCost : 0);

/** Seconds after which a turn or a download is probably to be had. */
const soon = 3;

export const tooManyReports: Problem = {
  code: 'RATE_LIMITED',
  message: messages.tooManyReports,
  retryAfterSeconds: soon,
};
export const tooManyAtOnce: Problem = {
  code: 'RATE_LIMITED',
  message: messages.tooManyAtOnce,
  retryAfterSeconds: soon,
};
export const tooManyFiles: Problem = {
  code: 'RATE_LIMITED',
  message: messages.tooManyDownloads,
  retryAfterSeconds: soon,
};

/** Gives the turn back once it is done. */
const inTurn = async <Result>(place: Place | null, work: () => Promise<Result>): Promise<Result | null> => {
  if (place === null) return null;
  try {
    return await work();
  } finally {
    place.leave();
  }
};

/** What was written elsewhere is long. */
const isKept = (answer: Answer): boolean => !(answer.data instanceof WrittenJson) && isShort(answer);

export const readGuard = ({
  now = () => performance.now(),
  timers = processTimers,
  most = {},
}: ReadGuardOptions = {}): ReadGuard => {
  const bound = { ...limits, ...most };
  const bySession = rateLimit({ ...bound.session, now });
  const byLicence = rateLimit({ ...bound.licence, now });
  const costly = places({
    most: bound.costlyAtOnce,
    mostWaiting: bound.costlyWaiting,
    patience: bound.patience,
    timers,
  });
  const scopes = places({
    most: bound.scopesAtOnce,
    mostWaiting: bound.scopesWaiting,
    patience: bound.longPatience,
    timers,
  });
  const wanted = new AbortController().signal;
  const files = new Map<string, number>();
  const ofSessions = heldBytes(bound.heldOfSession);
  const ofLicences = heldBytes(bound.heldOfLicence);

  return {
    charge({ sessionId, licenceId }, cost, paid = 0) {
      const buckets = [
        { taken: () => bySession.take(sessionId, cost), ...bound.session },
        { taken: () => byLicence.take(licenceId, cost), ...bound.licence },
      ];
      for (const { taken, perSecond } of buckets) {
        const result = taken();
        if (result.kind === 'taken') continue;
        const retryAfterSeconds = result.retryAfterSeconds + paid / perSecond;
        return { code: 'RATE_LIMITED', message: messages.tooManyReads, retryAfterSeconds };
      }
      return null;
    },

    place: (licenceId, signal, patience) => costly.enter(licenceId, signal, patience),
    moment: async (licenceId, signal, fold) => inTurn(await costly.enter(licenceId, signal, bound.longPatience), fold),
    scope: async (licenceId, read) => inTurn(await scopes.enter(licenceId, wanted), read),

    file(sessionId) {
      const count = files.get(sessionId) ?? 0;
      if (count >= bound.filesOfSession) return null;
      files.set(sessionId, count + 1);
      let left = false;
      return {
        leave() {
          if (left) return;
          left = true;
          const others = (files.get(sessionId) ?? 1) - 1;
          if (others === 0) files.delete(sessionId);
          else files.set(sessionId, others);
        },
      };
    },

    hold({ sessionId, licenceId }) {
      let own = 0;
      const letGo = (bytes: number): void => {
        const less = Math.min(own, bytes);
        own -= less;
        ofSessions.let(sessionId, less);
        ofLicences.let(licenceId, less);
      };
      const held: Held = {
        add(bytes) {
          const inSession = ofSessions.hold(sessionId, bytes, own);
          if (inSession && ofLicences.hold(licenceId, bytes, own)) {
            own += bytes;
            return true;
          }
          if (inSession) ofSessions.let(sessionId, bytes);
          letGo(own);
          return false;
        },
        taken: letGo,
        end: () => letGo(own),
      };
      return held;
    },

    heldOf: ofSessions.of,
    shared: sharedAnswers({ most: bound.keptAnswers, keptFor: bound.keptFor, now, isKept }),
    moments: sharedWork(),
    timers,
  };
};
