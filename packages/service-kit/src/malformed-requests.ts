import type { RequestHandler } from 'express';
import { notFound } from './problem-middleware.ts';

const decodes = (segment: string): boolean => {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
};

/**
 * For `/api`, before its routes: OPTIONS is an unknown method like any other (the framework would answer it with a list), and a part of the
 * path whose percent-encoding is broken stands for itself, so that it is refused as an unknown id where its turn comes.
 */
export const malformedRequests: RequestHandler = (request, response, next) => {
  if (request.method === 'OPTIONS') {
    void notFound(request, response, next);
    return;
  }
  const [path = '', ...query] = request.url.split('?');
  const whole = path.split('/').map((part) => (decodes(part) ? part : part.replaceAll('%', '%25')));
  const url = [whole.join('/'), ...query].join('?');
  if (url !== request.url) request.url = url;
  next();
};

/** For the root, before everything: no page or call has a path that begins with two slashes. */
export const doubleSlash: RequestHandler = (request, response, next) =>
  request.url.startsWith('//') ? notFound(request, response, next) : next();
