import { messages } from '@zakup/domain/messages';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import type { RequestHandler } from 'express';
import { authOf } from '../pipeline/authenticate.ts';
import { heldBytes } from './held-bytes.ts';
import { mostBytes } from './uploaded-file.ts';

/** Bytes of files that a licence may have in memory at once, and all licences together. */
const mostHeld = { ofOne: 5 * mostBytes, ofAll: 20 * mostBytes };

/** Refuses a file for which there is no room beside those that are being read. Holds its room until it is answered. */
export const holdFile = (): RequestHandler => {
  const held = heldBytes(mostHeld);
  return (request, response, next) => {
    const told = request.get('Content-Encoding') === undefined ? request.get('Content-Length') : undefined;
    const bytes = Math.min(mostBytes, Number(told ?? mostBytes));
    const release = held.take(authOf(response).session.licenceId, bytes);
    if (release === null) {
      sendProblem(response, { code: 'RATE_LIMITED', message: messages.tooManyFiles, retryAfterSeconds: 5 });
      return;
    }
    response.once('close', release);
    next();
  };
};
