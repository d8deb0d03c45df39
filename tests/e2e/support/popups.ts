import type { Page } from '@playwright/test';

/** Whatever lies over a page. */
export const popups = '.bp6-overlay-open, [role="dialog"], [role="alertdialog"], [data-floating], .bp6-popover';

/** Closes whatever lies over the page as a person would; false when something stays. */
export const cleared = async (page: Page): Promise<boolean> => {
  for (let step = 0; step < 4 && (await page.locator(popups).count()) > 0; step += 1) {
    const question = page.getByRole('alertdialog', { name: 'Закрыть без сохранения?' });
    if (await question.isVisible()) await question.getByRole('button', { name: 'Закрыть' }).click();
    else await page.keyboard.press('Escape');
    const gone = page.locator(popups).last();
    await gone.waitFor({ state: 'detached', timeout: 1_000 }).catch(() => undefined);
  }
  return (await page.locator(popups).count()) === 0;
};
