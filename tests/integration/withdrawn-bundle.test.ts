import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPlacement, call, employee, type SignedIn, type Team, team } from '../support/api.ts';
import { editions, type Installation } from '../support/editions.ts';
import { adminLogin, adminPassword } from '../support/zakup-process.ts';

/** Together they make a file of about 11 MB, more than the buffers on the way take (up to 4 MB before a slow reader): else it is past cutting. */
const batches = 10;
const perBatch = 500;
/** As long as a comment may be, of characters that take three bytes each; `number` makes it another one. */
const longComment = (number: number): string => String(number).padEnd(500, '€');

interface Ready {
  readonly zakup: Installation;
  readonly crew: Team;
  readonly admin: string;
}

/** Resolves once reads show everything up to there. */
const shownUpTo = async ({ zakup, crew }: Pick<Ready, 'zakup' | 'crew'>, position: number): Promise<void> => {
  for (;;) {
    const url = `${zakup.address}/api/campaigns?after=${position}`;
    const { status } = await fetch(url, { headers: { Authorization: `Bearer ${crew.owner.token}` } });
    if (status === 200) return;
  }
};

/** A licence whose history is a large file. */
const filled = async (zakup: Installation): Promise<Ready> => {
  await zakup.start();
  const { address } = zakup;
  const crew = await team(address);
  const login = { login: adminLogin, password: adminPassword };
  const admin = (await call<{ token: string }>(address, 'POST', '/admin/login', login)).data.token;
  const [anna] = crew.buyers;
  const added = await addPlacement(address, anna, { campaignId: crew.campaign.id, contractor: 'kitchen_ads' });
  const placementId = added.data.placement.id;
  let { position } = added;
  for (let batch = 0; batch < batches; batch += 1) {
    const items = Array.from({ length: perBatch }, (_, index) => ({
      op: 'change',
      placementId,
      comment: longComment(batch * perBatch + index),
    }));
    const body = { atomic: true, items };
    ({ position } = await call(address, 'POST', '/placements/batch', body, { token: crew.owner.token }));
  }
  await shownUpTo({ zakup, crew }, position);
  return { zakup, crew, admin };
};

const installed: Installation[] = [];
let ready: readonly Ready[] = [];

// Filled beside each other, before any of them is measured.
beforeAll(async () => {
  for (const edition of editions) installed.push(await edition.install());
  ready = await Promise.all(installed.map(filled));
}, 300_000);

afterAll(async () => {
  await Promise.all(ready.map(({ zakup }) => zakup.stop()));
  await Promise.all(installed.map((zakup) => zakup.remove()));
  await Promise.all(editions.map((edition) => edition.end()));
});

describe.each(editions.map(({ name }, index) => ({ name, index })))('Downloads in $name', ({ index }) => {
  let zakup: Installation;
  let crew: Team;
  let admin = '';

  beforeAll(() => {
    const own = ready[index];
    if (own === undefined) throw new Error('It was not installed');
    ({ zakup, crew, admin } = own);
  });

  const asAdmin = (what: 'suspend' | 'resume') =>
    call(zakup.address, 'POST', `/admin/licenses/${crew.licenceId}/${what}`, { reason: 'долг' }, { token: admin });
  const lead = async (number: number): Promise<SignedIn> => {
    const person = { name: `Лид ${number}`, email: `lead${number}@vkus.media`, role: 'TEAM_LEAD' };
    const who = await employee(zakup.address, crew.owner, person);
    return who;
  };

  /** Begins to take a file slowly; resolves with its answer once something of it is there. */
  const begun = (path: string, token: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(`${zakup.addresses().at(-1)}/api${path}`, { headers: { Authorization: `Bearer ${token}` } }, (response) => {
        response
          .once('error', () => undefined)
          .on('data', () => {
            resolve(response);
            response.pause();
            setTimeout(() => response.resume(), 50);
          });
      }).once('error', reject);
    });
  /**
   * When the server cut it, told by a write that fails: whatever was under way then is read before a slow reader comes to the cut. Empty lines
   * between two requests are allowed, and mean nothing. Rejects when it arrived whole.
   */
  const cut = (response: IncomingMessage): Promise<number> =>
    new Promise((resolve, reject) => {
      const { socket } = response;
      const probe = setInterval(() => socket.write('\r\n'), 10);
      socket.once('close', () => {
        clearInterval(probe);
        resolve(performance.now());
      });
      response.once('end', () => {
        clearInterval(probe);
        reject(new Error('The file arrived whole'));
      });
    });

  const ways = {
    'the licence is suspended': () => asAdmin('suspend'),
    'the person is switched off': ({ userId }: SignedIn) =>
      call(zakup.address, 'PUT', `/users/${userId}`, { isActive: false }, { token: crew.owner.token }),
    'the session is ended': ({ token }: SignedIn) => call(zakup.address, 'POST', '/auth/logout', {}, { token }),
    'the right is taken': ({ userId }: SignedIn) =>
      call(zakup.address, 'PUT', `/users/${userId}`, { permissions: { dashboard: true } }, { token: crew.owner.token }),
  };

  test.each(Object.keys(ways) as (keyof typeof ways)[])(
    'RSL-6 a file is cut within a second when %s',
    async (way) => {
      const who = await lead(Object.keys(ways).indexOf(way));
      const response = await begun('/license/history-bundle', who.token);
      const end = cut(response);
      const { position } = await ways[way](who);
      await shownUpTo({ zakup, crew }, position ?? 0);
      const shown = performance.now();
      expect((await end) - shown).toBeLessThan(1_000);
      expect(response.complete).toBe(false);
      if (way === 'the licence is suspended') await asAdmin('resume');
    },
    60_000,
  );
});
