import { Agent, request } from 'node:http';

export interface RawRequest {
  readonly method: string;
  /** With the query, as it goes over the wire. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

export interface RawReply {
  readonly status: number;
  readonly text: string;
  /** From sending to the end of the answer. */
  readonly milliseconds: number;
}

/** Sends requests as they are written, past what `fetch` would put right, over one connection. */
export const rawClient = (address: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port } = new URL(address);

  const once = ({ method, path, headers, body = '' }: RawRequest): Promise<RawReply> =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const sized = body === '' ? headers : { ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
      const outgoing = request({ hostname, port, method, path, headers: sized, agent }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => void parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve({ status: response.statusCode ?? 0, text, milliseconds: performance.now() - began });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });

  return {
    once,
    close: (): void => agent.destroy(),
  };
};
