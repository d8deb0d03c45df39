import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { isTaken } from '@zakup/contracts/deliveries';
import { messages } from '@zakup/domain/messages';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webhookReceiver } from '../testing/webhook-receiver.ts';
import { type PostingOptions, postDelivery, signatureOf } from './post-delivery.ts';

let receiver: Awaited<ReturnType<typeof webhookReceiver>>;
beforeEach(async () => {
  receiver = await webhookReceiver();
});
afterEach(() => receiver.close());

const now = () => Date.parse('2030-01-01T00:00:00.000Z');
const posting = (more: object = {}) => ({
  url: receiver.url,
  secret: 'whsec_test',
  id: '11111111-1111-4111-8111-111111111111',
  body: '{"type":"ping","data":{"имя":"Котики"}}',
  ...more,
});
const post = (more: Partial<PostingOptions> = {}, given: object = {}) =>
  postDelivery(posting(given), { now, allowPrivate: true, signal: new AbortController().signal, ...more });

describe('one try to deliver', () => {
  it('WHK-2903 is a POST of the very bytes that are signed, with the time of the try', async () => {
    const tried = await post();
    expect(tried).toMatchObject({ at: now(), status: 200, error: null });
    expect(isTaken(tried)).toBe(true);
    const [{ headers, text }] = (await receiver.first(1)) as [(typeof receiver.received)[number]];
    const seconds = now() / 1000;
    const digest = createHmac('sha256', 'whsec_test').update(`${seconds}.${text}`).digest('hex');
    expect(text).toBe(posting().body);
    expect(headers['zakup-signature']).toBe(`t=${seconds},v1=${digest}`);
    expect(signatureOf('whsec_test', text, seconds)).toBe(headers['zakup-signature']);
    expect(headers['zakup-delivery']).toBe(posting().id);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('WHK-2904 follows no redirect: where it leads is called by nobody', async () => {
    const target = await webhookReceiver();
    receiver.answers((response) => response.writeHead(307, { Location: target.url }).end());
    const tried = await post();
    expect(tried).toMatchObject({ status: 307, error: messages.webhookRedirects });
    expect(isTaken(tried)).toBe(false);
    expect(target.received).toEqual([]);
    await target.close();
  });

  it('WHK-2905 ends after as long as it may take when nobody answers, or when a refusal does not end; what was taken is taken all the same', async () => {
    receiver.answers(() => undefined);
    expect(await post({ patience: 50 })).toMatchObject({ status: null, error: messages.webhookNoAnswer });
    receiver.answers((response) => {
      response.statusCode = 500;
      response.write('x');
    });
    expect(await post({ patience: 1_000 })).toMatchObject({ status: 500, error: messages.webhookNoAnswer });
    receiver.answers((response) => response.write('x'));
    expect(isTaken(await post({ patience: 1_000, restPatience: 60_000 }))).toBe(true);
  });

  it('WHK-3350 a receiver that takes everything and leaves its answers open has one connection at a time all the same', async () => {
    const open = new Set<unknown>();
    const closed: Promise<unknown>[] = [];
    receiver.answers((response) => {
      open.add(response);
      closed.push(once(response, 'close').finally(() => open.delete(response)));
      response.write('x');
    });
    for (let count = 1; count <= 5; count += 1) {
      expect(isTaken(await post({ restPatience: 20 }))).toBe(true);
      await Promise.all(closed);
      expect([count, open.size]).toEqual([count, 0]);
    }
  });

  it('WHK-2906 takes no more than 64 KB of an answer that goes on for ever', async () => {
    receiver.answers((response) => {
      response.on('error', () => undefined);
      const more = (): void => {
        if (!response.destroyed && response.write('x'.repeat(16_384))) setImmediate(more);
      };
      response.on('drain', more);
      more();
    });
    expect(isTaken(await post())).toBe(true);
  });

  it('WHK-2907 refuses a private address at every try, and does not call it', async () => {
    expect(await post({ allowPrivate: false })).toMatchObject({ status: null, error: messages.webhookAddressPrivate });
    expect(receiver.received).toEqual([]);
  });

  it('WHK-2908 calls the address that was checked: a name that leads elsewhere when it is looked up again is not looked up again', async () => {
    const asked: string[] = [];
    const answers = ['93.184.216.34', '127.0.0.1'];
    const resolve = async (hostname: string) => {
      asked.push(hostname);
      return [{ address: answers.shift() ?? '127.0.0.1', family: 4 as const }];
    };
    const url = `http://rebinding.example.org:${receiver.port}/`;
    const stopped = AbortSignal.timeout(50);
    await post({ allowPrivate: false, resolve, signal: stopped }, { url });
    expect(asked).toEqual(['rebinding.example.org']);
    expect(await post({ allowPrivate: false, resolve }, { url })).toMatchObject({
      error: messages.webhookAddressPrivate,
    });
    expect(receiver.received).toEqual([]);
    const allowed = await post({ allowPrivate: true, resolve }, { url });
    expect(allowed.status).toBe(200);
    expect(receiver.received[0]?.headers['host']).toBe(`rebinding.example.org:${receiver.port}`);
  });

  it('WHK-2909 says in words what went wrong', async () => {
    await receiver.close();
    expect(await post()).toMatchObject({ status: null, error: messages.webhookNoConnection });
    const unknown = async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    };
    expect(await post({ resolve: unknown }, { url: 'https://none.example.org/' })).toMatchObject({
      error: messages.webhookNameUnknown,
    });
    receiver = await webhookReceiver();
    expect(await post({}, { url: receiver.url.replace('http:', 'https:') })).toMatchObject({ status: null });
  });
});
