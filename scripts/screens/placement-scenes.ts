import { button, cell, click, dashboard, dialog, editor, menu, opens, popup, type Scene } from './steps.ts';

/** What opens on the table of placements, and on the cards that a phone has in its stead. */
export const placementScenes: readonly Scene[] = [
  { ...dashboard, name: 'add-placement', title: 'Новое размещение', open: opens(/^Добавить/u) },
  { ...dashboard, name: 'cell-price', title: 'Правка цены', open: editor('Цена'), only: 'wide' },
  { ...dashboard, name: 'cell-date', title: 'Правка даты', open: editor('Дата'), only: 'wide' },
  { ...dashboard, name: 'cell-nick', title: 'Смена контрагента', open: editor('Контрагент'), only: 'wide' },
  {
    ...dashboard,
    name: 'cell-topic',
    unpictured: true,
    title: 'Правка тематики',
    open: editor('Тематика'),
    only: 'wide',
  },
  {
    ...dashboard,
    name: 'cell-creative',
    unpictured: true,
    title: 'Правка креатива',
    open: editor('Креатив'),
    only: 'wide',
  },
  { ...dashboard, name: 'filter', title: 'Фильтр размещений', open: popup(/^Фильтр/u), only: 'wide' },
  { ...dashboard, name: 'filter-sheet', title: 'Фильтр размещений', open: opens(/^Фильтр/u), only: 'narrow' },
  { ...dashboard, name: 'columns', title: 'Столбцы', open: popup('Столбцы'), only: 'wide' },
  {
    ...dashboard,
    name: 'more',
    unpictured: true,
    title: 'Файлы, печать, клавиши',
    open: menu((page) => button(page, /^Ещё: скачать/u)),
    only: 'wide',
  },
  {
    ...dashboard,
    name: 'keys',
    title: 'Клавиши',
    only: 'wide',
    open: async (page) => {
      await click(button(page, /^Ещё: скачать/u));
      await page.getByRole('menuitem', { name: /Клавиши/u }).click();
      await dialog(page).waitFor();
    },
  },
  {
    ...dashboard,
    name: 'placement-history',
    title: 'История размещения',
    only: 'wide',
    open: async (page) => {
      await (await cell(page, 'Дата')).click();
      await page.keyboard.press('Space');
      await dialog(page).waitFor();
    },
  },
  {
    ...dashboard,
    name: 'delete-placement',
    title: 'Удаление размещения',
    only: 'wide',
    open: async (page) => {
      await (await cell(page, 'Дата')).hover();
      await opens(/^Удалить размещение/u)(page);
    },
  },
  { ...dashboard, name: 'edit-placement', title: 'Правка размещения', open: opens(/^Изменить/u), only: 'narrow' },
  {
    ...dashboard,
    name: 'edit-date',
    unpictured: true,
    title: 'Правка даты',
    only: 'narrow',
    open: async (page) => {
      await opens(/^Изменить/u)(page);
      await dialog(page).getByLabel('Дата').click();
      await page.locator('.z-calendar').waitFor();
    },
  },
  {
    ...dashboard,
    name: 'edit-topic',
    unpictured: true,
    title: 'Правка тематики',
    only: 'narrow',
    open: async (page) => {
      await opens(/^Изменить/u)(page);
      await dialog(page).getByLabel('Тематика').fill('а');
      await page.getByRole('listbox').getByRole('option').first().waitFor();
    },
  },
  {
    ...dashboard,
    name: 'card-history',
    unpictured: true,
    title: 'История размещения',
    open: opens('История'),
    only: 'narrow',
  },
  {
    ...dashboard,
    name: 'card-removal',
    unpictured: true,
    title: 'Удаление размещения',
    open: opens('Удалить'),
    only: 'narrow',
  },
];
