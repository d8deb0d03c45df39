import type { CodeSender, SenderDeps } from './code-sender.ts';

/** Sends through the Telegram bot of this token; null = there is none. */
export const telegramSender = async (deps: SenderDeps, token: string | null): Promise<CodeSender | null> => {
  if (token === null) return null;
  // Only where it is wanted: it takes a while to load.
  const { telegramBot } = await import('./telegram-bot.ts');
  return telegramBot({ ...deps, token });
};
