import { setTimeout } from 'node:timers/promises';
import { Api, Bot, GrammyError, HttpError } from 'grammy';
import type { CodeSender, SenderDeps } from './code-sender.ts';

export interface TelegramBotOptions extends SenderDeps {
  readonly token: string;
  /** Default: https://api.telegram.org. */
  readonly apiRoot?: string;
  /** Milliseconds until it listens again after it could not. */
  readonly pause?: number;
}

/** One process at a time listens: the Bot API refuses a second one. Every process sends. */
export const telegramLease = 'command/telegram';
const farewell = 2_000;

const codeText = (code: string): string =>
  `Код активации: ${code}\nДействует 10 минут. Если вы его не запрашивали, никому его не сообщайте.`;
const welcomeText = 'Готово: коды активации будут приходить сюда. Если код уже запрошен, запросите его ещё раз.';
const namelessText = 'У вас не задано имя пользователя Telegram. Задайте его в настройках и напишите сюда ещё раз.';

/** What went wrong, without what was sent: messages hold codes, and addresses hold the bot's token. */
const reasonOf = (error: unknown): string => {
  if (error instanceof GrammyError) return `${error.error_code} ${error.description}`;
  return error instanceof HttpError ? 'Telegram не отвечает' : 'не удалось';
};

const within = async (milliseconds: number, work: Promise<unknown>): Promise<void> => {
  const late = new AbortController();
  const over = setTimeout(milliseconds, undefined, { signal: late.signal, ref: false }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), over]);
  late.abort();
};

/**
 * Sends codes as messages of a Telegram bot. A bot can write only to who wrote to it first: from a message in a private chat it learns the
 * chat of the sender's user name, which Telegram vouches for.
 */
export const telegramBot = ({
  token,
  apiRoot = 'https://api.telegram.org',
  pause = 30_000,
  credentials,
  leases,
  log,
  stopping,
}: TelegramBotOptions): CodeSender => {
  const client = { apiRoot, timeoutSeconds: 15 };
  const api = new Api(token, client);
  const own = new AbortController();
  const signal = AbortSignal.any([stopping, own.signal]);
  const underWay = new Set<Promise<void>>();

  const deliver = async (handle: string, code: string): Promise<void> => {
    try {
      const chat = await credentials.chatOf(handle);
      if (chat === null) log.warn({}, 'An activation code was not sent: its owner has not written to the bot');
      else await api.sendMessage(Number(chat), codeText(code));
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'An activation code could not be sent');
    }
  };

  const listen = async (until: AbortSignal): Promise<void> => {
    const bot = new Bot(token, { client: { ...client, timeoutSeconds: 60 } });
    bot.on('message', async ({ chat, from, api: answering }) => {
      if (chat.type !== 'private') return;
      if (from.username === undefined) {
        await answering.sendMessage(chat.id, namelessText);
        return;
      }
      await credentials.rememberChat(from.username, String(chat.id));
      await answering.sendMessage(chat.id, welcomeText);
    });
    bot.catch(({ error }) => log.warn({ reason: reasonOf(error) }, 'A message to the bot could not be answered'));
    const end = (): void => {
      void within(farewell, bot.stop());
    };
    until.addEventListener('abort', end, { once: true });
    try {
      await bot.start({
        allowed_updates: ['message'],
        onStart: ({ username }) => {
          log.info({ bot: username }, 'Listening to the Telegram bot');
          if (until.aborted) end();
        },
      });
    } finally {
      until.removeEventListener('abort', end);
    }
  };

  const listening = (async () => {
    while (!signal.aborted) {
      const lease = await leases.acquire(telegramLease, signal);
      if (lease === null) return;
      try {
        await listen(AbortSignal.any([signal, lease.lost]));
      } catch (error) {
        log.warn({ reason: reasonOf(error) }, 'The Telegram bot cannot be listened to');
        await setTimeout(pause, undefined, { signal, ref: false }).catch(() => undefined);
      } finally {
        await lease.release();
      }
    }
  })();

  return {
    send: (handle, code) => {
      const sending = deliver(handle, code).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    stop: async () => {
      own.abort();
      await within(farewell, Promise.all([listening, ...underWay]));
    },
  };
};
