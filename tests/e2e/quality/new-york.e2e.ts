import { expect, test, sceneOf } from './demo.ts';

// The clock of these tests stands at half past midnight of 22 November in Moscow: in New York it is the 21st, half past four.
const newYork = { timezoneId: 'America/New_York' } as const;

test('QUAL-8 a browser set to New York shows the days of Moscow, also around its midnight', async ({ viewOf }) => {
  const { page, goTo } = await viewOf('owner', newYork);
  await goTo(sceneOf('add-placement'));
  expect(await page.evaluate('new Date().getDate()')).toBe(21);
  await expect(page.getByRole('dialog').getByLabel('Дата')).toHaveValue('22.11.2026');
  await page.keyboard.press('Escape');

  const cell = page
    .getByRole('grid', { name: /^Размещения/u })
    .getByRole('gridcell', { name: /НОЯБРЯ|ОКТЯБРЯ/u })
    .first();
  const shown = await cell.innerText();
  await cell.click();
  await page.keyboard.press('F2');
  const [day = '', month = ''] = shown.split(/\s/u);
  const numbers: Readonly<Record<string, string>> = { СЕНТЯБРЯ: '09', ОКТЯБРЯ: '10', НОЯБРЯ: '11' };
  const typed = `${day.padStart(2, '0')}.${numbers[month]}.2026`;
  await expect(page.locator('input:focus')).toHaveValue(typed);
  // The calendar below works in the zone of the browser: it must mark the same day.
  const calendar = page.locator('.z-calendar');
  await expect(calendar.getByRole('gridcell', { selected: true })).toHaveText(String(Number(day)));
  await page.keyboard.press('Escape');
});

test('QUAL-28 the calendar of a browser in New York begins with Monday and marks the day of Moscow as today', async ({
  viewOf,
}) => {
  const { page, goTo } = await viewOf('owner', newYork);
  await goTo(sceneOf('add-placement'));
  await page.getByRole('dialog').getByLabel('Дата').click();
  const calendar = page.locator('.z-calendar');
  await expect(calendar.getByRole('columnheader')).toHaveText(['пн', 'вт', 'ср', 'чт', 'пт', 'сб', 'вс']);
  // 22 November 2026 is a Sunday: the last of its week.
  const week = calendar.getByRole('row').filter({ has: page.locator('.rdp-day_today') });
  await expect(calendar.locator('.rdp-day_today')).toHaveText('22');
  await expect(week.getByRole('gridcell').last()).toHaveText('22');
});

test('QUAL-9 the journal of a browser in New York reads as in Moscow, days and hours @deep', async ({ viewOf }) => {
  const moscow = await viewOf('owner', { timezoneId: 'Europe/Moscow' });
  const overseas = await viewOf('owner', newYork);
  const texts = await Promise.all(
    [moscow, overseas].map(async ({ page, goTo }) => {
      await goTo(sceneOf('journal'));
      await page.locator('.z-journal-row').first().waitFor();
      return page.getByRole('grid', { name: 'Журнал' }).innerText();
    }),
  );
  expect(texts[1]).toBe(texts[0]);
});
