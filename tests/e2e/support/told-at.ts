import type { Page } from '@playwright/test';

/**
 * Watches a page from now on for a text. Resolves once it watches, with what resolves with when the text came to stand there, in
 * milliseconds since the epoch by the clock of the page: however late somebody asks, it is the moment itself.
 */
export const toldAt = async (page: Page, text: string): Promise<() => Promise<number>> => {
  await page.evaluate(`window.toldAt = new Promise((told) => {
    const watcher = new MutationObserver(() => look());
    const look = () => {
      if (!document.body.innerText.includes(${JSON.stringify(text)})) return;
      watcher.disconnect();
      told(Date.now());
    };
    watcher.observe(document.body, { childList: true, subtree: true, characterData: true });
    look();
  }); undefined`);
  return () => page.evaluate<number>('window.toldAt');
};

/** When the first byte of the answer to the next request of this address was there, in milliseconds since the epoch. */
export const answeredAt = async (page: Page, address: RegExp): Promise<number> => {
  const response = await page.waitForResponse(address);
  await response.finished();
  const { startTime, responseStart } = response.request().timing();
  return startTime + responseStart;
};
