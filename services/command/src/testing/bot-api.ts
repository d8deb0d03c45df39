import { createServer, type IncomingMessage } from 'node:http';
import { listening } from '@zakup/service-kit/listening';

interface Sent {
  readonly chat: number;
  readonly text: string;
}

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
};

/** Stands in for the Bot API of Telegram: what a bot that listens and sends asks of it. */
export const botApi = async (token: string) => {
  const sent: Sent[] = [];
  const updates: object[] = [];
  let asked = 0;
  let confirmed = 0;
  let refusal: { readonly error_code: number; readonly description: string } | null = null;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const go of waiting) go();
    waiting.clear();
  };

  const answer = async (method: string, body: Record<string, unknown>): Promise<unknown> => {
    switch (method) {
      case 'getMe':
        return { id: 1, is_bot: true, first_name: 'Zakup', username: 'zakup_bot' };
      case 'getUpdates': {
        asked += 1;
        confirmed = Math.max(confirmed, Number(body['offset'] ?? 0));
        if (confirmed > updates.length && Number(body['timeout'] ?? 0) > 0)
          await new Promise<void>((resolve) => {
            waiting.add(resolve);
          });
        return updates.slice(Math.max(0, confirmed - 1));
      }
      case 'sendMessage':
        sent.push({ chat: Number(body['chat_id']), text: String(body['text']) });
        return { message_id: sent.length, date: 0, chat: { id: body['chat_id'], type: 'private' } };
      default:
        return true;
    }
  };

  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const method = new RegExp(`^/bot${token}/(\\w+)$`, 'u').exec(request.url ?? '')?.[1];
      const failed = method === undefined ? { error_code: 404, description: 'Not Found' } : refusal;
      const result =
        failed === null ? { ok: true, result: await answer(method ?? '', body) } : { ok: false, ...failed };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(result));
    })();
  });
  const address = await listening(server, { port: 0, host: '127.0.0.1' });

  return {
    address,
    sent: sent as readonly Sent[],
    /** Long questions for news so far. */
    asked: () => asked,
    confirmed: () => confirmed,
    /** A person writes to the bot. */
    write: (chat: number, username: string | null, type = 'private'): void => {
      const from = { id: chat, is_bot: false, first_name: 'X', ...(username !== null && { username }) };
      const message = { message_id: updates.length + 1, date: 0, text: '/start', chat: { id: chat, type }, from };
      updates.push({ update_id: updates.length + 1, message });
      wake();
    },
    refuse: (error_code: number | null, description = 'Forbidden'): void => {
      refusal = error_code === null ? null : { error_code, description };
      wake();
    },
    close: async (): Promise<void> => {
      wake();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export type BotApi = Awaited<ReturnType<typeof botApi>>;
