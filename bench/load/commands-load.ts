import { randomInt } from 'node:crypto';
import { quantile } from '../world/statistics.ts';
import type { WantedRequest } from '../world/placement-requests.ts';
import { placementRequests } from '../world/placement-requests.ts';
import type { PlacementReply } from '../world/parsed-request.ts';
import type { SeededLicence } from '../world/seeded-licence.ts';
import { webSocketLine } from './web-socket-line.ts';
import { type HttpLine, httpLine } from './http-line.ts';
import { onWanted } from './on-wanted.ts';

// A process of its own that sends commands, so that the client's work is not the server's.

/** What the process that serves tells this one to do; each is answered when it is done. */
export type Wanted =
  | {
      readonly kind: 'begin';
      readonly licence: SeededLicence;
      readonly callers: readonly { readonly userId: string; readonly token: string }[];
      readonly ports: { readonly ours: number; readonly beside: number; readonly echo: number };
    }
  /** All callers at once for so long. */
  | { readonly kind: 'rate'; readonly target: 'ours' | 'beside'; readonly milliseconds: number }
  /** The first caller alone, so many times. */
  | { readonly kind: 'lone'; readonly target: 'ours' | 'echo'; readonly count: number }
  /** From now on so many guesses at a time at accounts that nobody has; 0 = no more, and those under way are over. */
  | { readonly kind: 'flood'; readonly atOnce: number };

export type Done =
  | { readonly kind: 'begun' }
  /** Per second. */
  | { readonly kind: 'rate'; readonly rate: number }
  /** Milliseconds. */
  | { readonly kind: 'lone'; readonly median: number; readonly p99: number }
  /** Guesses answered since it began. */
  | { readonly kind: 'flood'; readonly answered: number };

interface CallerLine {
  readonly line: HttpLine;
  readonly next: (placementId: string | null) => WantedRequest;
  readonly headers: string;
  placementId: string | null;
}

let lines: Record<'ours' | 'beside', readonly CallerLine[]> = { ours: [], beside: [] };
let guessPort = 0;
let echo: Awaited<ReturnType<typeof webSocketLine>> | undefined;

const begin = async ({ licence, callers, ports }: Extract<Wanted, { kind: 'begin' }>) => {
  const linesTo = (port: number) =>
    Promise.all(
      callers.map(async ({ userId, token }, index) => ({
        line: await httpLine(port),
        next: placementRequests(licence, userId, index * 1000),
        headers: `Authorization: Bearer ${token}\r\n`,
        placementId: null,
      })),
    );
  lines = { ours: await linesTo(ports.ours), beside: await linesTo(ports.beside) };
  echo = await webSocketLine(ports.echo);
  guessPort = ports.ours;
};

const once = async (caller: CallerLine) => {
  const { method, path, key, body } = caller.next(caller.placementId);
  const headers = `${caller.headers}Idempotency-Key: ${key}\r\n`;
  const reply = await caller.line.send({ method, path: `/api${path}`, headers, body });
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  caller.placementId = caller.placementId === null ? (reply.body as PlacementReply).data.placement.id : null;
};

const rate = async (callers: readonly CallerLine[], milliseconds: number): Promise<number> => {
  const began = performance.now();
  let count = 0;
  await Promise.all(
    callers.map(async (caller) => {
      while (performance.now() - began < milliseconds) {
        await once(caller);
        count += 1;
      }
    }),
  );
  return (count / (performance.now() - began)) * 1000;
};

const lone = async (count: number, send: () => Promise<unknown>): Promise<Extract<Done, { kind: 'lone' }>> => {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    await send();
    times.push(performance.now() - began);
  }
  return { kind: 'lone', median: quantile(times, 0.5), p99: quantile(times, 0.99) };
};

let guesses: readonly HttpLine[] = [];
let guessing: { over: boolean; answered: number; readonly done: Promise<unknown> } | null = null;

const flood = async (atOnce: number): Promise<Done> => {
  if (guessing !== null) {
    guessing.over = true;
    await guessing.done;
  }
  const answered = guessing?.answered ?? 0;
  guessing = null;
  if (atOnce > 0) {
    while (guesses.length < atOnce) guesses = [...guesses, await httpLine(guessPort)];
    const state = { over: false, answered: 0 };
    const guess = async (line: HttpLine): Promise<void> => {
      while (!state.over) {
        const body = { authCode: `GUESS${randomInt(1e9)}`, password: 'guess-guess' };
        const { status } = await line.send({ method: 'POST', path: '/api/auth/employee-login', body });
        if (status !== 401 && status !== 429) throw new Error(`A guess was answered with ${status}`);
        state.answered += 1;
      }
    };
    guessing = Object.assign(state, { done: Promise.all(guesses.slice(0, atOnce).map(guess)) });
  }
  return { kind: 'flood', answered };
};

const carryOut = async (wanted: Wanted): Promise<Done> => {
  switch (wanted.kind) {
    case 'begin':
      await begin(wanted);
      return { kind: 'begun' };
    case 'rate':
      return { kind: 'rate', rate: await rate(lines[wanted.target], wanted.milliseconds) };
    case 'lone': {
      const [caller] = lines.ours;
      const line = echo;
      if (caller === undefined || line === undefined) throw new Error('Not begun');
      const send = wanted.target === 'ours' ? () => once(caller) : () => line.echo();
      return lone(wanted.count, send);
    }
    case 'flood':
      return flood(wanted.atOnce);
  }
};

onWanted(carryOut);
