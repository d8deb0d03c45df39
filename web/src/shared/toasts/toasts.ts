import {
  dismiss,
  emptyQueue,
  enqueue,
  type Toast,
  type ToastKind,
  type ToastQueue,
  withoutWaysBack,
  withWayBack,
} from './toast-queue.ts';

interface Announcement {
  readonly id: number;
  readonly text: string;
}

let queue: ToastQueue = emptyQueue;
let announcement: Announcement | null = null;
let nextId = 1;
const listeners = new Set<() => void>();

const tell = (): void => {
  for (const listener of listeners) listener();
};
const change = (next: ToastQueue): void => {
  queue = next;
  tell();
};

const takeId = (): number => {
  const id = nextId;
  nextId += 1;
  return id;
};

const show = (kind: ToastKind, text: string, action?: Toast['action']): number => {
  const id = takeId();
  change(enqueue(queue, { id, kind, text, ...(action && { action }) }));
  return id;
};

/** Says something at the top right: success 3 s, error 5 s, default 4 s. Callable from anywhere; answers the toast's id. */
export const toasts = {
  success: (text: string, action?: Toast['action']): number => show('success', text, action),
  error: (text: string): number => show('error', text),
  info: (text: string, action?: Toast['action']): number => show('default', text, action),
  /** Tells what was done, for the most part taken away, and offers it back, for a minute; the last three such offers stand. */
  wayBack: (text: string, run: () => void, button = 'Вернуть'): number => {
    const id = takeId();
    change(withWayBack(queue, { id, kind: 'default', text, action: { text: button, run }, wayBack: true }));
    return id;
  },
  /** No way back is offered any more: whoever took it away is not here. */
  withdrawWaysBack: (): void => change(withoutWaysBack(queue)),
  dismiss: (id: number): void => change(dismiss(queue, id)),
};

/** Says something to a screen reader alone, after what it is reading: what others see elsewhere on the screen. */
export const announce = (text: string): void => {
  announcement = { id: takeId(), text };
  tell();
};

/** For those who draw and say it. */
export const toastStore = {
  read: (): ToastQueue => queue,
  /** The last thing that was announced. */
  announced: (): Announcement | null => announcement,
  /** Takes an announcement away that was heard: nobody finds there what is no longer so. */
  silence: (id: number): void => {
    if (announcement?.id !== id) return;
    announcement = null;
    tell();
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
