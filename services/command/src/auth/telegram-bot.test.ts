import { commandApp } from '../app.ts';
import { inMemoryLeases } from '@zakup/read-store/in-memory-leases';
import { jsonLog } from '@zakup/service-kit/log';
import { readiness } from '@zakup/service-kit/health';
import { httpFront } from '@zakup/service-kit/http-front';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BotApi, botApi } from '../testing/bot-api.ts';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { issuedLicence } from '../testing/given.ts';
import type { CodeSender } from './code-sender.ts';
import { telegramSender } from './telegram-sender.ts';
import { telegramBot, telegramLease } from './telegram-bot.ts';

const token = '123456:AAAAAAAAAAAAAAAAAAAAAAAA';

describe('the Telegram bot', () => {
  let api: BotApi;
  let service: CommandService;
  let senders: CodeSender[];
  let lines: string[];
  const leases = inMemoryLeases();
  beforeEach(async () => {
    lines = [];
    senders = [];
    api = await botApi(token);
    service = await commandService((deps) => {
      const log = jsonLog({ level: 'debug', destination: { write: (line) => lines.push(line) } });
      const more = { ...deps, log };
      const codeSender = bot(more.credentials, log);
      const front = httpFront({
        config: { trustProxy: 0, publicHttps: false, metrics: 'open' },
        readiness: readiness({}),
        log,
        metrics: deps.metrics,
      });
      front.open([commandApp({ ...more, codeSender })]);
      return front.app;
    });
  });
  afterEach(async () => {
    for (const sender of senders) await sender.stop();
    await api.close();
    await service.close();
  });

  const bot = (
    credentials: CommandService['credentials'],
    log = jsonLog({ level: 'debug', destination: { write: (line: string) => lines.push(line) } }),
  ): CodeSender => {
    const stopping = new AbortController().signal;
    const sender = telegramBot({ token, apiRoot: api.address, pause: 20, credentials, leases, log, stopping });
    senders.push(sender);
    return sender;
  };
  const requestCode = (licenseKey: string) => service.call('POST', '/licenses/request-code', { licenseKey });
  const textsTo = (chat: number): readonly string[] =>
    api.sent.filter((one) => one.chat === chat).map(({ text }) => text);
  const codeIn = (text: string | undefined): string => /\d{6}/u.exec(text ?? '')?.[0] ?? '';

  test('SIG-50 a code that the owner asks for comes to the chat that the owner began, and opens the next step', async () => {
    api.write(77, 'Anna');
    await expect.poll(() => textsTo(77)).toHaveLength(1);
    const { id, key, admin } = await issuedLicence(service, { ownerTelegram: '@anna' });
    expect((await requestCode(key)).body).toEqual({ success: true, error: null, data: {} });
    await expect.poll(() => textsTo(77)).toHaveLength(2);
    const code = codeIn(textsTo(77)[1]);
    // The admin cannot read what the bot delivers.
    const shown = await service.call('POST', `/admin/licenses/${id}/resume`, {}, { token: admin });
    expect(shown.body.data.license.pendingCode).toBeNull();
    const first = await service.call('POST', '/licenses/activate-step1', { licenseKey: key, twoFactorCode: code });
    expect(first.status).toBe(200);
    // Not again within a minute, and then another one.
    await requestCode(key);
    service.advance(60_000);
    await requestCode(key);
    await expect.poll(() => textsTo(77)).toHaveLength(3);
    expect(lines.join('\n')).not.toContain(code);
    expect(lines.join('\n')).not.toContain(token);
  });

  test('SIG-51 who has not written gets nothing, groups and the nameless are not remembered, and keys answer alike', async () => {
    api.write(5, null);
    api.write(6, 'anna', 'group');
    await expect.poll(() => textsTo(5)).toHaveLength(1);
    expect(textsTo(5)[0]).toContain('имя пользователя');
    const { key } = await issuedLicence(service, { ownerTelegram: '@anna' });
    const answers = [await requestCode(key), await requestCode('LICENSE-AAAA-BBBB-CCCC-DDDD')];
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    await expect.poll(() => lines.some((line) => line.includes('has not written'))).toBe(true);
    expect(api.sent).toHaveLength(1);
  });

  test('SIG-52 a message that cannot be sent is told without code or token, and harms no answer', async () => {
    api.write(77, 'anna');
    await expect.poll(() => textsTo(77)).toHaveLength(1);
    const { key } = await issuedLicence(service, { ownerTelegram: '@anna' });
    api.refuse(403, 'Forbidden: bot was blocked by the user');
    expect((await requestCode(key)).status).toBe(200);
    await expect.poll(() => lines.some((line) => line.includes('blocked by the user'))).toBe(true);
    await api.close();
    service.advance(60_000);
    expect((await requestCode(key)).status).toBe(200);
    await expect.poll(() => lines.some((line) => line.includes('Telegram не отвечает'))).toBe(true);
    expect(lines.join('\n')).not.toMatch(/Код активации|\b\d{6}:A/u);
  });

  test('SIG-53 of several processes one listens, the next goes on where it stopped, and a refusal is tried again', async () => {
    await expect.poll(() => api.asked()).toBeGreaterThan(0);
    bot(service.credentials);
    api.write(1, 'first');
    await expect.poll(() => service.credentials.chatOf('first')).toBe('1');
    await senders[0]?.stop();
    await expect.poll(() => api.confirmed()).toBe(2);
    api.write(2, 'second');
    await expect.poll(() => service.credentials.chatOf('second')).toBe('2');
    expect(textsTo(1)).toHaveLength(1);
    api.refuse(409, 'Conflict: terminated by other getUpdates request');
    await expect.poll(() => lines.some((line) => line.includes('Conflict'))).toBe(true);
    api.refuse(null);
    api.write(3, 'third');
    await expect.poll(() => service.credentials.chatOf('third')).toBe('3');
    leases.expire(telegramLease);
    api.write(4, 'fourth');
    await expect.poll(() => service.credentials.chatOf('fourth')).toBe('4');
  });

  test('SIG-54 without a token there is no sender', async () => {
    const stopping = new AbortController().signal;
    const log = jsonLog({ level: 'silent' });
    expect(await telegramSender({ credentials: service.credentials, leases, log, stopping }, null)).toBeNull();
  });
});
