import type { PersonWire } from '@zakup/contracts/wire-entities';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editionsOfDeep, type Installation } from '../support/editions.ts';
import { liveClient } from '../support/live-client.ts';
import { adminLogin, adminPassword } from '../support/zakup-process.ts';
import { jwtSecret } from '../support/zakup-services.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookies: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** Whole stories at the most talkative level: nothing that opens a door, and nothing that tells of a person, is in what is printed. */
describe.each(editionsOfDeep)('the log in $name', (edition) => {
  let zakup: Installation;
  /** By what it is, so that a failure names no secret. */
  const secrets = new Map<string, string>();
  const personal = new Map<string, string>();

  const keep = (name: string, secret: unknown): string => {
    expect([name, typeof secret === 'string' && secret.length > 5]).toEqual([name, true]);
    secrets.set(name, String(secret));
    return String(secret);
  };
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    { token, cookie, raw }: { readonly token?: string; readonly cookie?: string; readonly raw?: string } = {},
  ): Promise<Answer> => {
    const response = await fetch(`${zakup.address}${path}`, {
      method,
      headers: {
        ...((body !== undefined || raw !== undefined) && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(cookie !== undefined && { Cookie: cookie }),
      },
      ...(raw !== undefined ? { body: raw } : body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : {};
    const { data = {} } = parsed as { readonly data?: Record<string, unknown> };
    const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
    return { status: response.status, text, cookies, data };
  };
  const post = (path: string, body: unknown, more: Parameters<typeof send>[3] = {}) =>
    send('POST', `/api${path}`, body, more);
  const must = async (answer: Promise<Answer>): Promise<Answer> => {
    const { status, text, ...rest } = await answer;
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return { status, text, ...rest };
  };
  const keepTokens = (
    name: string,
    { data, cookies }: Answer,
  ): { readonly token: string; readonly refreshToken: string } => {
    for (const cookie of cookies) keep(`${name}: cookie`, cookie.split('=')[1]);
    return {
      token: keep(`${name}: access token`, data['token']),
      refreshToken: keep(`${name}: refresh token`, data['refreshToken']),
    };
  };

  beforeAll(async () => {
    zakup = await edition.install();
    await zakup.start({ env: { LOG_LEVEL: 'trace', JWT_SECRET: jwtSecret } });
    secrets.set('signing key', jwtSecret);
    secrets.set('password of the admin', adminPassword);
  });
  afterAll(async () => {
    await zakup.remove();
    await edition.end();
  });

  const signInEverywhere = async () => {
    await post('/admin/login', { login: adminLogin, password: keep('wrong password of the admin', 'not-the-admins') });
    const admin = await must(post('/admin/login', { login: adminLogin, password: adminPassword }));
    const adminToken = keep('token of the admin', admin.data['token']);
    const owner = {
      ownerName: 'Виктория Запольская',
      ownerEmail: 'zapolskaya@secret-mail.example',
      ownerTelegram: '@v_zapolskaya',
    };
    for (const [name, value] of Object.entries(owner)) personal.set(name, value);
    const issued = await must(post('/admin/licenses', owner, { token: adminToken }));
    const license = issued.data['license'] as { readonly id: string; readonly licenseKey: string };
    const licenseKey = keep('licence key', license.licenseKey);
    await must(post('/licenses/request-code', { licenseKey }));
    const pending = async (): Promise<string | undefined> => {
      const { data } = await send('GET', '/api/admin/licenses', undefined, { token: adminToken });
      const [own] = data['licenses'] as readonly { readonly pendingCode: { readonly code: string } | null }[];
      return own?.pendingCode?.code;
    };
    await expect.poll(pending).toMatch(/^\d{6}$/u);
    keep('code that the owner asked for', await pending());
    const twoFactorCode = keep('code of the admin', issued.data['activationCode']);
    await post('/licenses/activate-step1', {
      licenseKey,
      twoFactorCode: twoFactorCode === '000000' ? '000001' : '000000',
    });
    const first = await must(post('/licenses/activate-step1', { licenseKey, twoFactorCode }));
    const [ticket = ''] = first.cookies;
    keep('ticket', ticket.split('=')[1]);
    const password = keep('password of the owner', 'parol-vladelca-1');
    const passwords = { licenseKey, password, passwordConfirm: password };
    await post('/licenses/activate-step2', { ...passwords, passwordConfirm: 'parol-drugoy-1' }, { cookie: ticket });
    const activated = await must(post('/licenses/activate-step2', passwords, { cookie: ticket }));
    const loginCode = keep('login code of the owner', activated.data['ceoLoginCode']);
    keepTokens('licence login', await must(post('/licenses/activate', { licenseKey, password })));
    await post('/auth/ceo-login', { loginCode, password: keep('wrong password of the owner', 'parol-vladelca-2') });
    const signedIn = keepTokens('owner login', await must(post('/auth/ceo-login', { loginCode, password })));
    return { token: signedIn.token, adminToken, licenceId: license.id, password, loginCode };
  };

  const employ = async (token: string) => {
    const person = { name: 'Афанасий Непомнящий', email: 'afanasiy@secret-mail.example', role: 'CBDO' };
    personal.set('name', person.name).set('e-mail', person.email);
    const made = await must(post('/employees/create', person, { token }));
    const authCode = keep('code of the employee', made.data['authCode']);
    const temporary = keep('temporary password', made.data['temporaryPassword']);
    const first = keepTokens(
      'one-time login',
      await must(post('/auth/employee-login', { authCode, password: temporary })),
    );
    const newPassword = keep('own password', 'sobstvenniy-parol');
    await post('/auth/password', { currentPassword: 'parol-ne-tot', newPassword }, { token: first.token });
    const change = { currentPassword: temporary, newPassword };
    const changed = keepTokens('new password', await must(post('/auth/password', change, { token: first.token })));
    const userId = (made.data['user'] as PersonWire).id;
    return { userId, authCode, password: newPassword, ...changed };
  };

  test('SIG-84 of sign-ins, tokens, sockets, passwords, mistakes and failures nothing secret or personal is printed', async () => {
    const owner = await signInEverywhere();
    const { token } = owner;
    const person = await employ(token);
    const refreshed = await must(post('/auth/refresh', { refreshToken: person.refreshToken }));
    const fresh = keepTokens('refresh', refreshed);
    await must(send('PUT', '/api/license/settings', { codeOnlyLogin: true }, { token }));
    keepTokens('code alone', await must(post('/auth/login-code', { authCode: person.authCode })));
    await post('/auth/login-code', { authCode: keep('wrong code', 'NETAKOGO2345') });
    const reissued = await must(post(`/users/${person.userId}/reissue-code`, {}, { token }));
    const authCode = keep('another code', reissued.data['authCode']);
    // A person has three seats at most.
    const login = { authCode, password: person.password, endOldest: true };
    const third = keepTokens('employee login', await must(post('/auth/employee-login', login)));
    const temporary = await must(post(`/users/${person.userId}/temporary-password`, {}, { token }));
    keep('another temporary password', temporary.data['temporaryPassword']);
    const admin = { token: owner.adminToken };
    const made = await must(post(`/admin/licenses/${owner.licenceId}/code`, {}, admin));
    keep('another code of the admin', made.data['activationCode']);
    for (const path of ['/api/license?reveal=true', '/api/users', '/api/auth/session', '/api/auth/sessions'])
      await must(send('GET', path, undefined, { token }));

    // What goes wrong, with secrets where they do not belong.
    await post('/auth/employee-login', undefined, { raw: `{"authCode":"${authCode}","password":"${person.password}"` });
    await post('/auth/employee-login', { authCode: { $gt: authCode }, password: [person.password] });
    await post(`/auth/ceo-login?loginCode=${owner.loginCode}&password=${owner.password}`, {});
    await send('GET', `/api/license?token=${token}&reveal=maybe`, undefined, { token });
    await send('GET', '/api/license', undefined, { token: `${token}x` });
    await send('GET', '/api/license', undefined, { token: owner.adminToken });
    await post('/auth/refresh', { refreshToken: `${fresh.refreshToken}x` });
    await post('/auth/logout', { refreshToken: third.refreshToken }, { token: third.token });
    await post('/channels', { name: 'x'.repeat(2_000_000), password: person.password }, { token });

    const watcher = await liveClient(zakup.address, token);
    await watcher.subscribe('workspace');
    watcher.socket.emit('subscribe', { scope: 'workspace', token, password: owner.password });
    await watcher.socket.emitWithAck('renew', { token: `${token}x` });
    watcher.close();
    for (const auth of [
      { token: `${token}x`, protocolVersion: 1 },
      { token: owner.adminToken, protocolVersion: 1 },
      { password: owner.password },
    ]) {
      const socket = io(zakup.address, { auth, transports: ['websocket'], reconnection: false });
      await new Promise((resolve) => socket.once('connect_error', resolve));
      socket.close();
    }

    // A store that is away: failures are told with their stacks.
    for (const part of zakup.standIns) {
      await zakup.kill(part);
      const wrong = { loginCode: owner.loginCode, password: owner.password, endOldest: true };
      const [signIn, read] = [
        await post('/auth/ceo-login', wrong),
        await send('GET', '/api/license', undefined, { token }),
      ];
      expect(Math.max(signIn.status, read.status)).toBeGreaterThanOrEqual(part === 'mongodb' ? 500 : 200);
      await zakup.start({ part });
    }
    await zakup.stop();

    const output = zakup.output();
    for (const said of ['/api/auth/employee-login', '"status":422', '"status":413', '"status":401', '"level":"info"'])
      expect(output).toContain(said);
    expect(secrets.size).toBeGreaterThan(30);
    const found = (named: ReadonlyMap<string, string>) =>
      [...named]
        .filter(([, text]) => output.includes(text) || output.includes(encodeURIComponent(text)))
        .map(([name]) => name);
    // Six digits are in every other instant and id: they are looked for as a whole value.
    const isCode = (text: string): boolean => /^\d{6}$/u.test(text);
    const codes = new Map([...secrets].filter(([, text]) => isCode(text)));
    const others = new Map([...secrets].filter(([, text]) => !isCode(text)));
    expect(found(others)).toEqual([]);
    expect(
      [...codes]
        .filter(([, code]) => new RegExp(`(?<![\\w.])${code}(?![\\w.])`, 'u').test(output))
        .map(([name]) => name),
    ).toEqual([]);
    expect(found(personal)).toEqual([]);
    expect(output).not.toMatch(/Bearer ey|"authorization"|"cookie"|\$argon2id/iu);
  }, 90_000);
});
