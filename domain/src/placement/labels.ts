import type { PlacementStatus } from './events.ts';

/** How a placement's status is called on screens and in exports. */
export const placementStatusLabels: Readonly<Record<PlacementStatus, string>> = {
  PENDING: 'Ожидает',
  PUBLISHED: 'Опубликовано',
  DONE: 'Завершено',
  CANCELLED: 'Отменено',
  REMOVED_EARLY: 'Снято раньше срока',
};

/** `оплачено` for paid, `не оплачено` for everything else, as a click on it would make it paid. */
export const paymentLabel = (paymentStatus: string): string => (paymentStatus === 'paid' ? 'оплачено' : 'не оплачено');

/** What stands for a creative where there is none. */
export const withoutCreativeLabel = 'Без креатива';
