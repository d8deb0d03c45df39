import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it came. */
  readonly text: string;
  readonly body: {
    readonly id: string;
    readonly position: number;
    readonly type: string;
    readonly at: string;
    readonly licenceId: string;
    readonly actor: { readonly id: string; readonly name: string | null };
    readonly entity: { readonly kind: string; readonly id: string };
    readonly data: Readonly<Record<string, unknown>>;
  };
}

type Answer = (response: ServerResponse, received: Received) => void;

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** Somebody on this machine who takes what webhooks send, and answers 200 unless told otherwise. */
export const webhookReceiver = async () => {
  const received: Received[] = [];
  let answer: Answer = (response) => response.end();
  let watchers: readonly (() => void)[] = [];
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const one = {
        url: request.url ?? '',
        headers: request.headers,
        text,
        body: JSON.parse(text) as Received['body'],
      };
      received.push(one);
      answer(response, one);
      const waiting = watchers;
      watchers = [];
      for (const look of waiting) look();
      return undefined;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received: received as readonly Received[],
    answers(next: Answer): void {
      answer = next;
    },
    /** Resolves with the first ones when so many have come since the beginning. */
    async first(count: number): Promise<readonly Received[]> {
      while (received.length < count)
        await new Promise<void>((resolve) => {
          watchers = [...watchers, resolve];
        });
      return received.slice(0, count);
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
