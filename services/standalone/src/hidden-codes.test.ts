import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testStart } from '@zakup/service-kit/testing/started';
import { valueHash } from '@zakup/command/pipeline/ids';
import { expect, onTestFinished, test } from 'vitest';
import { keyFiles } from './data-dir/data-dir-secrets.ts';
import { startStandalone } from './standalone.ts';

const folder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'zakup-codes-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
};

const started = async (dir: string) => {
  const zakup = await startStandalone({ ...testStart({ DATA_DIR: dir }), webDist: dir });
  await zakup.ready;
  const send = async (method: string, path: string, { body, token = '', cookie = '' }: Sent = {}) => {
    const answer = await fetch(`${zakup.address}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, Cookie: cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const { data, position } = (await answer.json()) as { data: Readonly<Record<string, unknown>>; position: number };
    return { data, position, cookie: (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '' };
  };
  return { ...zakup, send };
};
interface Sent {
  readonly body?: object;
  readonly token?: string;
  readonly cookie?: string;
}

/** Everything in the folder but the keys, as one text of bytes. */
const everythingIn = async (dir: string): Promise<string> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.parentPath !== keyFiles(dir).folder);
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')));
  return texts.join('\n');
};

test('AUTH-1598 in the files of a folder no code and no key of a new licence is found, nor a hash that anybody can make; with another key it does not start', async () => {
  const dir = await folder();
  const { send, shutdown } = await started(dir);
  const admin = String(
    (await send('POST', '/admin/login', { body: { login: 'admin', password: 'admin-password' } })).data['token'],
  );
  const issue = { ownerName: 'Olga Known', ownerEmail: 'olga@example.com', ownerTelegram: '@olga' };
  const { license, activationCode } = (await send('POST', '/admin/licenses', { body: issue, token: admin })).data;
  const { licenseKey } = license as { readonly licenseKey: string };
  const [password, passwordConfirm] = ['owner-password', 'owner-password'];
  const ticket = await send('POST', '/licenses/activate-step1', {
    body: { licenseKey, twoFactorCode: activationCode },
  });
  const step2 = { body: { licenseKey, password, passwordConfirm }, cookie: ticket.cookie };
  const loginCode = String((await send('POST', '/licenses/activate-step2', step2)).data['ceoLoginCode']);
  const token = String((await send('POST', '/auth/ceo-login', { body: { loginCode, password } })).data['token']);
  const create = { name: 'Anna Known', email: 'anna@example.com', role: 'MEDIA_BUYER' };
  const made = (await send('POST', '/employees/create', { body: create, token })).data;
  const chosen = { ...create, email: 'boris@example.com', authCode: 'CHOSENBORIS1' };
  await send('POST', '/employees/create', { body: chosen, token });
  const { id } = made['user'] as { readonly id: string };
  const reissued = await send('POST', `/users/${id}/reissue-code`, { body: {}, token });
  const { users } = (await send('GET', `/users?after=${reissued.position}`, { token })).data;
  expect(JSON.stringify(users)).toContain('CHOSENBORIS1');
  await shutdown.stop('the test reads its files');

  const kept = await everythingIn(dir);
  for (const known of ['Anna Known', 'Olga Known', 'enc:1:']) expect(kept).toContain(known);
  const codes = [licenseKey, loginCode, made['authCode'], reissued.data['authCode'], 'CHOSENBORIS1'].map(String);
  for (const code of codes) {
    expect(code.length).toBeGreaterThanOrEqual(12);
    expect(kept).not.toContain(code);
    const hash = valueHash(code);
    for (const form of [hash, Buffer.from(hash, 'hex').toString('latin1')]) expect(kept).not.toContain(form);
  }

  const again = await started(dir);
  expect((await again.send('POST', '/auth/ceo-login', { body: { loginCode, password } })).data['token']).toBeTruthy();
  await again.shutdown.stop('another key comes');
  await writeFile(keyFiles(dir).accessCodesKey, 'x'.repeat(43));
  const refused = await startStandalone({ ...testStart({ DATA_DIR: dir }), webDist: dir });
  await expect(refused.ready).rejects.toThrow('was hidden with another key');
  await refused.shutdown.stop('the test ends');
});
