import { connect } from 'node:net';

/** An answer's status and JSON. */
export interface HttpReply {
  readonly status: number;
  readonly body: unknown;
}

/** One keep-alive connection, one request at a time; as little client as can be, so that what is measured is the server. */
export interface HttpLine {
  send(request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: string;
    readonly body: unknown;
  }): Promise<HttpReply>;
  close(): void;
}

const headEnd = Buffer.from('\r\n\r\n');

/** Connects to `127.0.0.1:port`. Answers must carry a Content-Length. */
export const httpLine = (port: number): Promise<HttpLine> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received: Buffer = Buffer.alloc(0);
    let settle: { readonly resolve: (reply: HttpReply) => void; readonly reject: (error: Error) => void } | undefined;

    const fail = (error: Error) => {
      reject(error);
      settle?.reject(error);
    };
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('The server closed the connection')));
    socket.on('data', (data) => {
      received = received.length === 0 ? data : Buffer.concat([received, data]);
      const end = received.indexOf(headEnd);
      if (end === -1) return;
      const head = received.toString('latin1', 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (Number.isNaN(length)) {
        fail(new Error(`An answer without a length: ${head}`));
        return;
      }
      if (received.length < end + 4 + length) return;
      const body: unknown = JSON.parse(received.toString('utf8', end + 4, end + 4 + length));
      received = received.subarray(end + 4 + length);
      const done = settle;
      settle = undefined;
      done?.resolve({ status: Number(head.slice(9, 12)), body });
    });
    socket.on('connect', () =>
      resolve({
        send: ({ method, path, headers = '', body }) =>
          new Promise((answered, refused) => {
            settle = { resolve: answered, reject: refused };
            const text = JSON.stringify(body);
            socket.write(
              `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${headers}\r\n${text}`,
            );
          }),
        close: () => socket.destroy(),
      }),
    );
  });
