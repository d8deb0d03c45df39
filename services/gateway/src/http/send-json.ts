import { once } from 'node:events';
import { messages } from '@zakup/domain/messages';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import { createYielder } from '@zakup/async/yielder';
import type { Moment } from '@zakup/projections/past/licence-fold';
import type { Response } from 'express';
import { isShort, streamJson } from './stream-json.ts';
import type { Held } from './limits/read-guard.ts';
import type { Answer } from './answer.ts';
import { WrittenJson } from './written-json.ts';

/** Characters that are put together before they are encoded. */
const partLength = 65_536;

/** The body in parts; null when there is no room for what was not taken yet. */
const partsOf = async (texts: Iterable<string>, held: Held | null): Promise<Buffer[] | null> => {
  const yieldIfDue = createYielder();
  const parts: Buffer[] = [];
  let text = '';
  const add = (): boolean => {
    const part = Buffer.from(text);
    parts.push(part);
    text = '';
    return held?.add(part.length) ?? true;
  };
  for (const more of texts) {
    text += more;
    if (text.length < partLength) continue;
    if (!add()) return null;
    await yieldIfDue();
  }
  return add() ? parts : null;
};

/** Resolves when the reader has taken what waits, or is gone. */
const roomIn = async (response: Response): Promise<void> => {
  const gone = new AbortController();
  const stop = (): void => gone.abort();
  response.once('close', stop);
  try {
    await once(response, 'drain', { signal: gone.signal });
  } catch {
    // Nobody takes it any more: whoever writes looks.
  } finally {
    response.off('close', stop);
  }
};

/** The body of these; null when there is no room for what was not taken yet. */
const heldParts = (members: readonly (string | WrittenJson)[], held: Held | null): Buffer[] | null => {
  const made: Buffer[] = [];
  for (const part of members.flatMap((member) => (typeof member === 'string' ? [Buffer.from(member)] : member.parts))) {
    if (held?.add(part.length) === false) return null;
    made.push(Buffer.from(part.buffer, part.byteOffset, part.byteLength));
  }
  return made;
};

/** An envelope around what was written elsewhere. */
const envelopeAround = (before: object, data: WrittenJson, after: object): readonly (string | WrittenJson)[] => [
  JSON.stringify(before).slice(0, -1),
  ...Object.entries({ data, ...after }).flatMap(([name, value]: [string, unknown]) => [
    `,${JSON.stringify(name)}:`,
    value instanceof WrittenJson ? value : JSON.stringify(value),
  ]),
  '}',
];

/** Sends a long body like a short one, whole and with its length, no faster than it is taken, and lets others have their turn while it is written. */
const sendInTurns = async (response: Response, made: Buffer[] | null, held: Held | null): Promise<void> => {
  if (made === null)
    return sendProblem(response, { code: 'RATE_LIMITED', message: messages.tooManyDownloads, retryAfterSeconds: 3 });
  const length = made.reduce((sum, part) => sum + part.length, 0);
  response.set({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(length) });
  const yieldIfDue = createYielder();
  if (response.req.method !== 'HEAD') {
    const parts = made.toReversed();
    // What was taken is not held by a list either.
    made.length = 0;
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      if (response.destroyed) return;
      if (!response.write(part)) await roomIn(response);
      held?.taken(part.length);
      await yieldIfDue();
    }
  }
  response.end();
};

/** Sends what an envelope says. `held`: counts the bytes of a long one until they are taken. */
const sendJson = async (response: Response, envelope: object, held: Held | null): Promise<void> => {
  response.set('Cache-Control', 'no-store');
  if (isShort(envelope)) {
    response.json(envelope);
    return;
  }
  try {
    await sendInTurns(response, await partsOf(streamJson(envelope), held), held);
  } finally {
    held?.end();
  }
};

/** `at`: the moment that it is of, repeated at the top. */
export const sendAnswer = async (
  response: Response,
  position: number,
  { data, top = {} }: Answer,
  at: Moment | null = null,
  held: Held | null = null,
): Promise<void> => {
  const moment = at === null ? {} : { at };
  const before = { success: true, error: null };
  const after = { position, ...moment, ...top };
  if (!(data instanceof WrittenJson)) return sendJson(response, { ...before, data, ...after }, held);
  response.set('Cache-Control', 'no-store');
  try {
    await sendInTurns(response, heldParts(envelopeAround(before, data, after), held), held);
  } finally {
    held?.end();
  }
};
