import type { Page } from '@playwright/test';

/**
 * Watches a page from now on. Resolves once it watches, with what tells the largest value so far of a number: an expression in the page's
 * own words, looked at anew after each change of the page, however short it stood.
 */
export const mostSeen = async (page: Page, name: string, expression: string): Promise<() => Promise<number>> => {
  const place = `window.mostSeen[${JSON.stringify(name)}]`;
  await page.evaluate(`window.mostSeen ??= {};
  ${place} = 0;
  {
    const look = () => { ${place} = Math.max(${place}, ${expression}); };
    const changes = { childList: true, subtree: true, characterData: true, attributes: true };
    new MutationObserver(look).observe(document.body, changes);
    look();
  }`);
  return () => page.evaluate<number>(place);
};
