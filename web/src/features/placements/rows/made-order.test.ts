import { expect, it } from 'vitest';
import { batchDraft, type PartDraft } from '../../../shared/outbox/batch.ts';
import { withTarget } from '../../../shared/outbox/entry.ts';
import { firstMade, inMadeOrder } from './made-order.ts';

const part = (target: PartDraft['target'], name: string): PartDraft => ({
  target,
  method: 'POST',
  path: '/api/placements/{id}',
  body: { name },
  baseRevision: null,
  label: '',
  scope: 'campaign:c',
});
const change = part({ kind: 'placement', id: 'p1' }, 'change');
const making = (name: string): PartDraft => part({ kind: 'placement', id: null }, name);

it('PST-2507 what a batch makes has ids that rise in its order; what changes it follows it, and the rest stays in its place', () => {
  const names = Array.from({ length: 30 }, (_, at) => `made ${at}`);
  const later = part({ kind: 'placement', id: null, part: 4 }, 'later of made 3');
  const draft = inMadeOrder(batchDraft([change, ...names.map(making), later], 'Вставка'), 'me');
  const entry = withTarget(
    { ...draft, id: draft.id ?? '', order: 1, issuedAt: 0, attempted: false, state: { kind: 'pending' } },
    'me',
  );
  const parts = entry.parts ?? [];
  expect(parts.map(({ index }) => index)).toEqual(parts.map((_, at) => at));
  expect([parts[0]?.body, parts.at(-1)?.body]).toEqual([{ name: 'change' }, { name: 'later of made 3' }]);
  const made = parts.filter(({ creates }) => creates === true);
  const rising = made.toSorted((a, b) => (a.target.id < b.target.id ? -1 : 1));
  expect(rising.map(({ body }) => body['name'])).toEqual(names);
  expect(parts.at(-1)?.target.id).toBe(made.find(({ body }) => body['name'] === 'made 3')?.target.id);
  expect(parts.at(-1)?.path).toBe(`/api/placements/${parts.at(-1)?.target.id}`);
  expect(firstMade(entry)).toBe(rising[0]?.target.id);
});

it('PST-2508 a command that makes one thing or none is as it was', () => {
  const draft = batchDraft([change, making('one')], 'Вставка');
  expect(inMadeOrder(draft, 'me')).toBe(draft);
  expect(firstMade(undefined)).toBeNull();
});
