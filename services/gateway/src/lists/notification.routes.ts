import { presentNotification } from '@zakup/contracts/notifications';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import { noQuery } from '../http/asked-query.ts';
import { dataOf } from '../read-models/rows.ts';

/** What the person was told of others' doings (NTF-1). */
export const notificationRoutes = (deps: GatewayDeps): Router => {
  const router = Router();
  router.get(
    '/notifications',
    readRoute(deps, {
      ...nothingToFind,
      may: (person) => may(person, 'screen.profile'),
      query: noQuery,
      answer: async ({ person: { userId, licence } }) => {
        const where = { personId: userId };
        const { docs } = await deps.readStore.query('notification', { licenceId: licence.id, where });
        const notifications = docs
          .map((doc) => presentNotification(doc.id, dataOf('notification', doc)))
          .toSorted((a, b) => b.position - a.position || (a.id < b.id ? -1 : 1));
        return { data: { notifications, unread: notifications.filter(({ read }) => !read).length } };
      },
    }),
  );
  return router;
};
