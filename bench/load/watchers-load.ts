import { once } from 'node:events';
import { type Changes, protocolVersion } from '@zakup/contracts/socket';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import type { PlacementReply } from '../world/parsed-request.ts';
import { httpLine } from './http-line.ts';
import { onWanted } from './on-wanted.ts';

// A process of its own that holds every client of P3: what they know is kept as a browser's replica keeps it.

export type Wanted =
  | {
      readonly kind: 'begin';
      readonly ours: string;
      readonly relayPort: number;
      readonly tokens: readonly string[];
      readonly campaignId: string;
      readonly buyerId: string;
      readonly nick: string;
      readonly creativeId: string;
    }
  /** So many commands, so many milliseconds apart. */
  | { readonly kind: 'send'; readonly target: 'ours' | 'beside'; readonly count: number; readonly every: number };

/** Milliseconds of each command until the last client had it. */
export type Done = { readonly kind: 'begun' } | { readonly kind: 'sent'; readonly times: readonly number[] };

const placements = 20;
const warmUpMs = 4000;
const watchingAtWarmUp = 5;

/** A command under way: how many clients do not have it yet. */
interface UnderWay {
  readonly began: number;
  left: number;
  readonly done: (milliseconds: number) => void;
}

const underWay = new Map<string, UnderWay>();
let clients = 0;
let count = 0;

const arrived = (mark: string): void => {
  const command = underWay.get(mark);
  if (command === undefined) return;
  command.left -= 1;
  if (command.left > 0) return;
  underWay.delete(mark);
  command.done(performance.now() - command.began);
};

const begun = (mark: string): Promise<number> =>
  new Promise((resolve) => {
    underWay.set(mark, { began: performance.now(), left: clients, done: resolve });
  });

const send: Record<'ours' | 'beside', (price: number) => Promise<number>> = {
  ours: () => Promise.reject(new Error('Not begun')),
  beside: () => Promise.reject(new Error('Not begun')),
};

type Call = (number: number, method: string, path: string, body: unknown) => Promise<PlacementReply>;

/** A server that has served for a while: Node compiles hot code only by and by. */
const warmUp = async (call: Call, ids: readonly string[]): Promise<void> => {
  const until = performance.now() + warmUpMs;
  await Promise.all(
    ids.map(async (id, index) => {
      for (let price = 100; performance.now() < until; price += 1) {
        await call(index, 'PATCH', `/placements/${id}`, { price: price % 900 });
      }
    }),
  );
};

const begin = async (wanted: Extract<Wanted, { kind: 'begin' }>): Promise<void> => {
  const { tokens, ours, campaignId, buyerId, nick, creativeId } = wanted;
  clients = tokens.length;
  const port = Number(new URL(ours).port);
  const lines = await Promise.all(Array.from({ length: placements }, () => httpLine(port)));
  const headers = `Authorization: Bearer ${tokens[0] ?? ''}\r\n`;
  const call: Call = async (number, method, path, body) => {
    const line = lines[number % placements];
    if (line === undefined) throw new Error('No line');
    const reply = await line.send({ method, path: `/api${path}`, headers, body });
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body as PlacementReply;
  };
  const ids: string[] = [];
  for (let index = 0; index < placements; index += 1) {
    const added = { campaignId, contractor: nick, buyerId, category: 'Юмор', creativeId, price: 1 };
    ids.push((await call(index, 'POST', '/placements', added)).data.placement.id);
  }

  for (const [index, token] of tokens.entries()) {
    if (index === watchingAtWarmUp) await warmUp(call, ids);
    const replica = new Map<string, Changes['docs'][number]>();
    const socket = io(ours, { auth: { token, protocolVersion }, transports: ['websocket'], forceNew: true });
    socket.on('changes', ({ docs }: Changes) => {
      for (const change of docs) {
        const key = `${change.kind}/${change.id}`;
        if ((replica.get(key)?.position ?? -1) >= change.position) continue;
        replica.set(key, change);
        if (change.kind === 'placement') arrived(`ours ${(change.doc as { price: number } | null)?.price}`);
      }
    });
    socket.on('connect_error', (error) => {
      throw error;
    });
    const loaded = new Promise((resolve) => {
      socket.once('changes', resolve);
    });
    await socket.emitWithAck('subscribe', { scope: `campaign:${campaignId}` });
    await loaded;
  }
  // Each placement has a connection of its own: they are changed in turn.
  send.ours = async (price) => {
    const time = begun(`ours ${price}`);
    await call(price, 'PATCH', `/placements/${ids[price % placements] ?? ''}`, { price });
    return time;
  };

  const relay = async (): Promise<WebSocket> => {
    const socket = new WebSocket(`ws://127.0.0.1:${wanted.relayPort}`, { perMessageDeflate: false });
    await once(socket, 'open');
    return socket;
  };
  for (let index = 0; index < clients; index += 1) {
    const replica = new Map<string, unknown>();
    const socket = await relay();
    socket.on('message', (data: Buffer) => {
      const { id, price } = JSON.parse(data.toString('utf8')) as { id: string; price: number };
      replica.set(id, price);
      arrived(`beside ${price}`);
    });
  }
  const sender = await relay();
  send.beside = (price) => {
    const time = begun(`beside ${price}`);
    sender.send(JSON.stringify({ id: ids[price % placements], price, campaignId, buyerId, nick, creativeId }));
    return time;
  };
};

const sendAll = async ({
  target,
  count: commands,
  every,
}: Extract<Wanted, { kind: 'send' }>): Promise<readonly number[]> => {
  const times: Promise<number>[] = [];
  for (let index = 0; index < commands; index += 1) {
    count += 1;
    times.push(send[target](1000 + count));
    await new Promise((resolve) => setTimeout(resolve, every));
  }
  return Promise.all(times);
};

onWanted(async (wanted: Wanted): Promise<Done> => {
  if (wanted.kind === 'send') return { kind: 'sent', times: await sendAll(wanted) };
  await begin(wanted);
  return { kind: 'begun' };
});
