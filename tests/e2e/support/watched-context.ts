import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  test as base,
} from '@playwright/test';

/** A browser of one person, with everything held against its pages so far. */
export interface WatchedContext {
  readonly context: BrowserContext;
  /** Errors and warnings of the console, errors thrown, requests that left the server: one line each. */
  readonly problems: readonly string[];
  /** From now on what matches is no problem: refusals and outages that the story itself provokes. */
  readonly expectProblems: (pattern: RegExp) => void;
}

const isOwn = (url: string, address: string): boolean => {
  const { protocol, host } = new URL(url);
  return ['data:', 'blob:', 'about:'].includes(protocol) || host === new URL(address).host;
};

const loudTypes: readonly string[] = ['error', 'warning'];

/**
 * Another person on another machine: a context of its own whose pages all are watched. React's warnings come through the console like any
 * other. Nothing is thrown here; whoever made it judges `problems` at the end.
 */
const watchedContext = async (
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WatchedContext> => {
  const context = await browser.newContext(options);
  const problems: string[] = [];
  const expected: RegExp[] = [];
  const say = (problem: string): void => {
    if (!expected.some((pattern) => pattern.test(problem))) problems.push(problem);
  };
  const watchSockets = (page: Page): void => {
    page.on('websocket', (socket) => {
      if (!isOwn(socket.url(), address)) say(`socket to ${socket.url()}`);
    });
  };
  context.on('page', watchSockets);
  context.on('console', (message) => {
    if (loudTypes.includes(message.type()))
      say(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (thrown) => say(`thrown: ${thrown.error().stack ?? thrown.error().message}`));
  context.on('request', (request) => {
    if (!isOwn(request.url(), address)) say(`request to ${request.url()}`);
  });
  return { context, problems, expectProblems: (pattern) => expected.push(pattern) };
};

interface Watching {
  /** Another person on another machine, whose pages may only ask this address. */
  readonly watch: (address: string, options?: BrowserContextOptions) => Promise<WatchedContext>;
}

/** `test` of a browser. A page that threw, warned in its console or asked another machine fails its test at the end. */
export const test = base.extend<Watching>({
  watch: async ({ browser }, use) => {
    const watched: WatchedContext[] = [];
    await use(async (address, options) => {
      const own = await watchedContext(browser, address, options);
      watched.push(own);
      return own;
    });
    await Promise.all(watched.map(({ context }) => context.close()));
    expect(
      watched.flatMap(({ problems }) => problems),
      'what pages said, threw or asked elsewhere',
    ).toEqual([]);
  },
});

export { expect };
