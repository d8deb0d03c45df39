import type { ContractorWire, CreativeWire, PlacementWire, UserWire } from '@zakup/contracts/wire-entities';
import { messages } from '@zakup/domain/messages';
import { noCreative } from '@zakup/domain/placement/events';
import { expect, it } from 'vitest';
import { pastedBlock } from '../../../shared/table/pasted-block.ts';
import { placementDocument } from '../../../shared/testing/placement-document.ts';
import { placementColumns } from '../columns/placement-columns.tsx';
import type { Names, PlacementRow } from '../rows/placement-row.ts';
import { pasteDrafts } from './paste-drafts.ts';
import { type PasteDeps, type PastePlan, planPaste } from './paste-plan.ts';

const byId = <Doc extends { readonly id: string }>(docs: readonly object[]): ReadonlyMap<string, Doc> =>
  new Map((docs as readonly Doc[]).map((doc) => [doc.id, doc]));

const names: Names = {
  contractors: byId<ContractorWire>([
    { id: 'k1', adminUsername: '@Kitchen', otherUsernames: ['@kitchen_old'], category: 'Кулинария' },
    { id: 'k2', adminUsername: '@marina', otherUsernames: [], category: 'не из списка' },
  ]),
  users: byId<UserWire>([
    { id: 'anna', name: 'Анна Петрова' },
    { id: 'ilya', name: 'Илья' },
    { id: 'gone', name: 'Бывший' },
  ]),
  creatives: byId<CreativeWire>([{ id: 'cr1', name: 'Ёлка' }]),
};
const option = (value: string, label: string) => ({ value, label });
const choices = {
  buyers: [option('anna', 'Анна Петрова'), option('ilya', 'Илья')],
  creatives: [
    option(noCreative, 'Без креатива'),
    option('cr1', 'Ёлка'),
    option('cr2', 'Двойник'),
    option('cr3', 'двойник'),
  ],
  topics: [option('Юмор', 'Юмор')],
  formats: [],
  nicks: [],
};
const locked = 'p9';
const deps: PasteDeps = {
  names,
  choices,
  today: '2026-11-28',
  ownBuyerId: 'anna',
  mayAdd: true,
  editable: ({ id }) => id !== locked,
  mayGive: (_, newBuyerId) => newBuyerId !== 'ilya',
};
const nothing = (): void => undefined;
const columns = placementColumns({
  choices,
  editable: deps.editable,
  onOpenContractor: nothing,
  onEditNick: nothing,
  onEditComment: nothing,
  onTogglePayment: nothing,
  onHistory: nothing,
  onWhy: nothing,
  onRemove: nothing,
}).filter(({ id }) => !['status', 'comment', 'post'].includes(id));

const rowOf = (nick: string, of: Partial<PlacementWire>): PlacementRow => {
  const placement = placementDocument(of);
  const row = { kind: 'stored', id: placement.id, placement, decided: placement, stored: placement, counted: true };
  return { ...row, nick, entries: [], creativeName: '', buyerName: '' } as unknown as PlacementRow;
};
const rows = [
  rowOf('@Kitchen', { id: 'p1', price: 500, leads: 5 }),
  rowOf('@marina', { id: 'p2', price: 700, leads: 0, contractorId: 'k2', buyerId: 'gone' }),
  rowOf('@third', { id: 'p3', price: 900, leads: 9, contractorId: 'k3', paymentStatus: 'paid' }),
];

interface Pasting {
  readonly text: string;
  readonly on?: string;
  readonly from?: number;
  readonly to?: number;
  readonly right?: string;
  readonly all?: readonly PlacementRow[];
  readonly choice?: Parameters<typeof planPaste>[2];
  readonly as?: Partial<PasteDeps>;
}

const plan = ({
  text,
  on = 'price',
  from = 0,
  to = from,
  right = on,
  all = rows,
  choice = {},
  as = {},
}: Pasting): PastePlan => {
  const block = pastedBlock({ text, html: null });
  if (block.kind !== 'block') throw new Error(block.kind);
  const placeOf = (column: string): number => columns.findIndex(({ id }) => id === column);
  const at = {
    rows: all,
    columns,
    top: from,
    bottom: to,
    left: placeOf(on),
    right: placeOf(right),
    pageEnd: all.length,
  };
  return planPaste(block, at, choice, { ...deps, ...as });
};
const bodies = ({ changes }: PastePlan) => changes.map(({ row, body }) => [row.id, body]);
const reasons = ({ skipped }: PastePlan) => skipped.map(({ where, reason }) => `${where}: ${reason}`);

it('PST-2215 a block goes over the rows in their order from the active cell on, as the editors read it, and says what stays', () => {
  const pasted = plan({ text: '5,2к\t=5*2\n700,00 ₽\tмного\n5 400 руб.\t' });
  expect(bodies(pasted)).toEqual([
    ['p1', { price: 5200, leads: 10 }],
    ['p3', { price: 5400, leads: 0 }],
  ]);
  expect(reasons(pasted)).toEqual([`@marina, 20 ноября: Приход: ${messages.leadsInvalid}`]);
  expect(pasted.changed.map(({ was, becomes }) => `${was} → ${becomes}`.replaceAll('\u00a0', ' '))).toEqual([
    '500 ₽ → 5 200 ₽',
    '5 → 10',
    '900 ₽ → 5 400 ₽',
    '9 → 0',
  ]);
  expect([pasted.cells, pasted.needsPreview]).toEqual([6, false]);
});

it('PST-2216 a read-only column, what stands right of the table and a row that may not be changed are left out with their reason', () => {
  const all = [...rows.slice(0, 1), rowOf('@x', { id: locked })];
  const wide = plan({ text: '7\t1\n8\t2', on: 'leads', all });
  expect(bodies(wide)).toEqual([['p1', { leads: 7 }]]);
  expect(reasons(wide)).toEqual([
    '@x, 20 ноября: Приход: эту строку нельзя править',
    'Столбец «CPL»: CPL считается сам',
  ]);
  const beyond = plan({ text: 'оплачено\tx\ty', on: 'payment' });
  expect(bodies(beyond)).toEqual([['p1', { paymentStatus: 'paid' }]]);
  expect(reasons(beyond)).toEqual(['Столбец 2: правее таблицы', 'Столбец 3: правее таблицы']);
  expect(reasons(plan({ text: 'Илья', on: 'buyer' }))).toEqual([
    `@Kitchen, 20 ноября: Байер: ${messages.onlyOwnPlacements}`,
  ]);
});

it('PST-2217 an empty cell empties what may be empty, an empty line changes nothing, and what is so already is no change', () => {
  const pasted = plan({ text: '\t5\tЁлка\t\n\n\t\t\tЮмор', on: 'price', choice: { mode: 'over' } });
  expect(bodies(pasted)).toEqual([
    ['p1', { price: 0 }],
    ['p3', { price: 0, leads: 0 }],
  ]);
  expect(reasons(plan({ text: '\t@kitchen_new', on: 'date', choice: { mode: 'over' } }))).toEqual([
    '@Kitchen, 20 ноября: Дата: поле «Дата» не бывает пустым',
  ]);
  expect(plan({ text: '@KITCHEN', on: 'contractor' }).changes).toEqual([]);
  expect(plan({ text: 'Бывший', on: 'buyer', from: 1 }).unknown, 'who does not buy any more stays').toEqual([]);
});

it('PST-2218 a single value fills the range, a row repeats down it, and what is no multiple is pasted once', () => {
  expect(bodies(plan({ text: '100', to: 2, right: 'leads' }))).toEqual([
    ['p1', { price: 100, leads: 100 }],
    ['p2', { price: 100, leads: 100 }],
    ['p3', { price: 100, leads: 100 }],
  ]);
  expect(bodies(plan({ text: '100\t1', to: 1, right: 'leads' }))).toEqual([
    ['p1', { price: 100, leads: 1 }],
    ['p2', { price: 100, leads: 1 }],
  ]);
  expect(bodies(plan({ text: '1\n2', to: 2 }))).toEqual([
    ['p1', { price: 1 }],
    ['p2', { price: 2 }],
  ]);
});

it('PST-2219 lines below the last row become placements with the defaults, and one that is wrong or names nobody does not', () => {
  const pasted = plan({
    text: '@kitchen_old\t5к\t12\nt.me/Fresh\t\t\n\t100\t1\n@bad\tмного\t1\n\u200b@hidden\t1\t1',
    on: 'contractor',
    from: 3,
    to: 3,
    choice: { resolved: new Map([['category/', 'Юмор']]) },
  });
  expect(pasted.additions).toMatchObject([
    {
      contractorId: 'k1',
      contractor: '@kitchen_old',
      buyerId: 'anna',
      category: 'Кулинария',
      date: '2026-11-28',
      members: { price: 5000 },
      later: { leads: 12 },
    },
    { line: 2, contractorId: null, contractor: '@Fresh', category: 'Юмор', members: {}, later: {} },
  ]);
  expect(reasons(pasted)).toEqual([
    `Строка 3: Контрагент: ${messages.nickRequired}`,
    `Строка 4: Цена: ${messages.priceInvalid}`,
    `Строка 5: Контрагент: ${messages.nickInvalid}`,
  ]);
  expect([pasted.needsPreview, pasted.hasChoice]).toEqual([true, false]);
  const drafts = pasteDrafts(pasted, 'c', names);
  expect(drafts.map(({ method, target, body }) => [method, target, body])).toEqual([
    [
      'POST',
      { kind: 'placement', id: null },
      {
        campaignId: 'c',
        contractor: '@kitchen_old',
        buyerId: 'anna',
        category: 'Кулинария',
        date: '2026-11-28',
        price: 5000,
        creativeId: noCreative,
      },
    ],
    ['POST', { kind: 'placement', id: null }, expect.objectContaining({ contractor: '@Fresh', price: 0 })],
    ['PATCH', { kind: 'placement', id: null, part: 0 }, { leads: 12 }],
  ]);
  const alone = plan({ text: '100\n200\n300', from: 2, to: 2 });
  expect(reasons(alone), 'without a nick nothing is made').toEqual([
    'Строка 2: ниже таблицы: ник контрагента обязателен',
    'Строка 3: ниже таблицы: ник контрагента обязателен',
  ]);
  expect(plan({ text: '@a\t1', on: 'contractor', from: 3, to: 3, as: { mayAdd: false } }).additions).toEqual([]);
});

it('PST-2220 lines that each name somebody else are new rows unless chosen otherwise, and the choice is asked for', () => {
  const text = '@one\t100\n@two\t200';
  const resolved = new Map([['category/', 'Юмор']]);
  const fresh = plan({ text, on: 'contractor', choice: { resolved } });
  expect([fresh.mode, fresh.hasChoice, fresh.additions.length, fresh.changes.length]).toEqual(['new', true, 2, 0]);
  const over = plan({ text, on: 'contractor', choice: { mode: 'over' } });
  expect(bodies(over)).toEqual([
    ['p1', { contractor: '@one', price: 100 }],
    ['p2', { contractor: '@two', price: 200 }],
  ]);
  expect(over.needsPreview).toBe(true);
  const again = plan({ text: '@kitchen\t100\n@marina\t200', on: 'contractor' });
  expect([again.mode, again.hasChoice, again.needsPreview]).toEqual(['over', false, false]);
  expect(plan({ text: '@one\n@two', on: 'contractor' }).mode, 'nicks alone').toBe('over');
});

it('PST-2221 a heading line maps columns by name, wherever they stand, and says which it does not know', () => {
  const pasted = plan({
    text: 'Охват\tЛиды\tСтатус\tСтоимость\tCPL\tЦена\n10\t7\tЗавершено\t100\t3\t1',
    on: 'buyer',
  });
  expect(bodies(pasted)).toEqual([['p1', { leads: 7, status: 'DONE', price: 100 }]]);
  expect(reasons(pasted)).toEqual([
    'Столбец «Охват»: нет такого столбца',
    'Столбец «CPL»: CPL считается сам',
    'Столбец «Цена»: такой столбец уже есть левее',
  ]);
  expect([pasted.hasHeading, pasted.needsPreview]).toEqual([true, true]);
  expect(bodies(plan({ text: 'Цена\n100' }))).toEqual([['p1', { price: 100 }]]);
  expect(plan({ text: 'Приход\n100' }).hasHeading, 'another than the column').toBe(false);
});

it('PST-2222 lines of a chat are understood by what stands in them', () => {
  const pasted = plan({
    text: '@ivan 5400 15.11\n@anna 3к 16.11.2026',
    on: 'date',
    choice: { mode: 'new', resolved: new Map([['category/', 'Юмор']]) },
  });
  expect(pasted.additions).toMatchObject([
    { contractor: '@ivan', date: '2026-11-15', members: { price: 5400 } },
    { contractor: '@anna', date: '2026-11-16', members: { price: 3000 } },
  ]);
  expect(pasted.needsPreview).toBe(true);
});

it('PST-2223 each unknown name is asked for once, and what is chosen goes into all of its cells', () => {
  const onto = { text: 'Петя\nпетя ', on: 'buyer' };
  const asked = plan(onto);
  expect(asked.unknown).toEqual([{ field: 'buyerId', text: 'Петя', cells: 2 }]);
  expect(reasons(asked)).toEqual([
    `@Kitchen, 20 ноября: Байер: ${messages.buyerUnknown}`,
    `@marina, 20 ноября: Байер: ${messages.buyerUnknown}`,
  ]);
  const chosen = plan({ ...onto, choice: { resolved: new Map([['buyerId/петя', 'anna']]) } });
  expect(bodies(chosen)).toEqual([['p2', { buyerId: 'anna' }]]);
  expect([chosen.unknown.length, chosen.skipped.length], 'it can be chosen otherwise').toEqual([1, 0]);
  const ambiguous = plan({ text: 'двойник\tНечто', on: 'creative' });
  expect(ambiguous.unknown.map(({ field, text: name }) => [field, name])).toEqual([
    ['creativeId', 'двойник'],
    ['category', 'Нечто'],
  ]);
  expect(ambiguous.skipped.map(({ reason }) => reason)).toEqual([messages.nameAmbiguous, messages.chooseTopic]);
});

it('PST-2224 more than twenty cells, and rows of later pages, are shown before', () => {
  const many = Array.from({ length: 21 }, (_, at) => rowOf('@k', { id: `r${at}`, price: 1 }));
  const lines = (count: number): string => Array<string>(count).fill('5').join('\n');
  expect(plan({ text: lines(20), all: many }).needsPreview).toBe(false);
  const shown = plan({ text: lines(21), all: many });
  expect([shown.needsPreview, shown.changes.length]).toEqual([true, 21]);
});

it('PST-2503 ten thousand cells are read whole; what comes to more than a thousand changes is told before it is sent', () => {
  const all = Array.from({ length: 1000 }, (_, at) => rowOf('@kitchen', { id: `r${at}`, price: 1, leads: 1 }));
  const line = (more: string): string => `27.11.2026\t@kitchen\t5к\t7\t714,29\tЁлка\tЮмор\t1/48\tАнна Петрова\t${more}`;
  const reckoned = (more: string) => plan({ text: Array<string>(1000).fill(line(more)).join('\n'), on: 'date', all });
  const whole = reckoned('');
  expect([whole.cells, whole.changes.length, whole.additions.length]).toEqual([10_000, 1000, 0]);
  expect(whole.changes.at(-1)).toMatchObject({
    row: { id: 'r999' },
    body: { date: '2026-11-27', price: 5000, leads: 7, creativeId: 'cr1', category: 'Юмор', format: '1/48' },
  });
  expect(pasteDrafts(whole, 'c', names)).toHaveLength(1000);
  expect(pasteDrafts(reckoned('оплачено'), 'c', names)).toHaveLength(2000);
});

it('PST-2504 of half rows only what they hold is pasted, and days of other countries are refused, not guessed', () => {
  expect(bodies(plan({ text: '100\t1\n200\n300\t3' }))).toEqual([
    ['p1', { price: 100, leads: 1 }],
    ['p2', { price: 200 }],
    ['p3', { price: 300, leads: 3 }],
  ]);
  const days = plan({ text: '11/15/2026\n15/11/2026\n2026/11/15', on: 'date' });
  expect(days.changes).toEqual([]);
  expect(days.skipped.map(({ text, reason }) => [text, reason])).toEqual([
    ['11/15/2026', messages.dateInvalid],
    ['15/11/2026', messages.dateInvalid],
    ['2026/11/15', messages.dateInvalid],
  ]);
});

it.each(['\u202e@ivan', '@iv\u200ban', '\u2067ivan\u2069', '@ivan\u200f', 'iv\u00adan'])(
  'PST-2505 a nick with what nobody sees in it is refused, not cleaned: %j',
  (nick) => {
    const pasted = plan({ text: `${nick}\t100`, on: 'contractor', choice: { mode: 'over' } });
    expect(bodies(pasted)).toEqual([['p1', { price: 100 }]]);
    expect(pasted.skipped.map(({ text, reason }) => [text, reason])).toEqual([[nick, messages.nickInvalid]]);
  },
);
