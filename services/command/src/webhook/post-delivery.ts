import { createHmac } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryTry } from '@zakup/credentials/delivery-book';
import { isTaken } from '@zakup/contracts/deliveries';
import { messages } from '@zakup/domain/messages';
import { checkedAddresses, PrivateAddress, type Resolve, type ResolvedAddress } from './private-addresses.ts';

/** Milliseconds for the whole exchange. */
export const answerPatience = 10_000;
/** Milliseconds for the rest of an answer that took the delivery: whoever leaves it open holds a connection no longer. */
const restOfTaken = 1_000;
/** Bytes of an answer that are taken; nothing of it is kept. */
const mostOfAnswer = 64 * 1024;

export interface PostingOptions {
  /** UTC milliseconds. */
  readonly now: () => number;
  /** Addresses of private networks are called too. */
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve | undefined;
  /** Milliseconds; default 10 s. */
  readonly patience?: number | undefined;
  /** Milliseconds for the rest of an answer that took the delivery; default 1 s. */
  readonly restPatience?: number | undefined;
  /** Ends it early, as a failure. */
  readonly signal: AbortSignal;
}

export interface Posting {
  readonly url: string;
  readonly secret: string;
  /** Of the delivery. */
  readonly id: string;
  /** The bytes that are signed and sent. */
  readonly body: string;
}

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">` (WEBHOOK-3). */
export const signatureOf = (secret: string, body: string, seconds: number): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

/** Answers with what was checked, whatever is asked for: nobody looks the name up once more. */
const fixed =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };

/** Takes the answer until it ends, or is more than anybody needs. */
const drained = (response: IncomingMessage): Promise<void> =>
  new Promise((resolve, reject) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostOfAnswer) {
        resolve();
        response.destroy();
      }
    });
    response.on('end', resolve);
    response.on('error', reject);
    response.on('close', () => reject(new Error('The answer broke off')));
  });

const sent = (
  url: URL,
  addresses: readonly ResolvedAddress[],
  { id, body }: Posting,
  { signature, signal }: { readonly signature: string; readonly signal: AbortSignal },
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request: ClientRequest = send(url, {
      method: 'POST',
      agent: false,
      lookup: fixed(addresses),
      signal,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': 'Zakup-Webhooks',
        'Zakup-Delivery': id,
        'Zakup-Signature': signature,
      },
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });

const errorOf = (error: unknown): string => {
  if (error instanceof PrivateAddress) return messages.webhookAddressPrivate;
  const { code = '' } = error as { readonly code?: string };
  if (['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'].includes(code)) return messages.webhookNameUnknown;
  if (/CERT|TLS|SSL|SELF_SIGNED/u.test(code)) return messages.webhookCertificate;
  return messages.webhookNoConnection;
};

/** Sends it once and waits for the answer. Every failure is a value. */
export const postDelivery = async (posting: Posting, options: PostingOptions): Promise<DeliveryTry> => {
  const { now, allowPrivate, resolve, patience = answerPatience, restPatience = restOfTaken } = options;
  const at = now();
  const began = performance.now();
  const tried = (status: number | null, error: string | null): DeliveryTry => ({
    at,
    status,
    ms: Math.round(performance.now() - began),
    error,
  });
  const timeUp = AbortSignal.timeout(patience);
  const signal = AbortSignal.any([timeUp, options.signal]);
  let status: number | null = null;
  let taken: DeliveryTry | null = null;
  const exchange = async (): Promise<DeliveryTry> => {
    const url = new URL(posting.url);
    const addresses = await checkedAddresses(url, { allowPrivate, resolve });
    signal.throwIfAborted();
    const signature = signatureOf(posting.secret, posting.body, Math.floor(now() / 1000));
    const response = await sent(url, addresses, posting, { signature, signal });
    status = response.statusCode ?? null;
    const rest = drained(response);
    // Taken is taken, whatever becomes of the rest of the answer; its connection counts until it is gone.
    if (isTaken(tried(status, null))) {
      taken = tried(status, null);
      await Promise.race([rest.catch(() => undefined), delay(restPatience, undefined, { ref: false })]);
      response.destroy();
      return taken;
    }
    await rest;
    const isRedirect = status !== null && status >= 300 && status < 400;
    return tried(status, isRedirect ? messages.webhookRedirects : null);
  };
  // Looking up a name cannot be broken off, but nobody has to wait for it.
  const ended = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('It took too long')), { once: true });
  });
  try {
    return await Promise.race([exchange(), ended]);
  } catch (error) {
    return taken ?? tried(status, timeUp.aborted ? messages.webhookNoAnswer : errorOf(error));
  }
};
