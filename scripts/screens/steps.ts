import type { Locator, Page } from '@playwright/test';

/** Who looks: the owner, a buyer, an admin of the installation, or nobody who signed in. */
export const viewers = ['owner', 'buyer', 'admin', 'nobody'] as const;
export type Viewer = (typeof viewers)[number];

/** A screen as somebody sees it, or what one more step opens on it. */
export interface Scene {
  /** A word or two for file names. */
  readonly name: string;
  /** What a person would call it. */
  readonly title: string;
  readonly path: string;
  readonly as: Viewer;
  /** What is done once the page is there. */
  readonly open?: (page: Page) => Promise<void>;
  /** Only where there is room for it, or only where there is not. */
  readonly only?: 'wide' | 'narrow';
  /** Not a popup over a screen but a screen of its own, though it has to be opened. */
  readonly whole?: true;
  /** Too much like others to have a picture of its own. */
  readonly unpictured?: true;
}

/** Clicks what may have to be scrolled to. */
export const click = async (target: Locator): Promise<void> => {
  await target.scrollIntoViewIfNeeded();
  await target.click();
};
/** The first button of this name. */
export const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name }).first();
/** The topmost dialog. */
export const dialog = (page: Page): Locator =>
  page.locator('[role="dialog"], [role="alertdialog"], dialog[open]').last();

/** Chooses the first active campaign of the analytics. */
export const chooseCampaign = async (page: Page): Promise<void> => {
  const campaign = page.locator('.z-rail-campaign').first();
  if (await page.getByRole('heading', { name: 'Выберите кампанию' }).isVisible()) await click(campaign);
  await page.locator('.recharts-surface').first().waitFor();
};

/** Presses a button and waits for what it opens. */
export const opens =
  (...names: readonly (string | RegExp)[]) =>
  async (page: Page): Promise<void> => {
    for (const name of names) await click(button(page, name));
    await dialog(page).waitFor();
  };
/** Opens a menu. */
export const menu =
  (find: (page: Page) => Locator) =>
  async (page: Page): Promise<void> => {
    await click(find(page));
    await page.getByRole('menuitem').first().waitFor();
  };
/** Presses a button and waits for its popup. */
export const popup =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await click(button(page, name));
    await page.locator('.bp6-popover').last().waitFor();
  };
/** The first row's cell of a column. */
export const cell = async (page: Page, column: string): Promise<Locator> => {
  const grid = page.getByRole('grid', { name: /^Размещения/u });
  const index = await grid.getByRole('columnheader', { name: column }).getAttribute('aria-colindex');
  return grid.locator(`[role="row"][aria-rowindex="2"] [aria-colindex="${index}"]`);
};
/** Begins to edit the first row's cell of a column. */
export const editor =
  (column: string) =>
  async (page: Page): Promise<void> => {
    const target = await cell(page, column);
    await target.scrollIntoViewIfNeeded();
    await target.click();
    await page.keyboard.press('F2');
    await page.locator('[data-floating], [role="dialog"], .z-cell-editing, [role="gridcell"] input').first().waitFor();
  };

export const dashboard = { path: '/dashboard', as: 'owner' } as const;
