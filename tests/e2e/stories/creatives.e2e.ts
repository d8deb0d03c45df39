import { cellOf, goToCell, rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-45 a creative is made, changed and switched off, and placements offer what is on', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya', 'maria']);
  await givenCampaign(team);
  const { page } = await as(team, 'maria', '/creatives');
  const list = page.getByRole('table', { name: 'Креативы' }).locator('tbody');
  await page.getByRole('button', { name: 'Добавить креатив' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Добавить' }).click();
  await expect(dialog.getByText('Название: от 1 до 120 символов')).toBeVisible();
  await dialog.getByLabel('Название').fill('Осенний ужин');
  await dialog.getByLabel('Тип').selectOption({ index: 2 });
  await dialog.getByLabel('Сокращение').fill('ОУ');
  await dialog.getByLabel('Заметки').fill('Тёплые цвета');
  await dialog.getByLabel('Название').press('Enter');
  const made = list.getByRole('row').filter({ hasText: 'Осенний ужин' });
  await expect(made).toContainText('Тёплые цвета');

  await page.getByRole('button', { name: 'Изменить: Осенний ужин' }).click();
  await dialog.getByLabel('Название').fill('Зимний ужин');
  await page.keyboard.press('Enter');
  await expect(list.getByRole('row').filter({ hasText: 'Зимний ужин' })).toBeVisible();

  await page.getByRole('button', { name: 'Отключить: Завтраки недели' }).click();
  await expect(list.getByRole('row').filter({ hasText: 'Завтраки недели' })).toHaveCount(0);
  await page.getByRole('button', { name: /^Отключённые 1/u }).click();
  await expect(list.getByRole('row')).toHaveText([/Завтраки недели.*отключён/u]);
  await page.getByLabel('Поиск креативов').fill('нет такого');
  await expect(page.getByRole('heading', { name: 'Ничего не найдено' })).toBeVisible();
  await page.getByRole('button', { name: 'Сбросить фильтры' }).click();
  await expect(list.getByRole('row')).toHaveCount(3);

  await page.getByRole('link', { name: 'Дашборд' }).first().click();
  await goToCell(page, '@marina_pr', 'Креатив');
  await page.keyboard.press('F2');
  const offered = page.getByRole('listbox');
  await expect(offered.getByRole('option', { name: 'Зимний ужин' })).toBeVisible();
  await expect(offered.getByRole('option', { name: 'Завтраки недели' })).toHaveCount(0);
  await page.keyboard.type('зим');
  await page.keyboard.press('Enter');
  await expect(await cellOf(page, '@marina_pr', 'Креатив')).toContainText('Зимний ужин');
  await expect(rowOf(page, '@food_daily'), 'what has it keeps it').toContainText('Завтраки недели');
});

test('E2E-1100 what a creative brought: in the list, on its page from the row and from the palette, with its reasons, live @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page } = await as(team, 'owner', '/creatives');
  const totals = page.getByLabel('Итоги по креативу');
  const bySize = page.getByRole('table', { name: 'По размеру каналов' });

  await test.step('the list: spend, leads, CPL, class and sizes', async () => {
    const row = page.getByRole('row').filter({ hasText: 'Рецепт за 15 минут' });
    await expect(row).toContainText(/8\s400,50\s₽.*110.*76,37\s₽.*Отлично.*108,01\s₽.*50,00\s₽/u);
    await row.getByRole('link', { name: 'Рецепт за 15 минут' }).click();
  });

  await test.step('its page: the same, and where it was used', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Рецепт за 15 минут' })).toBeVisible();
    await expect(totals).toContainText(/8\s400,50\s₽.*110.*76,37/u);
    await expect(bySize.getByRole('row', { name: /Крупные/u })).toContainText(/5\s400,50\s₽.*50/u);
    await expect(page.getByRole('table', { name: 'По кампаниям' })).toContainText('Ноябрь - Подписчики');
    await expect(page.getByRole('table', { name: 'Последние размещения' }).getByRole('row')).toHaveCount(3);
  });

  await test.step('a figure of one size tells its lines', async () => {
    await bySize.getByTitle(/^Приход, Средние/u).click();
    const why = page.getByRole('dialog', { name: 'Почему эта цифра?' });
    const lines = why.getByRole('table', { name: 'Засчитанные размещения', exact: true }).getByRole('row');
    await expect(lines).toHaveText([/@marina_pr/u]);
    await page.keyboard.press('Escape');
    await expect(why).toBeHidden();
  });

  await test.step('a colleague counts leads, and the page shows it', async () => {
    await team.done('PATCH', `/placements/${placements['marina_pr']?.id}`, { leads: 160 });
    await expect(totals).toContainText('210');
    await expect(bySize.getByRole('row', { name: /Средние/u })).toContainText('160');
  });

  await test.step('the palette leads to another one', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Завтраки');
    const found = page.getByRole('dialog', { name: 'Поиск и команды' }).getByRole('option');
    await expect(found.filter({ hasText: 'Завтраки недели' }).first()).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Завтраки недели' })).toBeVisible();
    await expect(totals).toContainText(/9\s200\s₽.*100/u);
  });
});
