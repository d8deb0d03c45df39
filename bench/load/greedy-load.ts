import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { protocolVersion } from '@zakup/contracts/socket';
import { io } from 'socket.io-client';
import { onWanted } from './on-wanted.ts';

// A process of its own that does what one greedy team can do to a server, so that the client's work is not the server's.

/** One kind of attack, or all of them at once. */
export type Attack = keyof typeof attacks;

export type Wanted =
  | {
      readonly kind: 'begin';
      readonly address: string;
      readonly token: string;
      readonly campaignId: string;
      /** Of the log, when the team's own placements were written. */
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: 'attack'; readonly attacks: readonly Attack[] }
  /** Ends what goes on; answered when nothing does any more. */
  | { readonly kind: 'rest' };

export type Done =
  | { readonly kind: 'begun' | 'attacking' }
  /** Answers since it began, by status; `live`: scopes that came. */
  | { readonly kind: 'rested'; readonly answers: Readonly<Record<string, number>> };

let target: Extract<Wanted, { kind: 'begin' }> | null = null;
let stop = new AbortController();
let going: readonly Promise<void>[] = [];
const answers = new Map<string, number>();

const count = (what: string): void => void answers.set(what, (answers.get(what) ?? 0) + 1);
const after = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const begun = () => {
  if (target === null) throw new Error('Not begun');
  return target;
};

/** Asks again and again until it is over, each time for what nobody has asked before; who is refused is back soon, whatever the answer says. */
const asking = async (name: string, pathOf: (number: number) => string): Promise<void> => {
  const { address, token } = begun();
  const { signal } = stop;
  for (let number = 0; !signal.aborted; number += 1) {
    try {
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(`${address}/api${pathOf(number)}`, { headers, signal });
      for await (const _ of response.body ?? []);
      count(`${name} ${response.status}`);
      if (response.status === 429) await after(100);
    } catch {
      if (!signal.aborted) count(`${name} cut`);
    }
  }
};

const resubscribing = async (name: string, scope: string): Promise<void> => {
  const { address, token } = begun();
  const { signal } = stop;
  const socket = io(address, { auth: { token, protocolVersion }, transports: ['websocket'], forceNew: true });
  const whole = (): Promise<boolean> =>
    new Promise((resolve) => {
      const done = (came: boolean): void => {
        socket.off('changes', look);
        signal.removeEventListener('abort', over);
        resolve(came);
      };
      const over = (): void => done(false);
      const look = (changes: { readonly last: boolean }): void => {
        if (changes.last) done(true);
      };
      signal.addEventListener('abort', over, { once: true });
      socket.on('changes', look);
      socket.emit('subscribe', { scope }, (answer: { readonly ok: boolean }) => {
        if (!answer.ok) done(false);
      });
    });
  while (!signal.aborted) {
    if (await whole()) count(`${name} live`);
    else await after(100);
  }
  socket.close();
};

const several = (times: number, one: (number: number) => Promise<void>): readonly Promise<void>[] =>
  Array.from({ length: times }, (_, number) => one(number));

/** Kopecks that no placement reaches, and nobody asked for before. */
const fresh = (): number => randomInt(1e8, 9e8);
const inCampaign = (path: string): string => `/campaigns/${begun().campaignId}/${path}`;

/** As they were played when the limits were found missing. */
const attacks = {
  lineage: () =>
    several(20, () => asking('lineage', () => inCampaign(`lineage?figure=spent&priceTo=${fresh() / 100}`))),
  xlsx: () => several(4, () => asking('xlsx', () => inCampaign('export?format=xlsx'))),
  earnings: () => several(4, () => asking('earnings', () => inCampaign(`earnings?after=${begun().to}`))),
  sockets: () => several(12, () => resubscribing('sockets', `campaign:${begun().campaignId}`)),
  bundle: () => several(2, () => asking('bundle', () => '/license/history-bundle')),
  past: () => several(8, () => asking('past', () => inCampaign(`analytics?at=${randomInt(begun().from, begun().to)}`))),
} as const satisfies Readonly<Record<string, () => readonly Promise<void>[]>>;

const carryOut = async (wanted: Wanted): Promise<Done> => {
  switch (wanted.kind) {
    case 'begin':
      target = wanted;
      return { kind: 'begun' };
    case 'attack':
      stop = new AbortController();
      setMaxListeners(Number.POSITIVE_INFINITY, stop.signal);
      answers.clear();
      going = wanted.attacks.flatMap((name) => attacks[name]());
      return { kind: 'attacking' };
    case 'rest':
      stop.abort();
      await Promise.all(going);
      going = [];
      return { kind: 'rested', answers: Object.fromEntries(answers) };
  }
};

onWanted(carryOut);
