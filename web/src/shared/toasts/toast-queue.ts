export type ToastKind = 'success' | 'error' | 'default';

export interface Toast {
  readonly id: number;
  readonly kind: ToastKind;
  readonly text: string;
  readonly action?: { readonly text: string; readonly run: () => void };
  /** The action takes back what is told: it stays for a minute. */
  readonly wayBack?: true;
}

/** How long a toast of each kind stays. */
export const toastMillis: Record<ToastKind, number> = { success: 3_000, error: 5_000, default: 4_000 };
/** How long a way back is offered. */
export const wayBackMillis = 60_000;
export const maxToasts = 20;
/** Ways back at a time: they stay long, and what has to be said must find room. */
export const maxWaysBack = 3;

/** What is on screen, and what waits for room in the order it came. Nothing is dropped. */
export interface ToastQueue {
  readonly shown: readonly Toast[];
  readonly waiting: readonly Toast[];
}

export const emptyQueue: ToastQueue = { shown: [], waiting: [] };

export const enqueue = (queue: ToastQueue, toast: Toast): ToastQueue =>
  queue.shown.length < maxToasts
    ? { ...queue, shown: [...queue.shown, toast] }
    : { ...queue, waiting: [...queue.waiting, toast] };

/** With a further way back: the oldest ones go for it. */
export const withWayBack = (queue: ToastQueue, toast: Toast & Required<Pick<Toast, 'wayBack'>>): ToastQueue =>
  enqueue(withoutWaysBack(queue, maxWaysBack - 1), toast);

/** Without ways back but the newest ones. */
export const withoutWaysBack = (queue: ToastQueue, but = 0): ToastQueue => {
  const offered = [...queue.shown, ...queue.waiting].filter(({ wayBack }) => wayBack);
  return offered.slice(0, Math.max(0, offered.length - but)).reduce((left, { id }) => dismiss(left, id), queue);
};

/** Takes a toast off the screen; the one waiting longest comes in. */
export const dismiss = (queue: ToastQueue, id: number): ToastQueue => {
  const shown = queue.shown.filter((toast) => toast.id !== id);
  if (shown.length === queue.shown.length)
    return { ...queue, waiting: queue.waiting.filter((toast) => toast.id !== id) };
  const room = maxToasts - shown.length;
  return { shown: [...shown, ...queue.waiting.slice(0, room)], waiting: queue.waiting.slice(room) };
};
