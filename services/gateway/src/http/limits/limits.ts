/** What a read is, by what it asks of the process. */
export type Weight = 'plain' | 'costly' | 'file' | 'bundle';

/** Every limit of reads and live lines in one place (CALL-15, CALL-16 and LIVE-14 in the rules). People do not meet them. */
export const limits = {
  /** What a read takes of the budgets: thirty lineages a minute cost a sixtieth of what comes back, and a program that checks some thousands of figures in one go is let through. */
  cost: { plain: 1, costly: 10, file: 20, bundle: 50 } satisfies Readonly<Record<Weight, number>>,
  /** Beside it, of a moment of the past. */
  pastCost: 4,
  /** Beside that, of a moment that the licence has to be folded on to. */
  coldCost: 10,
  /** Of a whole scope by the live channel; one that goes on by position costs `cost.plain`. */
  scopeCost: 10,
  session: { perSecond: 300, burst: 60_000 },
  licence: { perSecond: 1_000, burst: 200_000 },
  /** Costly reads of one licence that go on together, and others that wait for it. */
  costlyAtOnce: 2,
  costlyWaiting: 64,
  /** Whole scopes of one licence that are read together for those who begin to look at them, and others that wait for it: twice as many as one line may hold. */
  scopesAtOnce: 2,
  scopesWaiting: 128,
  /** Positions by which somebody may be behind before going on from there is like asking for the whole scope. */
  farBehind: 2_000,
  /** Milliseconds that a costly read waits for its turn. */
  patience: 5_000,
  /** And a whole scope, or a moment that the licence has to be folded on to: with its reading less than the ten seconds after which a browser takes its line for dead. */
  longPatience: 8_000,
  /** Milliseconds that somebody who takes nothing of a file keeps the turn. */
  turnKept: 1_000,
  /** Files that a session takes at once. */
  filesOfSession: 8,
  /** Bytes of long answers that were made and not yet taken. */
  heldOfSession: 32 * 1024 * 1024,
  heldOfLicence: 128 * 1024 * 1024,
  /** Short costly answers that are kept, and for how many milliseconds. */
  keptAnswers: 200,
  keptFor: 10_000,
  /** Open lines of one person. */
  socketsOfPerson: 12,
  /** Milliseconds for which a live line may take nothing of what waits for it. */
  socketUnread: 30_000,
} as const;
