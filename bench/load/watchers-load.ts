import { once } from 'node:events';
import { patched } from '@zakup/contracts/patch';
import { type Change, type PatchingChanges, protocolVersion } from '@zakup/contracts/socket';
import { io, type Socket } from 'socket.io-client';
import { WebSocket } from 'ws';
import type { PlacementReply } from '../world/parsed-request.ts';
import { httpLine } from './http-line.ts';
import { onWanted } from './on-wanted.ts';

// A process of its own that holds every client: what they know is kept as a browser's replica keeps it.

export type Target = 'ours' | 'beside';

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
  | { readonly kind: 'send'; readonly target: Target; readonly count: number; readonly every: number }
  /** Commands on every placement, each as soon as all clients have the one before. */
  | { readonly kind: 'flow'; readonly target: Target; readonly milliseconds: number }
  | { readonly kind: 'lines'; readonly target: Target; readonly open: boolean }
  /** The first client stops taking what comes, or goes on. */
  | { readonly kind: 'stall'; readonly stalled: boolean };

export type Done =
  | { readonly kind: 'begun' }
  /** Milliseconds of each command until the last client had it; bytes that all clients got meanwhile. */
  | { readonly kind: 'sent'; readonly times: readonly number[]; readonly bytes: number }
  /** Commands a second. */
  | { readonly kind: 'flowed'; readonly rate: number }
  | { readonly kind: 'moved'; readonly milliseconds: number };

const placements = 20;
const warmUpMs = 4000;
const watchingAtWarmUp = 5;

/** A command under way: how many clients do not have it, or a later price of the same placement, yet. */
interface UnderWay {
  readonly price: number;
  readonly began: number;
  left: number;
  readonly done: (milliseconds: number) => void;
}

/** One client: what it holds outlives its line. */
interface Client {
  open(): Promise<void>;
  close(): Promise<void>;
  pause(paused: boolean): void;
}

/** Of each target the commands of each placement that not every client has. */
const underWay: Record<Target, UnderWay[][]> = {
  ours: Array.from({ length: placements }, () => []),
  beside: Array.from({ length: placements }, () => []),
};
const clients: Record<Target, Client[]> = { ours: [], beside: [] };
const bytes: Record<Target, number> = { ours: 0, beside: 0 };
/** How many clients a command is waited for. */
const waitedFor: Record<Target, number> = { ours: 0, beside: 0 };
let price = 1000;
let stalled = false;

/** A client that had one price of a placement has another: commands in between count as had. */
const arrived = (target: Target, placement: number, before: number, now: number): void => {
  const commands = underWay[target][placement] ?? [];
  let isDone = false;
  for (const command of commands) {
    if (command.price <= before || command.price > now) continue;
    command.left -= 1;
    if (command.left > 0) continue;
    isDone = true;
    command.done(performance.now() - command.began);
  }
  if (isDone) underWay[target][placement] = commands.filter(({ left }) => left > 0);
};

const begun = (target: Target, of: number): Promise<number> =>
  new Promise((resolve) => {
    const left = waitedFor[target];
    if (left === 0) resolve(0);
    else underWay[target][of % placements]?.push({ price: of, began: performance.now(), left, done: resolve });
  });

const send: Record<Target, (price: number) => Promise<number>> = {
  ours: () => Promise.reject(new Error('Not begun')),
  beside: () => Promise.reject(new Error('Not begun')),
};

type Call = (number: number, method: string, path: string, body: unknown) => Promise<PlacementReply>;

/** A server that has served for a while: Node compiles hot code only by and by. */
const warmUp = async (call: Call, ids: readonly string[]): Promise<void> => {
  const until = performance.now() + warmUpMs;
  await Promise.all(
    ids.map(async (id, index) => {
      for (let cheap = 100; performance.now() < until; cheap += 1) {
        await call(index, 'PATCH', `/placements/${id}`, { price: cheap % 900 });
      }
    }),
  );
};

type Begin = Extract<Wanted, { kind: 'begin' }>;

/** Whether this client is waited for: the first one is not while it may be stalled. */
const counts = (number: number): boolean => number > 0 || !stalled;

const watchingClient = (number: number, token: string, { ours, campaignId }: Begin, ids: readonly string[]): Client => {
  const replica = new Map<string, Change>();
  const prices = new Map<number, number>();
  const scope = `campaign:${campaignId}`;
  let position: number | undefined;
  let socket: Socket | null = null;
  const take = ({ docs, position: complete, last }: PatchingChanges): void => {
    for (const told of docs) {
      const key = `${told.kind}/${told.id}`;
      const held = replica.get(key);
      if ((held?.position ?? -1) >= told.position) continue;
      if ('patch' in told && held?.position !== told.base) throw new Error(`A patch of ${key} does not fit`);
      const { kind, id, position: at } = told;
      const change = 'patch' in told ? { kind, id, position: at, doc: patched(held?.doc, told.patch) } : told;
      replica.set(key, change);
      const placement = change.kind === 'placement' ? ids.indexOf(change.id) : -1;
      if (placement < 0 || change.doc === null) continue;
      const now = (change.doc as { price: number }).price;
      const before = prices.get(placement) ?? 0;
      prices.set(placement, now);
      if (counts(number)) arrived('ours', placement, before, now);
    }
    if (last) position = complete;
  };
  return {
    async open() {
      const opened = io(ours, {
        auth: { token, protocolVersion, patches: true },
        transports: ['websocket'],
        forceNew: true,
      });
      socket = opened;
      opened.on('changes', take);
      opened.on('connect_error', (error) => {
        throw error;
      });
      const loaded = new Promise<void>((resolve) => {
        opened.on('changes', ({ last }: PatchingChanges) => {
          if (last) resolve();
        });
      });
      opened.io.on('open', () => {
        opened.io.engine.on('packet', ({ data }: { readonly data?: unknown }) => {
          if (typeof data === 'string') bytes.ours += Buffer.byteLength(data);
        });
      });
      await opened.emitWithAck('subscribe', position === undefined ? { scope } : { scope, since: position });
      await loaded;
    },
    async close() {
      const opened = socket;
      if (opened === null) return;
      const gone = new Promise((resolve) => {
        opened.once('disconnect', resolve);
      });
      opened.disconnect();
      await gone;
    },
    pause(paused) {
      const transport = socket?.io.engine.transport as unknown as { readonly ws: WebSocket } | undefined;
      if (paused) transport?.ws.pause();
      else transport?.ws.resume();
    },
  };
};

const relayClient = (port: number): Client => {
  const prices = new Map<number, number>();
  let socket: WebSocket | null = null;
  return {
    async open() {
      socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
      socket.on('message', (data: Buffer) => {
        bytes.beside += data.length;
        const { price: now } = JSON.parse(data.toString('utf8')) as { price: number };
        const placement = now % placements;
        const before = prices.get(placement) ?? 0;
        prices.set(placement, now);
        arrived('beside', placement, before, now);
      });
      await once(socket, 'open');
    },
    async close() {
      const gone = socket === null ? null : once(socket, 'close');
      socket?.close();
      await gone;
    },
    pause: () => undefined,
  };
};

const begin = async (wanted: Begin): Promise<void> => {
  const { tokens, ours, campaignId, buyerId, nick, creativeId } = wanted;
  waitedFor.ours = tokens.length;
  waitedFor.beside = tokens.length;
  const port = Number(new URL(ours).port);
  const lines = await Promise.all(Array.from({ length: placements }, () => httpLine(port)));
  const busy = lines.map(() => Promise.resolve<unknown>(undefined));
  const headers = `Authorization: Bearer ${tokens[0] ?? ''}\r\n`;
  const call: Call = async (number, method, path, body) => {
    const at = number % placements;
    const line = lines[at];
    if (line === undefined) throw new Error('No line');
    // One request at a time on each connection.
    const reply = (busy[at] ?? Promise.resolve()).then(() => line.send({ method, path: `/api${path}`, headers, body }));
    busy[at] = reply;
    const { status, body: answer } = await reply;
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer as PlacementReply;
  };
  const ids: string[] = [];
  for (let index = 0; index < placements; index += 1) {
    const added = { campaignId, contractor: nick, buyerId, category: 'Юмор', creativeId, price: 1 };
    ids.push((await call(index, 'POST', '/placements', added)).data.placement.id);
  }
  for (const [index, token] of tokens.entries()) {
    if (index === watchingAtWarmUp) await warmUp(call, ids);
    const client = watchingClient(index, token, wanted, ids);
    clients.ours.push(client);
    await client.open();
  }
  // Each placement has a connection of its own: they are changed in turn.
  send.ours = async (of) => {
    const time = begun('ours', of);
    await call(of, 'PATCH', `/placements/${ids[of % placements] ?? ''}`, { price: of });
    return time;
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const client = relayClient(wanted.relayPort);
    clients.beside.push(client);
    await client.open();
  }
  const sender = new WebSocket(`ws://127.0.0.1:${wanted.relayPort}`, { perMessageDeflate: false });
  await once(sender, 'open');
  send.beside = (of) => {
    const time = begun('beside', of);
    sender.send(JSON.stringify({ id: ids[of % placements], price: of, campaignId, buyerId, nick, creativeId }));
    return time;
  };
};

const next = (): number => {
  price += 1;
  return price;
};

const sendAll = async ({ target, count, every }: Extract<Wanted, { kind: 'send' }>): Promise<Done> => {
  const before = bytes[target];
  const times: Promise<number>[] = [];
  const began = performance.now();
  for (let index = 0; index < count; index += 1) {
    times.push(send[target](next()));
    const wait = began + (index + 1) * every - performance.now();
    // A timer is never shorter than a millisecond: what fell behind is made up for at once.
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return { kind: 'sent', times: await Promise.all(times), bytes: bytes[target] - before };
};

const flow = async ({ target, milliseconds }: Extract<Wanted, { kind: 'flow' }>): Promise<Done> => {
  const began = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: placements }, async () => {
      while (performance.now() - began < milliseconds) {
        await send[target](next());
        count += 1;
      }
    }),
  );
  return { kind: 'flowed', rate: (count * 1000) / (performance.now() - began) };
};

const move = async ({ target, open }: Extract<Wanted, { kind: 'lines' }>): Promise<Done> => {
  const began = performance.now();
  waitedFor[target] = open ? clients[target].length : 0;
  await Promise.all(clients[target].map((client) => (open ? client.open() : client.close())));
  return { kind: 'moved', milliseconds: performance.now() - began };
};

const stall = (wanted: Extract<Wanted, { kind: 'stall' }>): Done => {
  stalled = wanted.stalled;
  waitedFor.ours = clients.ours.length - (stalled ? 1 : 0);
  clients.ours[0]?.pause(stalled);
  return { kind: 'moved', milliseconds: 0 };
};

onWanted(async (wanted: Wanted): Promise<Done> => {
  if (wanted.kind === 'send') return sendAll(wanted);
  if (wanted.kind === 'flow') return flow(wanted);
  if (wanted.kind === 'lines') return move(wanted);
  if (wanted.kind === 'stall') return stall(wanted);
  await begin(wanted);
  return { kind: 'begun' };
});
