import type { TabChannel, TabMessage } from './tab-channel.ts';

/** `null` where the browser has no BroadcastChannel: then each tab knows only its own commands. */
export const broadcastTabs = (box: string): TabChannel | null => {
  if (typeof BroadcastChannel === 'undefined') return null;
  const channel = new BroadcastChannel(`zakup-outbox:${box}`);
  const post: (message: TabMessage) => void = channel.postMessage.bind(channel);
  return {
    post,
    listen: (listener) => {
      channel.addEventListener('message', (event: MessageEvent<TabMessage>) => listener(event.data));
      return () => channel.close();
    },
  };
};

/** The tab that holds the lock sends; without Web Locks every tab sends its own (the command id keeps that exact). */
export const lockElection =
  (box: string) =>
  (lead: () => void): (() => void) => {
    const locks = typeof navigator === 'undefined' ? null : (navigator as { locks?: LockManager | null }).locks;
    if (!locks) {
      lead();
      return () => undefined;
    }
    const over = new AbortController();
    const held = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
    locks
      .request(`zakup-outbox:${box}`, { signal: over.signal }, () => {
        lead();
        return held;
      })
      .catch((thrown: unknown) => {
        if (!over.signal.aborted) throw thrown;
      });
    return () => over.abort();
  };
