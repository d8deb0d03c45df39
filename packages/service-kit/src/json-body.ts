import express, { type RequestHandler } from 'express';
import { RefusedBody } from './problem-middleware.ts';

const deepest = 32;

/** Deletes members named `__proto__` in place; false when the value is nested deeper than `deepest`. Iterative: depth is the sender's. */
function madeSafe(body: unknown): boolean {
  const waiting: { readonly node: unknown; readonly depth: number }[] = [{ node: body, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    if (typeof node !== 'object' || node === null) continue;
    if (depth > deepest) return false;
    if (Object.hasOwn(node, '__proto__')) Reflect.deleteProperty(node, '__proto__');
    for (const child of Object.values(node)) waiting.push({ node: child, depth: depth + 1 });
  }
  return true;
}

const carriesBody: (headers: {
  readonly 'content-length'?: string | undefined;
  readonly 'transfer-encoding'?: string | undefined;
}) => boolean = (headers) => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? '0') > 0;

/**
 * Reads a JSON object or array of at most `limit` (default 1 MB after decompression) into `req.body`; without a body it stays undefined.
 * Throws what `problemHandler` turns into 400 (another content type, broken JSON, deeper than 32 levels) or 413.
 */
export function jsonBody({ limit = '1mb' }: { readonly limit?: string | number } = {}): readonly RequestHandler[] {
  const refuseOtherTypes: RequestHandler = (request, _response, next) => {
    if (carriesBody(request.headers) && request.is('application/json') === false) {
      next(new RefusedBody('wrong_content_type'));
      return;
    }
    next();
  };
  const refuseHostile: RequestHandler = (request, _response, next) => {
    next(madeSafe(request.body as unknown) ? undefined : new RefusedBody('malformed'));
  };
  return [refuseOtherTypes, express.json({ limit, strict: true, type: 'application/json' }), refuseHostile];
}
