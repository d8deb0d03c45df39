/** What each row must reach, and beside what it is measured. */
export interface Goal {
  /** Ratio of ours to the yardstick; absent where two things are only compared. */
  readonly ratio?: number;
  /** Of ours alone, in the row's unit. */
  readonly most?: number;
  readonly what: string;
  readonly beside: string;
}

/**
 * Programs of `bench/`; `times`: how often each is started (P9 to P11 make their runs themselves, on one log). `browser`: pages are measured, in the built
 * web app and in a Chromium; without one the figure is skipped.
 */
export const figures = {
  p1a: { times: 3 },
  p1b: { times: 3 },
  p2: { times: 3 },
  p3: { times: 3 },
  p4: { times: 3 },
  p5: { times: 3 },
  p6: { times: 1 },
  p7: { times: 3 },
  p9: { times: 1 },
  p10: { times: 1, browser: true },
  p11: { times: 1, browser: true },
  p12: { times: 3 },
  p13: { times: 3 },
  p14: { times: 1 },
  r11: { times: 1 },
  r14: { times: 1 },
  'login-flood': { times: 3 },
  'whole-path': { times: 3 },
  wide: { times: 1 },
} as const;

export type Figure = keyof typeof figures;

const wide = {
  delete: 'a campaign of 100,000 placements and 2,000 contractors deleted, to its commit',
  restore: 'the same brought back',
  'zero leads': 'the switch for placements without leads over 100,000 of them',
};
const wideGoals: Readonly<Record<string, Goal>> = Object.fromEntries(
  Object.entries(wide).flatMap(([name, what]) =>
    [
      ['cold', ', by a projector that has just started'],
      ['warm', ', by one that goes on'],
    ].map(([state, by]) => [
      `W ${name} ${state}`,
      { most: 1000, what: `${what}${by}`, beside: 'the same documents in one transaction into a bare table' },
    ]),
  ),
);

export const goals: Readonly<Record<string, Goal>> = {
  P1a: {
    ratio: 0.9,
    what: 'durable commands/s, 64 callers, from the parsed request to the answer',
    beside: 'a bare loop of 64-row transactions in a writer thread',
  },
  P1b: {
    ratio: 0.8,
    what: 'the same over HTTP keep-alive, tokens verified',
    beside: 'a bare Express route, same parser, same group commit',
  },
  P2: {
    ratio: 1.5,
    what: 'one lone command over HTTP, p50 to acknowledgement',
    beside: 'one FULL commit + one bare `ws` echo',
  },
  'P3 p50': {
    ratio: 1.1,
    what: 'command → in the store of every one of 500 other clients, 20 commands/s',
    beside: 'bare `ws` relay to the same 500',
  },
  'P3 p99': { ratio: 1.2, what: 'the same', beside: 'the same' },
  'P4 p99': {
    ratio: 0.25,
    what: 'a burst of 500 commands/s on one campaign, until each of 500 watchers has it',
    beside: 'bare `ws` relay of every change to the same 500',
  },
  'P4 bytes': { ratio: 0.5, what: 'what all watchers got in that second', beside: 'the same' },
  P5: {
    ratio: 0.95,
    what: 'changes a second that reach clients, 500 of them, 20 under way all the time',
    beside: 'bare `ws` relay to the same 500',
  },
  P6: {
    ratio: 0.8,
    what: 'rebuild of all read models, persisted',
    beside: 'bare scan + JSON.parse + fold into a Map',
  },
  'P7 p99': {
    most: 50,
    what: 'from durable to committed read models, at 5,000 events/s',
    beside: 'the commits alone',
  },
  P9: {
    ratio: 2,
    most: 1000,
    what: 'process start to ready after `kill -9`',
    beside: 'a process that opens the bare file and reads its tail',
  },
  P10: {
    ratio: 1.25,
    what: 'a table of 100,000 placements, 200 changes/s arriving, fast scroll: p99 of the frames',
    beside: 'a list written by hand with absolute positions, same rows and changes, same Chromium',
  },
  'P11 INP': {
    most: 50,
    what: 'the same page, nothing arriving: INP of a visit, p75 of the visits',
    beside: 'the same app with an empty table',
  },
  'P11 INP live': {
    most: 50,
    what: 'the same while 200 changes/s arrive',
    beside: 'the same with an empty table',
  },
  'P11 LCP': {
    most: 1200,
    what: 'the same page: largest contentful paint',
    beside: 'the same app with an empty table',
  },
  'P11 CLS': {
    most: 0.01,
    what: 'the same page: cumulative layout shift until the table stands',
    beside: 'the same app with an empty table',
  },
  P12: {
    most: 300,
    what: 'a campaign as it was at a random moment of 100,000 events, p95 warm',
    beside: 'a moment that is asked for again',
  },
  'P12 cold': {
    what: 'the same, the first moment of a licence that is asked for',
    beside: 'the same: there is none',
  },
  P13: {
    ratio: 0.9,
    what: 'events/s through the EventStoreDB adapter, 64 appends in flight',
    beside: 'a bare `@eventstore/db-client` loop on the same server',
  },
  'P13 keyed': {
    ratio: 0.9,
    what: 'the same with a command key each: two appends for one',
    beside: 'the same, one append',
  },
  P14: {
    ratio: 1.5,
    what: 'memory of the server for each of 500 watching clients',
    beside: 'for each connection of a bare `ws` server',
  },
  'R11 stalled': {
    ratio: 1.1,
    what: 'p99 of P3 for the others while one of 500 clients takes nothing',
    beside: 'the same while all take what comes',
  },
  'R11 back': {
    most: 2000,
    what: '500 clients whose lines went come back at once, until all have what they missed',
    beside: '500 bare `ws` connections at once',
  },
  'R10 p99': {
    ratio: 1.5,
    what: 'one lone command over HTTP, p99 to acknowledgement, while 64 guesses at a time arrive at the sign-in',
    beside: 'the same while nobody guesses',
  },
  'R14 reads p50': {
    what: 'a read of another team over HTTP, p50, while one team does its worst',
    beside: 'the same while it does nothing',
  },
  'R14 reads p99': { ratio: 2, what: 'the same, p99', beside: 'the same' },
  'R14 three reads p50': { what: 'a read by three processes', beside: 'the same while the team does nothing' },
  'R14 three reads p99': { ratio: 2, what: 'the same, p99', beside: 'the same' },
  'R14 three writes p50': { what: 'a change by three processes', beside: 'the same while the team does nothing' },
  'R14 three writes p99': { ratio: 2, what: 'the same, p99', beside: 'the same' },
  'R14 writes p50': {
    what: 'a change of another team over HTTP, p50 to acknowledgement, while one team does its worst',
    beside: 'the same while it does nothing',
  },
  'R14 writes p99': { ratio: 2, what: 'the same, p99', beside: 'the same' },
  ...wideGoals,
  'WP answered p50': {
    what: 'one lone command over HTTP to three processes, to its answer',
    beside: 'the same to one process on embedded stores',
  },
  'WP answered p99': { what: 'the same', beside: 'the same' },
  'WP seen p50': {
    what: 'the same command, until another client’s socket has it',
    beside: 'the same in one process',
  },
  'WP seen p99': { what: 'the same', beside: 'the same' },
};
