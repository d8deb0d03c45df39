import { z } from 'zod';
import { notificationSchema } from '../notifications.ts';
import { positionSchema } from '../position.ts';
import { readNotificationsRequest } from '../requests/notification.requests.ts';
import { callsOf, change, read } from './call.ts';

export const notificationCalls = callsOf('Уведомления', {
  'GET /notifications': read(['screen.profile'], {
    summary: 'Свои уведомления, новые сверху, не больше ста последних',
    data: z.object({ notifications: z.array(notificationSchema), unread: z.number().int() }),
  }),
  'POST /notifications/read': change(['profile.change'], {
    summary: 'Прочитано всё до позиции журнала включительно',
    body: readNotificationsRequest,
    data: z.object({ readUpTo: positionSchema }),
    mayBeUnwritten: true,
  }),
});
