import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

const clipboard = 'navigator.clipboard.readText()';

test('E2E-2320 a link to a view shows a colleague the same rows, wide and on a phone, Back and Forward walk through views, and what is not there is left out @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'owner');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 1280, height: 800 });
  const rows = page.getByRole('grid').getByRole('row').filter({ hasText: '@' });
  await expect(rows).toHaveCount(5);

  await page.getByRole('button', { name: 'Найти', exact: true }).click();
  await page.keyboard.type('daily');
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/search=daily/u);
  await page.getByRole('button', { name: 'Сбросить фильтры' }).click();
  await expect(rows).toHaveCount(5);
  await page.getByRole('button', { name: 'Фильтр', exact: true }).click();
  await page.locator('.z-bar-popover').getByRole('button', { name: 'Байер' }).press('Enter');
  await page.getByRole('checkbox', { name: 'Анна Соколова' }).press(' ');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('grid').getByRole('button', { name: 'Цена' }).click();
  await expect(page).toHaveURL(/buyer=.*sort=price/u);
  const chips = page.locator('.z-filter-chips');
  await expect(chips).toContainText('Байер: Анна Соколова');
  const seen = await rows.allInnerTexts();

  await test.step('Back walks through the views and then leads out, Forward comes back', async () => {
    const price = page.getByRole('grid').getByRole('columnheader', { name: 'Цена' });
    await page.goBack();
    await expect(price).not.toHaveAttribute('aria-sort', 'ascending');
    await expect(chips).toContainText('Байер: Анна Соколова');
    await page.goBack();
    await expect(rows).toHaveCount(5);
    await page.goBack();
    await expect(chips).toContainText('Найти: daily');
    await page.goBack();
    await expect(rows).toHaveCount(5);
    for (let times = 0; times < 4; times += 1) await page.goForward();
    await expect(price).toHaveAttribute('aria-sort', 'ascending');
    await expect.poll(() => rows.allInnerTexts()).toEqual(seen);
  });

  await page.getByRole('button', { name: /^Ещё: скачать/u }).click();
  await page.getByRole('menuitem', { name: 'Скопировать ссылку на вид' }).click();
  await expect(page.getByText('Ссылка на вид скопирована')).toBeVisible();
  const link = new URL(String(await page.evaluate(clipboard)));
  expect([...link.searchParams.keys()]).toEqual(['campaign', 'buyer', 'sort']);

  const { page: theirs } = await as(team, 'ilya', `${link.pathname}${link.search}`);
  await theirs.setViewportSize({ width: 1280, height: 800 });
  const their = theirs.getByRole('grid').getByRole('row').filter({ hasText: '@' });
  await expect(theirs.locator('.z-filter-chips')).toContainText('Байер: Анна Соколова');
  await expect(their).toHaveCount(seen.length);
  for (const [at, text] of seen.entries())
    await expect(their.nth(at)).toContainText(text.split(/\s/u).find((word) => word.startsWith('@')) ?? '@');

  await test.step('on a tablet and on a phone', async () => {
    await theirs.setViewportSize({ width: 820, height: 1180 });
    await expect(their).toHaveCount(seen.length);
    await theirs.setViewportSize({ width: 390, height: 844 });
    await theirs.goto(`${address}${link.pathname}${link.search}`);
    await expect(theirs.getByRole('article')).toHaveCount(seen.length);
    const first = seen[0]?.split(/\s/u).find((word) => word.startsWith('@')) ?? '@';
    await expect(theirs.getByRole('article').first()).toContainText(first);
  });

  await test.step('an old or a bad link is a table, with a word', async () => {
    link.searchParams.append('buyer', 'somebody-who-left');
    link.searchParams.set('sort', '%%');
    link.searchParams.set('from', 'вчера');
    await theirs.goto(`${address}${link.pathname}${link.search}`);
    await expect(theirs.getByText('В ссылке есть то, чего здесь нет: байер. Показано без этого')).toBeVisible();
    await expect(theirs.getByText(/чего здесь нет: дата с, порядок/u)).toBeVisible();
    await expect(theirs.getByRole('article')).toHaveCount(seen.length);
  });
});

test('E2E-2323 placements stand in groups with their sums, by keys and on a phone, and a link says so @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'owner');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: /^Ещё: скачать/u }).click();
  await page.getByRole('menuitem', { name: 'По байеру' }).click();
  const tree = page.getByRole('treegrid');
  const groups = tree.locator('[aria-level="1"]');
  const rows = tree.locator('[aria-level="2"]');
  await expect(rows).toHaveCount(5);
  await expect(page).toHaveURL(/group=buyer/u);
  await expect(groups.first()).toContainText('Анна Соколова');
  await expect(groups.first()).toContainText(/размещени.+₽ · Приход: .+CPL: /u);

  await groups.first().getByRole('gridcell').click();
  await expect(groups.first()).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowRight');
  await expect(rows).toHaveCount(5);
  await page.keyboard.press('ArrowLeft');
  await expect(rows).not.toHaveCount(5);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect(rows.first().locator(':focus')).toHaveCount(1);

  await page.reload();
  await expect(groups.first()).toContainText('Анна Соколова');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  const heading = page.getByRole('button', { name: /Анна Соколова.*CPL/u });
  await expect(heading).toHaveAttribute('aria-expanded', 'true');
  const cards = page.getByRole('article');
  await expect(cards.first()).toBeVisible();
  const open = await cards.count();
  await heading.scrollIntoViewIfNeeded();
  await heading.click();
  await expect(heading).toHaveAttribute('aria-expanded', 'false');
  await expect.poll(() => cards.count()).toBeLessThan(open);
  await page.getByRole('button', { name: /^Ещё: скачать/u }).click();
  await page.getByRole('menuitem', { name: 'Без групп' }).click();
  await expect(heading).toHaveCount(0);
});
