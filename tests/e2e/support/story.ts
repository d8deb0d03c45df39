import type { BrowserContextOptions, Page } from '@playwright/test';
import { startZakup, temporaryDataDir, type ZakupProcess } from '../../support/zakup-process.ts';
import { signedInStorage } from './signed-in-storage.ts';
import type { Team, Who } from './team.ts';
import { expect, test as watching } from './watched-context.ts';

/** A page of one person, in a browser of its own. */
export interface PersonPage {
  readonly page: Page;
  /** From now on what the console says in these words is the story's own doing. */
  readonly expectProblems: (pattern: RegExp) => void;
}

interface WorkerThings {
  /** Mails of those who have the admin panel of their licence. */
  readonly adminEmails: string;
  /** The single-process edition, one for all stories of a worker; each makes its own licence in it. */
  readonly zakup: ZakupProcess;
}

interface StoryThings {
  readonly address: string;
  /** A browser that nobody has signed in to yet, at a path; absent = nowhere yet. */
  readonly newcomer: (path?: string, options?: BrowserContextOptions) => Promise<PersonPage>;
  /** A browser in which somebody of the team has signed in, at a path, `/dashboard` unless said otherwise. */
  readonly as: (team: Team, who: Who, path?: string, options?: BrowserContextOptions) => Promise<PersonPage>;
}

/** The operator named whoever owns a licence under this mail: they have the admin panel of their licence. */
export const namedEmail = 'named@vkus.media';
/** Another of them, as one mail has one licence. */
export const otherNamedEmail = 'other-named@vkus.media';

/** `test` of the stories. A page that threw, warned in its console or asked another machine fails its story at the end. */
export const test = watching.extend<StoryThings, WorkerThings>({
  adminEmails: [[namedEmail, otherNamedEmail].join(','), { scope: 'worker', option: true }],
  zakup: [
    async ({ adminEmails }, use) => {
      const folder = await temporaryDataDir();
      const zakup = await startZakup({ dataDir: folder.path, env: { ADMIN_EMAILS: adminEmails } });
      await use(zakup);
      await zakup.stop();
      await folder.remove();
    },
    { scope: 'worker' },
  ],
  address: ({ zakup }, use) => use(zakup.address),
  newcomer: async ({ address, watch }, use) => {
    await use(async (path, options) => {
      const { page, expectProblems } = await watch(address, options);
      if (path !== undefined) await page.goto(address + path);
      return { page, expectProblems };
    });
  },
  as: async ({ newcomer }, use) => {
    await use(async (team, who, path = '/dashboard', options = {}) =>
      newcomer(path, { ...options, storageState: await signedInStorage(team, who) }),
    );
  },
});

export { expect };
