import { EventEmitter } from 'node:events';
import { messages } from '@zakup/domain/messages';
import { readConfig } from '@zakup/service-kit/config';
import { jsonLog } from '@zakup/service-kit/log';
import { startStandalone } from '@zakup/standalone/standalone';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { addPlacement, call, team } from '../support/api.ts';
import { adminLogin, adminPassword, temporaryDataDir } from '../support/zakup-process.ts';

const minute = 60_000;

interface Health {
  readonly alarms: readonly object[];
}

/** One process on stores of its own; resolves with its address. */
const started = async (): Promise<string> => {
  const folder = await temporaryDataDir();
  onTestFinished(() => folder.remove());
  const settings = { DATA_DIR: folder.path, PORT: '0', ADMIN_LOGIN: adminLogin, ADMIN_PASSWORD: adminPassword };
  const checked = readConfig({ ...settings, LOG_LEVEL: 'silent' });
  if (checked.kind === 'invalid') throw new Error(checked.problems.join('\n'));
  const zakup = await startStandalone({
    config: checked.config,
    log: jsonLog({ level: 'silent' }),
    webDist: folder.path,
    signals: new EventEmitter(),
    exit: () => undefined,
  });
  onTestFinished(async () => void (await zakup.shutdown.stop('the test ends')));
  await zakup.ready;
  return zakup.address;
};

describe('A clock that is set forward', () => {
  test('TAT-3054 in one process a moment that the log has not come to is refused, and what is recorded then is dated before it', async () => {
    const address = await started();
    const crew = await team(address);
    const [anna] = crew.buyers;

    const wall = Date.now;
    const before = wall();
    const jump = vi.spyOn(Date, 'now').mockImplementation(() => wall() + 10 * minute);
    onTestFinished(() => jump.mockRestore());
    const at = encodeURIComponent(new Date(before + 5 * minute).toISOString());
    await expect(call(address, 'GET', `/campaigns?at=${at}`, undefined, { token: anna.token })).rejects.toMatchObject({
      status: 422,
      problem: { error: messages.atInFuture },
    });
    await addPlacement(address, anna, { campaignId: crew.campaign.id, contractor: '@kitchen_ads', price: 100 });
    const now = await call(address, 'GET', '/campaigns', undefined, { token: anna.token });
    const past = await call(address, 'GET', `/campaigns?at=${now.position}`, undefined, { token: anna.token });
    const { time } = (past as unknown as { readonly at: { readonly time: string } }).at;
    expect(Date.parse(time)).toBeLessThan(before + 5 * minute);
  });

  test('CLK-3177 is told in /readyz, /admin and the metrics while it is ahead, and no longer once it is right', async () => {
    const wall = Date.now;
    let ahead = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => wall() + ahead);
    onTestFinished(() => clock.mockRestore());
    const address = await started();
    const admin = { login: adminLogin, password: adminPassword };
    const { token } = (await call<{ readonly token: string }>(address, 'POST', '/admin/login', admin)).data;
    const told = async () => {
      const ready = await fetch(`${address}/readyz`);
      const health = await call<Health>(address, 'GET', '/admin/health', undefined, { token });
      const { alarms } = health.data;
      const gauge = /^zakup_clock_ahead (\d)/mu.exec(await (await fetch(`${address}/metrics`)).text());
      return {
        status: ready.status,
        clock: ((await ready.json()) as { readonly clock?: string }).clock,
        alarms,
        gauge,
      };
    };
    expect(await told()).toMatchObject({ status: 200, clock: undefined, alarms: [] });
    ahead = 10 * minute;
    const jumped = await told();
    expect(jumped).toMatchObject({
      status: 200,
      alarms: [{ kind: 'clock', milliseconds: expect.any(Number) as number }],
    });
    expect(jumped.clock).toContain('часы ушли вперёд');
    ahead = 0;
    expect(await told()).toMatchObject({ clock: undefined, alarms: [] });
  });
});
