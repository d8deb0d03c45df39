import type { DeliveryTryWire } from './wire-entities.ts';

/** Whether the receiver took what was delivered: it answered 2xx, and nothing stood against it (WEBHOOK-3). */
export const isTaken = ({ status, error }: Pick<DeliveryTryWire, 'status' | 'error'>): boolean =>
  error === null && status !== null && status >= 200 && status < 300;
