import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Express } from 'express';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
}

export interface Answer {
  readonly status: number;
  /** Made when it is asked for: most answers are read by nobody. */
  readonly body: () => string;
}

/** Calls an app as a request would, without a connection: its handlers, checks and answers are those of HTTP. */
export const inProcessCalls = (app: Express): ((call: Call) => Promise<Answer>) => {
  // Connected to nobody; all requests may share it, as nothing is read or written.
  const socket = new Socket();
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const request = Object.assign(new IncomingMessage(socket), {
        method,
        url: path,
        // As parsed: it carries no length, so nobody waits for its bytes.
        ...(body !== undefined && { body }),
      });
      for (const [name, value] of Object.entries(headers)) request.headers[name.toLowerCase()] = value;
      const response = new ServerResponse(request);
      const answered = (text: () => string): typeof response => {
        resolve({ status: response.statusCode, body: text });
        return response;
      };
      Object.assign(response, { json: (value: unknown) => answered(() => JSON.stringify(value)) });
      response.end = (chunk?: unknown) =>
        answered(() => (typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.toString() : ''));
      app(request as Parameters<Express>[0], response as Parameters<Express>[1], (error: unknown) =>
        reject(error instanceof Error ? error : new Error(`${method} ${path} is served by nobody`)),
      );
    });
};
