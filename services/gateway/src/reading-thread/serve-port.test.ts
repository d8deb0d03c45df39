import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import type { FromThread, ToThread } from './messages.ts';
import { type OpenedForReading, serveReading } from './serve-port.ts';
import { startWorld, type World } from '../testing/world.ts';

const isNear = { of: 'is_near', licenceId: 'licence', asked: { by: 'position', position: 1 } } as const;

/** The asking end of a line whose other end answers from what `open` comes to. */
const lineTo = (open: () => Promise<OpenedForReading>) => {
  const { port1: here, port2: there }: { port1: MessagePort; port2: MessagePort } = new MessageChannel();
  const told: FromThread[] = [];
  const waiting: (() => void)[] = [];
  here.on('message', (message: FromThread) => {
    told.push(message);
    for (const look of waiting.splice(0)) look();
  });
  const closed = new Promise<void>((resolve) => here.once('close', () => resolve()));
  serveReading(there, open);
  const post = (message: ToThread): void => here.postMessage(message, []);
  const ask = async (number: number): Promise<FromThread | undefined> => {
    const answer = () => told.find((message) => message.kind !== 'note' && message.number === number);
    post({ kind: 'ask', number, wanted: isNear });
    while (answer() === undefined) await new Promise<void>((resolve) => waiting.push(resolve));
    return answer();
  };
  return { post, ask, closed };
};

describe('the end of the line that makes costly answers', () => {
  let world: World;
  afterEach(() => world.stop());

  test('THR-2761 opens what it answers from with the first question, and anew with the next one where that failed, whose asker is told to come again', async () => {
    world = await startWorld();
    let opened = 0;
    const { ask } = lineTo(async () => {
      opened += 1;
      if (opened === 1) throw new Error('The server is away');
      return { deps: world.deps, close: async () => undefined };
    });
    expect(opened).toBe(0);
    expect(await ask(1)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'error', name: 'ReadingThreadUnavailable', message: 'The server is away' },
    });
    const near = { kind: 'done', result: { of: 'is_near', near: false } };
    expect([await ask(2), await ask(3)]).toMatchObject([near, near]);
    expect(opened).toBe(2);
  });

  test.each([
    ['was opened', true, 1],
    ['was never asked', false, 0],
  ])('THR-2762 told to close it closes what %s, and the line', async (_, isAsked, wanted) => {
    world = await startWorld();
    let closes = 0;
    const { ask, post, closed } = lineTo(async () => ({ deps: world.deps, close: async () => void (closes += 1) }));
    if (isAsked) await ask(1);
    post({ kind: 'close' });
    await closed;
    expect(closes).toBe(wanted);
  });
});
