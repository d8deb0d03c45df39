import { randomInt } from 'node:crypto';
import { adminLogin, adminPassword } from '../support/zakup-process.ts';
import { type Edition, editionsOfDeep, type Installation } from '../support/editions.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

interface Answer {
  readonly status: number;
  readonly wait: number;
  readonly cookie: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const password = 'right-password';
/** Many times as many as may pass. */
const guesses = inject('isDeep') ? 600 : 60;
const guessersAtOnce = 20;
/** Of a crowd in line, who stay until they are answered; the others hang up then. */
const patient = inject('isDeep') ? Number.POSITIVE_INFINITY : 20;

/** A botnet at the doors of a whole installation, with the cost of real passwords. */
describe.each(editionsOfDeep)('a flood of sign-ins in $name', (edition: Edition) => {
  let zakup: Installation;
  let owner: {
    readonly loginCode: string;
    readonly licenseKey: string;
    readonly cookie: string;
    readonly token: string;
  };
  let buyer: { readonly authCode: string };

  const send = async (
    method: string,
    path: string,
    body: object | undefined,
    {
      from = '198.51.100.1',
      token,
      cookie,
      signal,
    }: { from?: string; token?: string; cookie?: string; signal?: AbortSignal } = {},
  ): Promise<Answer> => {
    const response = await fetch(`${zakup.address}/api${path}`, {
      method,
      headers: {
        'X-Forwarded-For': from,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(cookie !== undefined && { Cookie: cookie }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    const { data = {} } = (await response.json()) as { readonly data?: Record<string, unknown> };
    const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
    const wait = Number(response.headers.get('Retry-After') ?? 0);
    return { status: response.status, wait, cookie: cookies.at(-1) ?? '', data };
  };
  const post = (path: string, body: object, more: Parameters<typeof send>[3] = {}) => send('POST', path, body, more);

  beforeAll(async () => {
    zakup = await edition.install();
    // The last proxy tells who came: this test, as the proxy of one process, or as the one before the proxy of three.
    await zakup.start({ env: { TRUST_PROXY: edition.isOneProcess ? '1' : '2', LOG_LEVEL: 'error' } });
    const admin = await post('/admin/login', { login: adminLogin, password: adminPassword });
    const issued = await post(
      '/admin/licenses',
      { ownerName: 'Анна', ownerEmail: 'anna@example.com', ownerTelegram: '@anna' },
      { token: String(admin.data['token']) },
    );
    const { licenseKey } = issued.data['license'] as { readonly licenseKey: string };
    const code = { licenseKey, twoFactorCode: issued.data['activationCode'] };
    const ticket = await post('/licenses/activate-step1', code);
    const passwords = { licenseKey, password, passwordConfirm: password };
    const done = await post('/licenses/activate-step2', passwords, { cookie: ticket.cookie });
    const loginCode = String(done.data['ceoLoginCode']);
    const signedIn = await post('/auth/ceo-login', { loginCode, password });
    owner = { loginCode, licenseKey, cookie: signedIn.cookie, token: String(signedIn.data['token']) };
    const person = { name: 'Борис', email: 'boris@example.com', role: 'MEDIA_BUYER', password };
    const made = await post('/employees/create', person, { token: owner.token });
    buyer = { authCode: String(made.data['authCode']) };
  });
  afterAll(async () => {
    await zakup.stop();
    await zakup.remove();
    await edition.end();
  });

  const anAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

  test('R10-1 of a flood of guesses from everywhere at both doors of the owner ten pass, and nobody is locked out', async () => {
    const doors = [
      () => post('/auth/ceo-login', { loginCode: owner.loginCode, password: 'guess' }, { from: anAddress() }),
      () => post('/licenses/activate', { licenseKey: owner.licenseKey, password: 'guess' }, { from: anAddress() }),
    ] as const;
    const over = new AbortController();
    const answers: Answer[] = [];
    const working: Promise<Answer>[] = [];
    const work = (): Promise<Answer> => post('/channels', { name: `Канал ${working.length}` }, { token: owner.token });
    const guessing = Array.from({ length: guessersAtOnce }, async (_, index) => {
      for (let count = 0; count < guesses / guessersAtOnce; count += 1) {
        const door = doors[(index + count) % doors.length] ?? doors[0];
        answers.push(await door());
        if (answers.length % 10 === 0) working.push(work());
      }
    });
    const spraying = Array.from({ length: 4 }, async () => {
      while (!over.signal.aborted)
        await post(
          '/auth/employee-login',
          { authCode: `SPRAY${randomInt(1e6)}`, password: 'guess' },
          { from: anAddress() },
        );
    });
    await Promise.all(guessing);
    // While it lasts: the owner where they signed in before, and somebody else on a new device.
    const back = await post('/auth/ceo-login', { loginCode: owner.loginCode, password }, { cookie: owner.cookie });
    const other = await post('/auth/employee-login', { authCode: buyer.authCode, password });
    over.abort();
    await Promise.all(spraying);
    const worked = await Promise.all(working);

    expect(answers).toHaveLength(guesses);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    const waiting = answers.filter(({ status }) => status === 429);
    expect(waiting).toHaveLength(guesses - 10);
    expect(waiting.every(({ wait }) => wait > 0 && wait <= 300)).toBe(true);
    expect([back.status, other.status]).toEqual([200, 200]);
    expect(worked).toHaveLength(guesses / 10);
    expect(worked.every(({ status }) => status === 200)).toBe(true);
  }, 240_000);

  test('R10-2 a crowd of unknown codes at once: who stays is answered, what is too much with when to come again', async () => {
    const over = new AbortController();
    const crowd: Answer[] = [];
    const withStatus = (status: number): readonly Answer[] => crowd.filter((answer) => answer.status === status);
    await Promise.all(
      Array.from({ length: 400 }, async (_, index) => {
        const code = { authCode: `CROWD${index}`, password: 'guess' };
        try {
          crowd.push(await post('/auth/employee-login', code, { from: anAddress(), signal: over.signal }));
        } catch (error) {
          if (!over.signal.aborted) throw error;
        }
        if (withStatus(401).length >= patient) over.abort();
      }),
    );
    const [refused, told] = [withStatus(401), withStatus(429)];
    expect(refused.length).toBeGreaterThanOrEqual(Math.min(patient, 400 - told.length));
    expect(refused.length + told.length).toBe(crowd.length);
    expect(told.length).toBeGreaterThan(0);
    expect(told.every(({ wait }) => wait === 1)).toBe(true);
    const back = { loginCode: owner.loginCode, password, endOldest: true };
    expect((await post('/auth/ceo-login', back, { cookie: owner.cookie })).status).toBe(200);
  }, 240_000);
});
