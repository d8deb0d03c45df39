import type { Locator, Page } from '@playwright/test';
import type { Viewer } from '../../../scripts/screens/scenes.ts';
import { cell, dialog } from '../../../scripts/screens/steps.ts';

/** Something that opens over a page, by keys alone. */
export interface Opened {
  readonly what: string;
  readonly scene: string;
  /** What is done on the page first. */
  readonly before?: (page: Page) => Promise<void>;
  /** Has the focus when it is opened, and again when it was closed. */
  readonly opener: (page: Page) => Locator | Promise<Locator>;
  /** Enter where nothing else is said; `menu` is what is chosen from the menu that Enter opens. */
  readonly key?: string;
  readonly menu?: string | RegExp;
}

const button =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('button', { name }).first();
const inDialog =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    dialog(page).getByRole('button', { name }).first();
const figure = (page: Page): Locator => page.locator('.z-metric-value .z-figure').first();
const contractor = (page: Page): Locator => page.getByRole('main').getByRole('button', { name: /^@/u }).first();
const openContractor = async (page: Page): Promise<void> => {
  await contractor(page).click();
  await dialog(page).waitFor();
};
const openEmployee = async (page: Page): Promise<void> => {
  await page
    .getByRole('tabpanel')
    .getByRole('button', { name: /Лисицын/u })
    .first()
    .click();
  await page.getByText('Права').first().waitFor();
};

/** Every dialog and popup of the product, by who sees it and on what. */
export const opened: Readonly<
  Record<string, { readonly viewer: Viewer; readonly narrow?: true; readonly all: readonly Opened[] }>
> = {
  'on a desk': {
    viewer: 'owner',
    all: [
      { what: 'the new placement', scene: 'dashboard', opener: button(/^Добавить размещение/u) },
      { what: 'why this figure', scene: 'dashboard', opener: figure },
      { what: 'the filter', scene: 'dashboard', opener: button(/^Фильтр/u) },
      { what: 'the columns', scene: 'dashboard', opener: button('Столбцы') },
      { what: 'the keys', scene: 'dashboard', opener: button(/^Ещё: скачать/u), menu: /Клавиши/u },
      { what: 'another nick', scene: 'dashboard', opener: (page) => cell(page, 'Контрагент'), key: 'F2' },
      { what: 'the history of a placement', scene: 'dashboard', opener: (page) => cell(page, 'Дата'), key: 'Space' },
      { what: 'the deletion of a placement', scene: 'dashboard', opener: (page) => cell(page, 'Удаление') },
      { what: 'the notifications', scene: 'dashboard', opener: (page) => page.locator('.z-bell') },
      { what: 'the menu of the person', scene: 'dashboard', opener: button(/^Меню: /u) },
      { what: 'the palette', scene: 'dashboard', opener: (page) => page.locator('.z-palette-button') },
      { what: 'the licence', scene: 'dashboard', opener: button(/^Лицензия/u) },
      { what: 'the licence from the menu', scene: 'dashboard', opener: button(/^Меню: /u), menu: 'Лицензия' },
      {
        what: 'the end of the licence',
        scene: 'dashboard',
        before: async (page) => button(/^Лицензия/u)(page).click(),
        opener: inDialog('Закрыть лицензию'),
      },
      { what: 'a new creative', scene: 'creatives', opener: button('Добавить креатив') },
      { what: 'a creative', scene: 'creatives', opener: button(/^Изменить: /u) },
      { what: 'a new contractor', scene: 'contractors', opener: button('Добавить контрагента') },
      { what: 'a contractor', scene: 'contractors', opener: contractor },
      {
        what: 'the change of a contractor',
        scene: 'contractors',
        before: openContractor,
        opener: inDialog('Изменить'),
      },
      {
        what: 'the merge of a contractor',
        scene: 'contractors',
        before: openContractor,
        opener: inDialog('Объединить с…'),
      },
      { what: 'a new channel', scene: 'settings-channels', opener: button('Добавить канал') },
      { what: 'a channel', scene: 'settings-channels', opener: button(/^Изменить: /u) },
      { what: 'the deletion of a channel', scene: 'settings-channels', opener: button(/^Удалить: /u) },
      { what: 'a new campaign', scene: 'settings-campaigns', opener: button('Создать кампанию') },
      { what: 'a campaign', scene: 'settings-campaigns', opener: button(/^Изменить: /u) },
      { what: 'the deletion of a campaign', scene: 'settings-campaigns', opener: button(/^Удалить: /u) },
      { what: 'a new person', scene: 'settings-employees', opener: button('Добавить сотрудника') },
      { what: 'a new code', scene: 'settings-employees', before: openEmployee, opener: button('Новый код') },
      { what: 'a new password', scene: 'settings-employees', opener: button('Новый временный пароль') },
      { what: 'switching a person off', scene: 'settings-employees', opener: button('Отключить') },
      { what: 'the files of the journal', scene: 'journal', opener: button('Выгрузить') },
      { what: 'the events of a campaign', scene: 'journal', opener: button('Выгрузить'), menu: /^События кампании/u },
      {
        what: 'putting back what an event did',
        scene: 'journal',
        before: async (page) =>
          page
            .locator('.z-journal-row')
            .filter({ hasText: /Цена|Приход/u })
            .first()
            .click(),
        opener: (page) =>
          page
            .getByRole('complementary', { name: 'Событие' })
            .getByRole('button', { name: /^(?:Отменить|Вернуть)/u })
            .first(),
      },
    ],
  },
  'on a phone': {
    viewer: 'owner',
    narrow: true,
    all: [
      { what: 'the sections', scene: 'dashboard', opener: button('Меню') },
      { what: 'the sheet of a figure', scene: 'dashboard', opener: figure },
      { what: 'the filter', scene: 'dashboard', opener: button(/^Фильтр/u) },
      { what: 'the notifications', scene: 'dashboard', opener: (page) => page.locator('.z-bell') },
      {
        what: 'a placement',
        scene: 'dashboard',
        opener: (page) => page.getByRole('article').first().getByRole('button', { name: 'Изменить' }),
      },
      {
        what: 'the history of a placement',
        scene: 'dashboard',
        opener: (page) => page.getByRole('article').first().getByRole('button', { name: 'История' }),
      },
      {
        what: 'the deletion of a placement',
        scene: 'dashboard',
        opener: (page) => page.getByRole('article').first().getByRole('button', { name: 'Удалить' }),
      },
      {
        what: 'a person',
        scene: 'settings-employees',
        opener: (page) =>
          page
            .getByRole('tabpanel')
            .getByRole('button', { name: /Лисицын/u })
            .first(),
      },
      { what: 'an event', scene: 'journal', opener: (page) => page.locator('.z-journal-row').first() },
    ],
  },
  'of the administrator': {
    viewer: 'admin',
    all: [
      { what: 'a new licence', scene: 'admin', opener: button('Выдать лицензию') },
      { what: 'the renewal of a licence', scene: 'admin', opener: button(/^Продлить: /u) },
      { what: 'the suspension of a licence', scene: 'admin', opener: button(/^Приостановить: /u) },
      { what: 'a code of activation', scene: 'admin', opener: button(/^Код: /u) },
    ],
  },
  'of nobody yet': {
    viewer: 'nobody',
    all: [{ what: 'the activation', scene: 'login', opener: button('Активировать ключ') }],
  },
};

interface Form {
  readonly scene: string;
  /** Absent = the topmost dialog. */
  readonly form?: (page: Page) => Locator;
  /** Selects what is typed into first, where that is not a field of text. */
  readonly field?: string;
  /** What the field does not take; absent = nothing in it. */
  readonly wrong?: string;
}
const inPage = (page: Page): Locator => page.getByRole('main').locator('form').first();

/** Every form that does not take whatever is in it, by who fills it in. */
export const formsOf: Readonly<
  Record<string, { readonly viewer: Viewer; readonly narrow?: true; readonly forms: readonly Form[] }>
> = {
  'on a desk': {
    viewer: 'owner',
    forms: [
      { scene: 'add-placement' },
      { scene: 'creative' },
      { scene: 'add-contractor' },
      { scene: 'change-contractor' },
      // Its one field searches; what it lacks is a choice.
      { scene: 'merge-contractor', field: 'input[type=search]' },
      { scene: 'channel' },
      { scene: 'campaign' },
      { scene: 'edit-campaign' },
      { scene: 'add-employee' },
    ],
  },
  'on a page': {
    viewer: 'owner',
    forms: [
      { scene: 'employee', form: (page) => page.getByRole('tabpanel').locator('form').first() },
      { scene: 'settings-parameters', form: inPage, wrong: '99999999999999' },
      { scene: 'profile', form: inPage },
    ],
  },
  'on a phone': { viewer: 'owner', narrow: true, forms: [{ scene: 'edit-placement' }] },
  'of the administrator': { viewer: 'admin', forms: [{ scene: 'issue-licence' }] },
  'of nobody yet': { viewer: 'nobody', forms: [{ scene: 'activation' }] },
};
