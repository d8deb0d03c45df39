import { expect, type Locator, type Page } from '@playwright/test';

/** The row of a contractor's nick in the table on the page. */
export const rowOf = (page: Page, nick: string): Locator =>
  page.getByRole('grid').getByRole('row').filter({ hasText: nick });

/** The cell of a row below the column header that a person reads. */
export const cellOf = async (page: Page, nick: string, column: string): Promise<Locator> => {
  const header = page.getByRole('grid').getByRole('columnheader', { name: column });
  const index = await header.getAttribute('aria-colindex');
  return rowOf(page, nick).locator(`[aria-colindex="${index}"]`);
};

/** Makes a cell the active one, without editing it. */
export const goToCell = async (page: Page, nick: string, column: string): Promise<Locator> => {
  const cell = await cellOf(page, nick, column);
  await cell.click({ position: { x: 3, y: 3 } });
  await expect(cell).toBeFocused();
  return cell;
};

/** Types into a cell and saves by Enter. */
export const editCell = async (page: Page, nick: string, column: string, value: string): Promise<void> => {
  await goToCell(page, nick, column);
  await page.keyboard.press('F2');
  await page.keyboard.type(value);
  await page.keyboard.press('Enter');
};

/** One of the six cards. */
export const metric = (page: Page, name: string): Locator => page.locator('.z-metric').filter({ hasText: name });

/** Resolves when the status line says that the live channel is up and nothing waits to be sent. */
export const settled = async (page: Page): Promise<void> => {
  await expect(page.getByText('Все изменения сохранены')).toBeVisible();
  await expect(page.getByText('На связи')).toBeVisible();
};
