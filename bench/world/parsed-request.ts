import type { RequestHandler } from 'express';
import type { WantedRequest } from './placement-requests.ts';

/** The part of a reply that a client goes on with. */
export interface PlacementReply {
  readonly success: true;
  readonly data: { readonly placement: { readonly id: string; readonly revision: number } };
}

/** Hands requests that are parsed already to a router, and answers what it would send as JSON; rejects for anything but success. */
export const parsedRequests =
  (router: RequestHandler) =>
  ({ method, path, key, body }: WantedRequest, authorization: string): Promise<PlacementReply> =>
    new Promise((resolve, reject) => {
      const headers: Readonly<Record<string, string>> = {
        authorization,
        'content-type': 'application/json',
        'idempotency-key': key,
      };
      const request = {
        method,
        url: path,
        originalUrl: `/api${path}`,
        headers,
        body,
        query: {},
        get: (name: string) => headers[name.toLowerCase()],
      };
      const response = {
        locals: {},
        req: request,
        set: () => response,
        status: () => response,
        type: () => response,
        json: resolve,
        send: (problem: unknown) => reject(new Error(String(problem))),
      };
      router(
        request as unknown as Parameters<RequestHandler>[0],
        response as unknown as Parameters<RequestHandler>[1],
        (error?: unknown) => reject(error instanceof Error ? error : new Error(`No route for ${path}`)),
      );
    });
