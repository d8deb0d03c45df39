import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { placementIdOf, rowCount } from '../world/full-table.ts';
import { type HttpLine, httpLine } from './http-line.ts';
import { onWanted } from './on-wanted.ts';

// A process of its own that changes prices of a campaign's rows over HTTP, and tells each accepted one to whoever listens at its own
// WebSocket: the yardstick's list.

export type Wanted =
  | { readonly kind: 'begin'; readonly port: number; readonly tokens: readonly string[] }
  /** From now on so many changes a second, of rows anywhere in the table. */
  | { readonly kind: 'flow'; readonly perSecond: number }
  | { readonly kind: 'end' };

export type Done =
  | { readonly kind: 'begun'; readonly feedPort: number }
  | { readonly kind: 'flowing' }
  /** How many were accepted a second since the flow began. */
  | { readonly kind: 'ended'; readonly rate: number };

/** What the list is told. */
export interface ToldChange {
  readonly id: string;
  /** Roubles. */
  readonly price: number;
}

const linesPerToken = 8;

interface Caller {
  readonly line: HttpLine;
  readonly headers: string;
}

const feed = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
let server: Extract<Wanted, { kind: 'begin' }> | null = null;
let sent = 0;

interface Flow {
  over: boolean;
  accepted: number;
  /** That wait for no answer. */
  readonly idle: Caller[];
}
let flowing: (Flow & { readonly began: number; readonly done: Promise<void> }) | null = null;

const change = async (caller: Caller, state: Flow): Promise<void> => {
  sent += 1;
  // A stride that meets all rows, one far from the other.
  const told: ToldChange = { id: placementIdOf((sent * 7919) % rowCount), price: 1000 + (sent % 9000) / 2 };
  const { status, body } = await caller.line.send({
    method: 'PATCH',
    path: `/api/placements/${told.id}`,
    headers: `${caller.headers}Idempotency-Key: ${randomUUID()}\r\n`,
    body: { price: told.price },
  });
  if (status !== 200) throw new Error(`A change was answered with ${status}: ${JSON.stringify(body)}`);
  state.accepted += 1;
  state.idle.push(caller);
  for (const list of feed.clients) list.send(JSON.stringify(told));
};

const flow = async (state: Flow, perSecond: number): Promise<void> => {
  const began = performance.now();
  const underWay = new Set<Promise<void>>();
  for (let count = 0; !state.over; ) {
    const due = ((performance.now() - began) / 1000) * perSecond;
    while (count < due) {
      const caller = state.idle.pop();
      if (caller === undefined) break;
      count += 1;
      const one = change(caller, state).finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await delay(2);
  }
  await Promise.all(underWay);
  for (const { line } of state.idle) line.close();
};

/** Opened for each flow: the server closes lines that say nothing for a while. */
const lines = async (): Promise<Caller[]> => {
  const callers: Caller[] = [];
  for (const token of server?.tokens ?? [])
    for (let index = 0; index < linesPerToken; index += 1)
      callers.push({ line: await httpLine(server?.port ?? 0), headers: `Authorization: Bearer ${token}\r\n` });
  return callers;
};

const carryOut = async (wanted: Wanted): Promise<Done> => {
  switch (wanted.kind) {
    case 'begin': {
      server = wanted;
      if (feed.address() === null) await once(feed, 'listening');
      return { kind: 'begun', feedPort: (feed.address() as { port: number }).port };
    }
    case 'flow': {
      const state = { over: false, accepted: 0, idle: await lines(), began: performance.now() };
      flowing = Object.assign(state, { done: flow(state, wanted.perSecond) });
      return { kind: 'flowing' };
    }
    case 'end': {
      if (flowing === null) throw new Error('Nothing flows');
      flowing.over = true;
      const seconds = (performance.now() - flowing.began) / 1000;
      const rate = flowing.accepted / seconds;
      await flowing.done;
      flowing = null;
      return { kind: 'ended', rate };
    }
  }
};

onWanted(carryOut);
