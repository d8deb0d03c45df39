import { EventEmitter } from 'node:events';
import { readConfig } from '@zakup/service-kit/config';
import { jsonLog } from '@zakup/service-kit/log';
import { startStandalone } from '@zakup/standalone/standalone';
import { describe, expect, test } from 'vitest';
import { addPlacement, call, team } from '../support/api.ts';
import { adminLogin, adminPassword, temporaryDataDir } from '../support/zakup-process.ts';

describe('A disk that runs full', () => {
  test('RO-1 under the threshold every change is refused with the reason, reading goes on and says so; with room again it is accepted', async () => {
    const folder = await temporaryDataDir();
    const checked = readConfig({
      DATA_DIR: folder.path,
      PORT: '0',
      ADMIN_LOGIN: adminLogin,
      ADMIN_PASSWORD: adminPassword,
      LOG_LEVEL: 'silent',
    });
    if (checked.kind === 'invalid') throw new Error(checked.problems.join('\n'));
    let freeBytes = 10_000_000_000;
    let exited: (code: number) => void = () => undefined;
    const exit = new Promise<number>((resolve) => {
      exited = resolve;
    });
    const zakup = await startStandalone({
      config: checked.config,
      log: jsonLog({ level: 'silent' }),
      webDist: folder.path,
      signals: new EventEmitter(),
      exit: (code) => exited(code),
      disk: { everyMs: 5, freeBytesOf: () => Promise.resolve(freeBytes) },
    });
    await zakup.ready;
    const { address } = zakup;
    const crew = await team(address);
    const [anna] = crew.buyers;
    const placement = { campaignId: crew.campaign.id, contractor: '@kitchen_ads', price: 100 };
    const readOnly = async () =>
      (await call<{ readOnly: unknown }>(address, 'GET', '/auth/session', undefined, { token: anna.token })).data
        .readOnly;
    expect(await readOnly()).toBeNull();

    freeBytes = 400_000_000;
    await expect.poll(readOnly).toMatchObject({ reason: 'disk' });
    await expect(addPlacement(address, anna, placement)).rejects.toMatchObject({
      status: 503,
      problem: { code: 'UNAVAILABLE', error: expect.stringContaining('500 МБ') as string },
    });
    // What was written before is read as far as it was projected.
    const campaigns = async () =>
      (await call<{ campaigns: object[] }>(address, 'GET', '/campaigns', undefined, { token: anna.token })).data
        .campaigns;
    await expect.poll(campaigns).toHaveLength(1);

    freeBytes = 10_000_000_000;
    await expect.poll(readOnly).toBeNull();
    await addPlacement(address, anna, placement);
    await zakup.shutdown.stop('the test ends');
    expect(await exit).toBe(0);
    await folder.remove();
  });
});
