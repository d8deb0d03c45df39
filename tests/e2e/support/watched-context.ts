import {
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  expect,
  type Page,
  type Request,
  test as base,
  type WebError,
  type WebSocket,
} from '@playwright/test';
import { type ContextPool, contextPool, type Lent } from './context-pool.ts';

/** A browser of one person, with everything held against its pages so far. */
export interface WatchedContext {
  readonly context: BrowserContext;
  /** Its first page, which shows nothing yet. */
  readonly page: Page;
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

interface WatchedAndReleased extends WatchedContext {
  /** Nobody listens any more. */
  readonly release: () => void;
}

/** Watches all pages of a context. React's warnings come through the console like any other. Nothing is thrown here; whoever made it judges `problems` at the end. */
const watchedContext = ({ context, page: first }: Lent, address: string): WatchedAndReleased => {
  const problems: string[] = [];
  const expected: RegExp[] = [];
  const say = (problem: string): void => {
    if (!expected.some((pattern) => pattern.test(problem))) problems.push(problem);
  };
  const hearSocket = (socket: WebSocket): void => {
    if (!isOwn(socket.url(), address)) say(`socket to ${socket.url()}`);
  };
  const watchSockets = (page: Page): void => {
    page.on('websocket', hearSocket);
  };
  const hear = (message: ConsoleMessage): void => {
    if (loudTypes.includes(message.type()))
      say(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  };
  const catchThrown = (thrown: WebError): void => say(`thrown: ${thrown.error().stack ?? thrown.error().message}`);
  const watchRequests = (request: Request): void => {
    if (!isOwn(request.url(), address)) say(`request to ${request.url()}`);
  };
  watchSockets(first);
  context.on('page', watchSockets);
  context.on('console', hear);
  context.on('weberror', catchThrown);
  context.on('request', watchRequests);
  const release = (): void => {
    first.off('websocket', hearSocket);
    context.off('page', watchSockets);
    context.off('console', hear);
    context.off('weberror', catchThrown);
    context.off('request', watchRequests);
  };
  return { context, page: first, problems, expectProblems: (pattern) => expected.push(pattern), release };
};

interface Watching {
  /** Another person on another machine, whose pages may only ask this address, and run `script` before all others. */
  readonly watch: (address: string, options?: BrowserContextOptions, script?: string) => Promise<WatchedContext>;
}

interface WorkerThings {
  readonly contexts: ContextPool;
}

/** `test` of a browser. A page that threw, warned in its console or asked another machine fails its test at the end. */
export const test = base.extend<Watching, WorkerThings>({
  contexts: [({ browser }, use) => use(contextPool(browser)), { scope: 'worker' }],
  watch: async ({ contexts }, use, { errors }) => {
    const watched: WatchedAndReleased[] = [];
    await use(async (address, options = {}, script) => {
      const own = watchedContext(await contexts.take(options, script), address);
      watched.push(own);
      return own;
    });
    for (const { release } of watched) release();
    // A picture of what failed is taken of pages that are open.
    await Promise.all(watched.map(({ context }) => (errors.length > 0 ? context.close() : contexts.giveBack(context))));
    expect(
      watched.flatMap(({ problems }) => problems),
      'what pages said, threw or asked elsewhere',
    ).toEqual([]);
  },
});

export { expect };
