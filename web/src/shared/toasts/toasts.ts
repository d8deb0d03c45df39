import { dismiss, emptyQueue, enqueue, type Toast, type ToastKind, type ToastQueue } from './toast-queue.ts';

let queue: ToastQueue = emptyQueue;
let nextId = 1;
const listeners = new Set<() => void>();

const change = (next: ToastQueue): void => {
  queue = next;
  for (const listener of listeners) listener();
};

const show = (kind: ToastKind, text: string, action?: Toast['action']): number => {
  const id = nextId;
  nextId += 1;
  change(enqueue(queue, { id, kind, text, ...(action && { action }) }));
  return id;
};

/** Says something at the top right: success 3 s, error 5 s, default 4 s. Callable from anywhere; answers the toast's id. */
export const toasts = {
  success: (text: string, action?: Toast['action']): number => show('success', text, action),
  error: (text: string, action?: Toast['action']): number => show('error', text, action),
  info: (text: string, action?: Toast['action']): number => show('default', text, action),
  dismiss: (id: number): void => change(dismiss(queue, id)),
};

/** For the one host that draws them. */
export const toastStore = {
  read: (): ToastQueue => queue,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
