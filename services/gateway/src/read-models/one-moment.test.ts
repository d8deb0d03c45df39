import type { DocumentReader, ReadDocument } from '@zakup/read-store/read-store';
import { expect, test } from 'vitest';
import type { ReadContext } from '../http/read-context.ts';
import { atOneMoment } from './one-moment.ts';

const now = { name: 'now' } as unknown as DocumentReader;
const then = { name: 'then' } as unknown as DocumentReader;

/** `newest`: what the history ends with, look by look. */
const contextOf = (newest: readonly number[]) => {
  const left = [...newest];
  const asked: unknown[] = [];
  const context = {
    deps: {
      readStore: { scanIndex: async () => [{ position: left.shift() ?? 0 } as ReadDocument] },
      past: {
        at: async (licenceId: string, moment: unknown) => {
          asked.push([licenceId, moment]);
          return { kind: 'found', moment: {}, documents: then };
        },
      },
    },
    licence: { id: 'l' },
    readStore: now,
    position: 10,
    at: null,
    waiting: new AbortController().signal,
  } as unknown as ReadContext;
  return { context, asked };
};

const read = async (documents: DocumentReader, position: number) => [documents, position];

test('LIN-60 an answer during which nothing happened is of the read models, and of the newest that they show', async () => {
  const quiet = contextOf([7, 7]);
  expect(await atOneMoment(quiet.context, read)).toEqual({ result: [now, 10], position: 10 });
  const newer = contextOf([12, 12]);
  expect(await atOneMoment(newer.context, read)).toEqual({ result: [now, 12], position: 12 });
  expect([...quiet.asked, ...newer.asked]).toEqual([]);
});

test('LIN-61 one into which a change came is read again, and where changes never end, from the past', async () => {
  const once = contextOf([7, 12, 12, 12]);
  expect(await atOneMoment(once.context, read)).toEqual({ result: [now, 12], position: 12 });
  const busy = contextOf([11, 12, 13, 14, 15, 16, 17]);
  expect(await atOneMoment(busy.context, read)).toEqual({ result: [then, 10], position: 10 });
  expect(busy.asked).toEqual([['l', { by: 'position', position: 10 }]]);
});
