import type { JsonObject } from '@zakup/read-store/read-store';
import type { SealHead } from '@zakup/seals/seal-heads';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FromProjecting, ToProjecting } from './messages.ts';
import { ProjectingClient } from './projecting-client.ts';

interface FakeThread {
  readonly posted: ToProjecting[];
  readonly say: (message: FromProjecting) => void;
  readonly end: (reason?: unknown) => void;
}

const head: SealHead = { licenceId: '3f', number: 1, hash: 'a1', position: 6 };

describe('the serving thread beside the one that projects', () => {
  let threads: FakeThread[];
  let told: string[];
  let waited: { readonly milliseconds: number; readonly over: () => void }[];
  let heads: SealHead[];
  let publish: (position: number) => void;
  beforeEach(() => {
    [threads, told, waited, heads] = [[], [], [], []];
  });

  const client = (): ProjectingClient => {
    const line = (level: string) => (details: unknown, message?: string) =>
      void told.push(`${level} ${message} ${JSON.stringify(details)}`);
    return new ProjectingClient({
      start(heard, over) {
        const posted: ToProjecting[] = [];
        threads.push({ posted, say: heard, end: over });
        return {
          post: (message) => void posted.push(message),
          close: async () => over(undefined),
        };
      },
      log: { info: line('info'), warn: line('warn'), error: line('error') },
      onEnded: () => void told.push('ended'),
      onFigure: (figure) => void told.push(`figure ${JSON.stringify(figure)}`),
      wait: (milliseconds, signal) =>
        new Promise((resolve) => {
          waited.push({ milliseconds, over: resolve });
          if (signal.aborted) resolve();
          signal.addEventListener('abort', () => resolve(), { once: true });
        }),
    });
  };
  const begin = (one: ProjectingClient, position = 0): void =>
    one.begin({
      onPublished(listener) {
        publish = listener;
        listener(position);
        return () => {
          publish = () => void told.push('nobody listens');
        };
      },
      heads: {
        all: async () => heads,
        note: async (noted) => void heads.push(noted),
      },
      onCommitted: ({ position: at }) => void told.push(`committed ${at}`),
    });
  const thread = (index: number): FakeThread => {
    const found = threads[index];
    if (found === undefined) throw new Error(`There is no thread ${index}`);
    return found;
  };
  const data: JsonObject = { id: 'one' };

  test('THR-2752 the thread begins where the log is, and is told of each transaction; its commits, figures, lines and doubts are told on', async () => {
    const one = client();
    expect(thread(0).posted).toEqual([]);
    begin(one, 5);
    expect([thread(0).posted, one.works()]).toEqual([[{ kind: 'begin', published: 5 }], false]);
    publish(7);
    thread(0).say({ kind: 'begun' });
    publish(8);
    expect(one.works()).toBe(true);
    expect(thread(0).posted.slice(1)).toEqual([
      { kind: 'published', position: 7 },
      { kind: 'published', position: 8 },
    ]);
    thread(0).say({ kind: 'committed', commit: { partition: 'all', position: 8 } });
    thread(0).say({ kind: 'figure', figure: { of: 'lag', seconds: 0.01 } });
    thread(0).say({ kind: 'logged', level: 'warn', details: { licenceId: '3f' }, message: 'Hm' });
    thread(0).say({ kind: 'doubted', licences: ['3f'] });
    expect(told).toEqual(['committed 8', 'figure {"of":"lag","seconds":0.01}', 'warn Hm {"licenceId":"3f"}']);
    expect(one.doubted()).toEqual(['3f']);
    thread(0).say({ kind: 'caught_up' });
    await one.caughtUp;
  });

  test('THR-2753 one that ends is told, counted and followed by another after a while, longer each time until one has caught up', async () => {
    const one = client();
    begin(one);
    const endAndNext = async (index: number): Promise<void> => {
      thread(index).say({ kind: 'begun' });
      thread(index).end(new Error('out of memory'));
      expect(one.works()).toBe(false);
      waited.at(-1)?.over();
      await expect.poll(() => threads.length).toBe(index + 2);
    };
    await endAndNext(0);
    await endAndNext(1);
    publish(9);
    await endAndNext(2);
    expect(thread(3).posted).toEqual([{ kind: 'begin', published: 9 }]);
    thread(3).say({ kind: 'caught_up' });
    await endAndNext(3);
    expect(waited.map(({ milliseconds }) => milliseconds)).toEqual([200, 400, 800, 200]);
    expect(told.filter((line) => line === 'ended').length).toBe(4);
    expect(told.filter((line) => line.startsWith('error The thread that projects has ended')).length).toBe(4);
    await one.stop();
  });

  test('THR-3181 what a thread doubted, and that its witness failed, are not kept for the next one, which finds them itself', async () => {
    const one = client();
    begin(one);
    thread(0).say({ kind: 'begun' });
    thread(0).say({ kind: 'doubted', licences: ['3f'] });
    thread(0).say({ kind: 'figure', figure: { of: 'witness', outcome: 'failed' } });
    expect([one.doubted(), one.witnessFails()]).toEqual([['3f'], true]);
    thread(0).end(new Error('out of memory'));
    // Nobody has said anything else yet.
    expect(one.doubted()).toEqual(['3f']);
    waited[0]?.over();
    await expect.poll(() => threads.length).toBe(2);
    thread(1).say({ kind: 'begun' });
    expect([one.doubted(), one.witnessFails()]).toEqual([[], false]);
    await one.stop();
  });

  test('THR-2754 what is to be noted while no thread is there is noted by the next one; what one says against it is told to who asked', async () => {
    const one = client();
    const early = one.note('early', data);
    begin(one);
    const asked = one.note('asked', data);
    expect(thread(0).posted.slice(1)).toEqual([
      { kind: 'note', number: 1, wanted: { name: 'early', data } },
      { kind: 'note', number: 2, wanted: { name: 'asked', data } },
    ]);
    thread(0).say({ kind: 'noted', answered: { number: 1, kind: 'answered', answer: null } });
    await early;
    thread(0).end();
    const late = one.note('late', data);
    waited[0]?.over();
    await expect.poll(() => threads.length).toBe(2);
    expect(thread(1).posted.slice(1)).toEqual([
      { kind: 'note', number: 2, wanted: { name: 'asked', data } },
      { kind: 'note', number: 3, wanted: { name: 'late', data } },
    ]);
    const failure = { name: 'ReadStoreUnavailable', message: 'The disk is full' };
    thread(1).say({ kind: 'noted', answered: { number: 2, kind: 'failed', failure } });
    await expect(asked).rejects.toMatchObject(failure);
    thread(1).say({ kind: 'noted', answered: { number: 3, kind: 'answered', answer: null } });
    await late;
    await one.stop();
  });

  test('THR-2755 the last seals that lie with the credentials are read and written for the thread', async () => {
    const one = client();
    begin(one);
    thread(0).say({ kind: 'heads', number: 1, wanted: { of: 'note', head } });
    await expect.poll(() => heads).toEqual([head]);
    thread(0).say({ kind: 'heads', number: 2, wanted: { of: 'all' } });
    await expect
      .poll(() => thread(0).posted.slice(1))
      .toEqual([
        { kind: 'heads', answered: { number: 1, kind: 'answered', answer: [] } },
        { kind: 'heads', answered: { number: 2, kind: 'answered', answer: [head] } },
      ]);
  });

  test('THR-2756 closed, it starts no other thread, follows the log no more, and tells those who wait', async () => {
    const one = client();
    begin(one);
    thread(0).end();
    const late = one.note('late', data);
    const stopped = one.stop();
    await expect(late).rejects.toThrow('The thread that projects is closed');
    await stopped;
    await expect(one.caughtUp).rejects.toThrow('stopped');
    await expect(one.note('later', data)).rejects.toThrow('is closed');
    publish(3);
    expect([threads.length, told.at(-1)]).toEqual([1, 'nobody listens']);
  });
});
