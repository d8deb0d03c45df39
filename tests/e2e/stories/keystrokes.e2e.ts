import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { cellOf, goToCell, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

/** What docs/keystrokes.md says of each edit: presses here, and in a spreadsheet. */
const told = new Map(
  [
    ...readFileSync(new URL('../../../docs/keystrokes.md', import.meta.url), 'utf8').matchAll(
      /^\| (KEY-\d+) \| [^|]+ \| (\d+) \| (\d+) \|/gmu,
    ),
  ].map(([, id = '', here, sheets]) => [id, { here: Number(here), sheets: Number(sheets) }] as const),
);

/** Counts what a person presses while doing the edit of a row. */
const countedKeys = async (page: Page) => {
  const keyboard = await page.context().newCDPSession(page);
  const done = new Set<string>();
  let count = 0;
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      count += 1;
      await page.keyboard.press(key);
    }
  };
  const type = async (text: string): Promise<void> => {
    count += text.length;
    // As a Russian keyboard sends them: the page sees the key before the sign.
    for (const sign of text) {
      await keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', key: sign, text: sign });
      await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key: sign });
    }
  };
  /** A click, or a file that is let fall. */
  const move = async (act: () => Promise<void>): Promise<void> => {
    count += 1;
    await act();
  };
  return {
    press,
    type,
    move,
    /** One edit, from its first press to its last; `outcome` is not counted. */
    edit: (id: string, act: () => Promise<void>, outcome: () => Promise<void>): Promise<void> =>
      test.step(id, async () => {
        count = 0;
        await act();
        const row = told.get(id);
        expect.soft(count, `${id}: presses here`).toBe(row?.here);
        expect.soft(count, `${id}: no more than in a spreadsheet`).toBeLessThanOrEqual(row?.sheets ?? 0);
        await outcome();
        done.add(id);
      }),
    /** What of the page has not been done yet. */
    left: (): readonly string[] => [...told.keys()].filter((id) => !done.has(id)),
  };
};

test('E2E-1905 each edit of docs/keystrokes.md costs the presses it says, and no more than in a spreadsheet', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const { press, type, move, edit, left } = await countedKeys(page);
  const status = page.locator('.z-selection-status');
  const shows = async (nick: string, column: string, text: RegExp | string): Promise<void> =>
    expect(await cellOf(page, nick, column)).toContainText(text);

  await goToCell(page, '@marina_pr', 'Цена');
  await edit(
    'KEY-1',
    async () => {
      await type('7к');
      await press('Enter');
    },
    () => shows('@marina_pr', 'Цена', '7 000 ₽'),
  );

  await goToCell(page, '@marina_pr', 'Цена');
  await edit(
    'KEY-2',
    async () => {
      await type('=5400+300');
      await press('Enter');
    },
    () => shows('@marina_pr', 'Цена', '5 700 ₽'),
  );

  await goToCell(page, '@kitchen_ads', 'Приход');
  await edit(
    'KEY-3',
    async () => {
      for (const leads of ['12', '34', '56']) {
        await type(leads);
        await press('Enter');
      }
    },
    async () => {
      await shows('@kitchen_ads', 'Приход', '12');
      await shows('@food_daily', 'Приход', '56');
    },
  );

  await goToCell(page, '@marina_pr', 'Тематика');
  await edit(
    'KEY-4',
    async () => {
      await type('юм');
      await press('Enter');
    },
    () => shows('@marina_pr', 'Тематика', 'Юмор'),
  );

  const day = await goToCell(page, '@new_place', 'Дата');
  const today = await day.innerText();
  await edit(
    'KEY-5',
    async () => {
      await type('позавчера');
      await press('Enter');
    },
    () => expect(day).not.toHaveText(today),
  );

  await goToCell(page, '@marina_pr', 'Оплата');
  await edit(
    'KEY-6',
    () => press('Space'),
    () => shows('@marina_pr', 'Оплата', 'Оплачено'),
  );

  await goToCell(page, '@kitchen_ads', 'Цена');
  await edit(
    'KEY-7',
    () => press('Shift+ArrowDown', 'Shift+ArrowDown', 'Control+KeyD'),
    () => shows('@food_daily', 'Цена', '5 400,50 ₽'),
  );

  await goToCell(page, '@kitchen_ads', 'Приход');
  await edit(
    'KEY-8',
    () => press('Shift+ArrowDown', 'Shift+ArrowDown', 'Delete'),
    () => shows('@food_daily', 'Приход', /^0/u),
  );

  await goToCell(page, '@kitchen_ads', 'Цена');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await edit(
    'KEY-9',
    () => press('Shift+ArrowDown', 'Shift+ArrowRight', 'Control+KeyC'),
    () => expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('5400,5\t0\n5400,5\t0'),
  );

  // Before the one that was dated by KEY-5.
  await goToCell(page, '@food_daily', 'Цена');
  await edit(
    'KEY-14',
    () => press('Control+KeyV'),
    () => shows('@new_place', 'Цена', '5 400,50 ₽'),
  );
  await edit(
    'KEY-15',
    () => press('Control+KeyZ'),
    () => shows('@new_place', 'Цена', '1 200 ₽'),
  );
  await edit(
    'KEY-16',
    () => press('Control+KeyY'),
    () => shows('@new_place', 'Цена', '5 400,50 ₽'),
  );

  await goToCell(page, '@kitchen_ads', 'Цена');
  await edit(
    'KEY-10',
    () => press('Control+Space'),
    () => expect(status).toContainText('Выбрано: 5 ячеек · Сумма:'),
  );

  await goToCell(page, '@kitchen_ads', 'Цена');
  await edit(
    'KEY-11',
    () => press('Control+ArrowDown'),
    () => expect(page.locator('[data-row] [tabindex="0"]')).toBeFocused(),
  );

  await goToCell(page, '@kitchen_ads', 'Цена');
  await edit(
    'KEY-12',
    async () => {
      await press('Control+KeyF');
      await type('mari');
    },
    async () => {
      await expect(rowOf(page, '@kitchen_ads')).toHaveCount(0);
      await expect(rowOf(page, '@marina_pr')).toBeVisible();
    },
  );

  const price = await goToCell(page, '@marina_pr', 'Цена');
  const before = await price.innerText();
  await page.keyboard.type('99');
  await edit(
    'KEY-13',
    () => press('Escape'),
    () => expect(price).toHaveText(before),
  );

  await edit(
    'KEY-17',
    () => press('Control+KeyJ'),
    () => expect(rowOf(page, '@marina_pr')).toHaveCount(2),
  );

  // What KEY-12 searched for goes.
  await page.keyboard.press('Control+KeyF');
  await page.keyboard.press('Escape');
  await goToCell(page, '@kitchen_ads', 'Оплата');
  const unpaid = page.getByRole('gridcell', { name: 'Не оплачено' });
  const wasUnpaid = await unpaid.count();
  await edit(
    'KEY-18',
    () => press('Shift+ArrowDown', 'Shift+ArrowDown', 'Space'),
    () => expect(unpaid).not.toHaveCount(wasUnpaid),
  );

  await goToCell(page, '@kitchen_ads', 'Цена');
  await edit(
    'KEY-19',
    async () => {
      await press('Control+Enter');
      await expect(page.getByRole('dialog').getByLabel('Ник контрагента')).toBeFocused();
      await type('mari');
      await press('ArrowDown', 'Enter', 'Enter');
    },
    () => expect(rowOf(page, '@marina_pr')).toHaveCount(3),
  );

  const purchases = 'Дата;Контрагент;Цена;Тематика\r\n01.11.2026;@from_file;5400;Юмор';
  const file = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(purchases)}], 'ноябрь.csv', { type: 'text/csv' }));
    return transfer;
  })()`);
  await edit(
    'KEY-20',
    async () => {
      await move(() => page.locator('.z-placements').dispatchEvent('drop', { dataTransfer: file }));
      await move(() => page.getByRole('button', { name: /^Импортировать/u }).click());
    },
    () => expect(rowOf(page, '@from_file')).toBeVisible(),
  );

  await settled(page);
  expect(left()).toEqual([]);
});
