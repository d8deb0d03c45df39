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
  const list = page.getByRole('list', { name: 'Креативы' });
  await page.getByRole('button', { name: 'Добавить креатив' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Добавить' }).click();
  await expect(dialog.getByText('Название: от 1 до 120 символов')).toBeVisible();
  await dialog.getByLabel('Название').fill('Осенний ужин');
  await dialog.getByLabel('Тип').selectOption({ index: 2 });
  await dialog.getByLabel('Сокращение').fill('ОУ');
  await dialog.getByLabel('Заметки').fill('Тёплые цвета');
  await dialog.getByLabel('Название').press('Enter');
  const made = list.getByRole('listitem').filter({ hasText: 'Осенний ужин' });
  await expect(made).toContainText('Тёплые цвета');

  await page.getByRole('button', { name: 'Изменить: Осенний ужин' }).click();
  await dialog.getByLabel('Название').fill('Зимний ужин');
  await page.keyboard.press('Enter');
  await expect(list.getByRole('listitem').filter({ hasText: 'Зимний ужин' })).toContainText('активен');

  await page.getByRole('button', { name: 'Отключить: Завтраки недели' }).click();
  await expect(list.getByRole('listitem').filter({ hasText: 'Завтраки недели' })).toHaveCount(0);
  await page.getByRole('button', { name: /^Отключённые 1/u }).click();
  await expect(list.getByRole('listitem')).toHaveText([/Завтраки недели/u]);
  await page.getByLabel('Поиск креативов').fill('нет такого');
  await expect(page.getByRole('heading', { name: 'Ничего не найдено' })).toBeVisible();
  await page.getByRole('button', { name: 'Сбросить фильтры' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(3);

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
