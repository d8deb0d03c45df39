import { codeShown } from '@zakup/credentials/testing/authenticator';
import { messages } from '@zakup/domain/messages';
import express from 'express';
import { afterEach, describe, expect, test } from 'vitest';
import { commandApp } from '../app.ts';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import { givenSecondFactor } from '../testing/given.ts';

const password = 'admin-password';
const under = '/admin/second-factor';

describe('the admin’s second factor', () => {
  let service: CommandService;
  afterEach(() => service.close());

  /** `required`: other machines reach the server, and it says that the admin must have one. */
  const started = async (adminSecondFactor: 'optional' | 'required' = 'optional'): Promise<void> => {
    service = await commandService((deps) => express().use('/api', commandApp({ ...deps, adminSecondFactor })));
  };
  const login = (): Promise<Reply> => service.call('POST', '/admin/login', { login: 'admin', password });
  const ask = (path: string, token: string, body: object): Promise<Reply> =>
    service.call('POST', `${under}${path}`, body, { token });
  const works = async (token: string): Promise<boolean> =>
    (await service.call('POST', '/admin/rebuild', {}, { token })).status === 200;
  const withFactor = async () => {
    const { token } = (await login()).body.data;
    return { token, ...(await givenSecondFactor(service, { token, password, under })) };
  };

  test('ADS-1470 the admin signs in as before without one; with one a code is asked for, right once, and its token opens nothing else', async () => {
    await started();
    expect(await works((await login()).body.data.token)).toBe(true);
    const { code, secret } = await withFactor();
    const { data } = (await login()).body;
    expect(data).toMatchObject({ secondFactorRequired: true });
    expect([await works(data.token), (await ask('/begin', data.token, { currentPassword: password })).status]).toEqual([
      false,
      422,
    ]);
    const wrong = await ask('', data.token, { code: codeShown(secret, service.clock() + 3_600_000) });
    expect([wrong.status, wrong.body.error]).toEqual([422, messages.secondFactorWrong]);
    const shown = code();
    const done = await ask('', data.token, { code: shown });
    expect(await works(done.body.data.token)).toBe(true);
    expect((await ask('', data.token, { code: code(1) })).status).toBe(401);
    expect((await ask('', (await login()).body.data.token, { code: shown })).status).toBe(422);
  });

  test('ADS-1471 where it is required the password opens only its setting up, which ends signed in; it is not switched off there', async () => {
    await started('required');
    const { data } = (await login()).body;
    expect(data).toMatchObject({ secondFactorRequired: true, secondFactorSetup: true });
    expect(await works(data.token)).toBe(false);
    expect((await ask('/begin', data.token, { currentPassword: 'wrong-password' })).status).toBe(422);
    const { secret } = (await ask('/begin', data.token, { currentPassword: password })).body.data;
    const done = await ask('/confirm', data.token, { code: codeShown(secret, service.clock()) });
    expect(await works(done.body.data.token)).toBe(true);
    const [code] = done.body.data.recoveryCodes;
    const off = await ask('/off', done.body.data.token, { currentPassword: password, code });
    expect([off.status, off.body.error]).toEqual([422, messages.adminSecondFactorRequired]);
    expect((await login()).body.data).not.toHaveProperty('secondFactorSetup');
  });

  test('ADS-2700 switched on it ends every other session of the admin', async () => {
    await started();
    const other = (await login()).body.data.token;
    const { token } = await withFactor();
    expect([await works(other), await works(token)]).toEqual([false, true]);
  });

  test('ADS-1472 five wrong codes make the admin wait, whatever right passwords come between; a person’s door is another', async () => {
    await started();
    const { code, secret } = await withFactor();
    for (let tries = 0; tries < 5; tries += 1) {
      const { token } = (await login()).body.data;
      expect((await ask('', token, { code: codeShown(secret, service.clock() + 3_600_000) })).status).toBe(422);
    }
    const { token } = (await login()).body.data;
    expect((await ask('', token, { code: code() })).status).toBe(429);
    expect((await service.call('POST', '/auth/second-factor', { code: code() }, { token })).status).toBe(401);
  });

  test('ADS-1473 a new password ends what waits for a code, and the second factor stays; switched off it is not asked for', async () => {
    await started();
    const { token, code, recoveryCodes } = await withFactor();
    const waiting = (await login()).body.data.token;
    const body = { currentPassword: password, code: recoveryCodes[0] };
    await service.credentials.setAdmin('admin', password);
    expect((await ask('', waiting, { code: code() })).status).toBe(401);
    expect((await ask('/off', token, body)).status).toBe(401);
    const again = (await ask('', (await login()).body.data.token, { code: code() })).body.data.token;
    expect((await ask('/recovery-codes', again, body)).body.data.recoveryCodes).toHaveLength(10);
    expect((await ask('/off', again, { ...body, code: code(1) })).status).toBe(200);
    expect(await works((await login()).body.data.token)).toBe(true);
  });

  test('ADS-1476 a session that a password alone opened is over once the server requires more', async () => {
    let adminSecondFactor: 'optional' | 'required' = 'optional';
    service = await commandService((deps) => {
      const later = Object.defineProperty({ ...deps }, 'adminSecondFactor', { get: () => adminSecondFactor });
      return express().use('/api', commandApp(later));
    });
    const { token } = (await login()).body.data;
    expect(await works(token)).toBe(true);
    adminSecondFactor = 'required';
    expect(await works(token)).toBe(false);
    expect((await ask('/begin', token, { currentPassword: password })).status).toBe(401);
    expect((await login()).body.data).toMatchObject({ secondFactorSetup: true });
  });
});
