import type { BrowserContextOptions, Page } from '@playwright/test';
import { type DemoProcess, startDemo } from '../../../scripts/screens/demo-process.ts';
import { goTo, openView } from '../../../scripts/screens/viewers.ts';
import { type Scene, scenes, type Viewer } from '../../../scripts/screens/scenes.ts';
import { expect, test as watching, type WatchedContext } from '../support/watched-context.ts';

/** Half past midnight of 22 November in Moscow, half past four of the day before in New York. */
export const demoBegins = Date.parse('2026-11-21T21:30:00Z');

interface Demo extends DemoProcess {
  /** How far its clock is ahead of the real one, in milliseconds. */
  readonly ahead: number;
}

interface WorkerThings {
  /** What the clock of the demo says when it starts, in milliseconds since the epoch. */
  readonly begins: number;
  /** Sixty days of a team, one for all tests of a worker. */
  readonly demo: Demo;
}

export interface View {
  readonly page: Page;
  readonly goTo: (scene: Scene) => Promise<void>;
  /** From now on what matches is no problem: refusals and outages that the test itself provokes. */
  readonly expectProblems: (pattern: RegExp) => void;
}

interface Things {
  /** A page of somebody who signed in. */
  readonly viewOf: (viewer: Viewer, options?: BrowserContextOptions) => Promise<View>;
}

/** `test` on the demo. A page that threw, warned in its console or asked another machine fails its test at the end. */
export const test = watching.extend<Things, WorkerThings>({
  begins: [demoBegins, { scope: 'worker', option: true }],
  demo: [
    async ({ begins }, use) => {
      const ahead = begins - Date.now();
      const demo = await startDemo({ scale: 'small', ahead, webDist: process.env['WEB_DIST'] });
      await use({ ...demo, ahead });
      await demo.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  viewOf: async ({ browser, demo, watch }, use) => {
    await use(async (viewer, options = {}) => {
      let watched: WatchedContext | undefined;
      const context = await openView(browser, {
        ...options,
        address: demo.address,
        ahead: demo.ahead,
        viewer,
        newContext: async (all, script) => {
          watched = await watch(demo.address, all, script);
          return watched.context;
        },
      });
      const page = watched?.page ?? (await context.newPage());
      return {
        page,
        goTo: (scene) => goTo(page, demo.address, scene),
        expectProblems: (pattern) => watched?.expectProblems(pattern),
      };
    });
  },
});

/** The scene of this name. */
export const sceneOf = (name: string): Scene => {
  const scene = scenes.find((one) => one.name === name);
  if (scene === undefined) throw new Error(`There is no scene ${name}`);
  return scene;
};

export { expect };
