import { commandKeyOf, derivedId } from '@zakup/contracts/derived-ids';
import { expect, it } from 'vitest';
import { openedOutbox } from '../testing/outbox.ts';
import { ApiProblem } from '../api/api-problem.ts';
import { batchBody, batchDraft } from './batch.ts';
import type { CommandDraft, Entry } from './entry.ts';
import { httpTransport, type SendResult } from './transport.ts';

const edit = (id: string, body: Readonly<Record<string, unknown>>, baseRevision = 5): CommandDraft => ({
  target: { kind: 'placement', id },
  method: 'PATCH',
  path: `/api/placements/${id}`,
  body,
  baseRevision,
  label: `Цена ${id}`,
  scope: 'campaign:c',
});
const addition: CommandDraft = {
  ...edit('', { contractor: '@new' }),
  target: { kind: 'placement', id: null },
  method: 'POST',
  path: '/api/placements',
  baseRevision: null,
};

/** An outbox whose server answers when told to. */
const setUp = async () => {
  const sent: Entry[] = [];
  const answers: ((result: SendResult) => void)[] = [];
  const outbox = await openedOutbox((entry) => {
    sent.push(entry);
    return new Promise((resolve) => answers.push(resolve));
  });
  const answer = async (result: SendResult): Promise<void> => {
    await expect.poll(() => answers.length).toBeGreaterThan(0);
    answers.shift()?.(result);
  };
  return { outbox, sent, answer };
};

it('GRD-1900 a batch is one command, shown at each of its placements, in the order of theirs', async () => {
  const { outbox, sent, answer } = await setUp();
  outbox.issue(edit('a', { price: 1 }));
  outbox.issue(batchDraft([edit('a', { price: 2 }), edit('b', { price: 2 }), addition], 'Цена, 2 строки'));
  outbox.issue(edit('b', { price: 3 }));
  expect(outbox.entriesOf('placement', 'a').map(({ body }) => body['price'])).toEqual([1, 2]);
  expect(outbox.entriesOf('placement', 'b').map(({ label }) => label)).toEqual(['Цена b', 'Цена b']);
  await answer({ kind: 'accepted', position: 10, revision: 6 });
  await expect.poll(() => sent.length).toBe(2);
  const made = derivedId(commandKeyOf('me', sent[1]?.id ?? ''), 'placement/2');
  expect(sent[1]?.parts?.map(({ target }) => target.id)).toEqual(['a', 'b', made]);
  expect(batchBody(sent[1]?.parts ?? [])).toEqual({
    atomic: false,
    items: [
      { op: 'change', placementId: 'a', price: 2, baseRevision: 6 },
      { op: 'change', placementId: 'b', price: 2, baseRevision: 5 },
      { op: 'add', contractor: '@new' },
    ],
  });
  const parts = [6, 9, 0].map((revision) => ({ kind: 'accepted' as const, revision }));
  await answer({ kind: 'accepted', position: 11, revision: null, parts });
  await expect.poll(() => sent.length).toBe(3);
  expect([sent[2]?.target.id, sent[2]?.baseRevision]).toEqual(['b', 9]);
});

it('GRD-1901 what of a batch is refused or contested waits for the person by itself, and what was done is done', async () => {
  const { outbox, sent, answer } = await setUp();
  outbox.issue(batchDraft([edit('a', { price: 2 }), edit('b', { price: 2 }), edit('c', { price: 2 })], 'Цена'));
  const conflict = { field: 'price', base: 1, theirs: 7, mine: 2, by: { userId: 'u', name: 'Анна' }, at: '' };
  await answer({
    kind: 'accepted',
    position: 10,
    revision: null,
    parts: [
      { kind: 'rejected', code: 'VALIDATION_FAILED', reason: 'Нет' },
      { kind: 'accepted', revision: 6 },
      { kind: 'conflict', conflicts: [conflict], revision: 8 },
    ],
  });
  const states = () => ['a', 'b', 'c'].map((id) => outbox.entriesOf('placement', id).map(({ state }) => state.kind));
  await expect.poll(states).toEqual([['rejected'], ['acknowledged'], ['conflict']]);
  const contested = outbox.entriesOf('placement', 'c')[0];
  outbox.keepMine(contested?.id ?? '');
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]).toMatchObject({ method: 'PATCH', path: '/api/placements/c', baseRevision: 8, body: { price: 2 } });
  outbox.dismiss(outbox.entriesOf('placement', 'a')[0]?.id ?? '');
  await expect.poll(() => states()[0]).toEqual([]);
});

it('GRD-1902 a batch that is refused as a whole is one refusal, and goes as one when it is tried again', async () => {
  const { outbox, sent, answer } = await setUp();
  outbox.issue(batchDraft([edit('a', { price: 2 }), edit('b', { price: 2 })], 'Цена'));
  await answer({ kind: 'rejected', code: 'ACCESS_DENIED', reason: 'Нельзя' });
  await expect.poll(() => outbox.entries().map(({ state }) => state.kind)).toEqual(['rejected']);
  outbox.tryAgain(outbox.entriesOf('placement', 'b')[0]?.id ?? '');
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]?.parts?.map(({ target }) => target.id)).toEqual(['a', 'b']);
  expect(sent[1]?.id).not.toBe(sent[0]?.id);
  expect(outbox.entries()).toHaveLength(1);
});

it('GRD-1903 the answer of the server is read item by item', async () => {
  const problem = { success: false, status: 409, code: 'CONFLICT', error: 'Уже изменено', conflicts: [], revision: 4 };
  const results = [
    { index: 0, ok: true, placement: { revision: 3 } },
    { index: 1, ok: true, placement: null },
    { index: 2, ok: false, problem },
  ];
  const reply = { data: { results }, position: 7, revision: null, commandId: null };
  const transport = httpTransport({ send: async () => reply as never }, 'me');
  const entry = { ...batchDraft([edit('a', { price: 2 })], ''), id: 'k' } as unknown as Entry;
  expect(await transport.send(entry)).toEqual({
    kind: 'accepted',
    position: 7,
    revision: null,
    parts: [
      { kind: 'accepted', revision: 3 },
      { kind: 'accepted', revision: null },
      { kind: 'conflict', conflicts: [], revision: 4 },
    ],
  });
  const failing = httpTransport(
    { send: () => Promise.reject(new ApiProblem({ code: 'NETWORK', status: 0, message: '' })) },
    'me',
  );
  expect(await failing.send(entry)).toEqual({ kind: 'later', retryAfterSeconds: null });
});

it('PST-2225 a part changes what an earlier one makes: the batch waits for nobody, and tried again it changes what is made then', async () => {
  const { outbox, sent, answer } = await setUp();
  const later = {
    ...addition,
    target: { kind: 'placement', id: null, part: 1 },
    method: 'PATCH',
    path: '/api/placements/{id}',
    body: { leads: 7 },
  } as const;
  outbox.issue(batchDraft([edit('a', { price: 2 }), addition, later], 'Вставка'));
  const madeBy = (at: number): string => derivedId(commandKeyOf('me', sent[at]?.id ?? ''), 'placement/1');
  await expect.poll(() => sent.length).toBe(1);
  expect(batchBody(sent[0]?.parts ?? [])).toMatchObject({
    items: [{ op: 'change' }, { op: 'add' }, { op: 'change', placementId: madeBy(0), leads: 7 }],
  });
  expect(outbox.entriesOf('placement', madeBy(0)).map(({ path }) => path)).toEqual([`/api/placements/${madeBy(0)}`]);
  await answer({ kind: 'rejected', code: 'ACCESS_DENIED', reason: 'Нельзя' });
  await expect.poll(() => outbox.entries().map(({ state }) => state.kind)).toEqual(['rejected']);
  outbox.tryAgain(sent[0]?.id ?? '');
  await expect.poll(() => sent.length).toBe(2);
  expect(madeBy(1)).not.toBe(madeBy(0));
  expect(sent[1]?.parts?.map(({ target, path }) => [target.id, path])).toEqual([
    ['a', '/api/placements/a'],
    [madeBy(1), '/api/placements'],
    [madeBy(1), `/api/placements/${madeBy(1)}`],
  ]);
});
