import type { Page } from '@playwright/test';

/** A text, as the page runs it. */
const shiftSource = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      const moved = entry.sources.map(({ node }) => node?.className ?? node?.nodeName ?? '').join(', ');
      window.shifts.push({ value: entry.value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** What a page did while it loaded, from the next load on. */
export interface WatchedLoading {
  /** The layout shift of the present page up to its next frame but one: the sum, and what moved each time. */
  readonly shifted: () => Promise<{ readonly shift: number; readonly shifts: string }>;
  /** Paths of chunks with icons that are looked up by name, as they were asked for. */
  readonly iconsByName: readonly string[];
}

/** Watches how the page loads. */
export const watchedLoading = async (page: Page): Promise<WatchedLoading> => {
  await page.addInitScript({ content: shiftSource });
  const iconsByName: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/paths|icons-(?:16|20)/iu.test(pathname)) iconsByName.push(pathname);
  });
  return {
    iconsByName,
    shifted: async () => {
      await page.evaluate('new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))');
      const shifts = await page.evaluate<readonly { value: number; moved: string }[]>('window.shifts');
      return { shift: shifts.reduce((all, { value }) => all + value, 0), shifts: JSON.stringify(shifts) };
    },
  };
};
