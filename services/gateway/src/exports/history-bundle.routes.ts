import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { may } from '@zakup/domain/permissions';
import { bundleText } from '@zakup/seals/bundle';
import { licenceHistory } from '@zakup/seals/licence-history';
import { noFreshSalt, type SealStore, type StoredSeal } from '@zakup/seals/seal-store';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { historyViewOf } from '@zakup/contracts/shown-event';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import { noQuery } from '../http/asked-query.ts';
import { shownTo } from './shown-parts.ts';

const allSeals = async (seals: SealStore, licenceId: string): Promise<readonly StoredSeal[]> => {
  const all: StoredSeal[] = [];
  for (;;) {
    const page = await seals.read(licenceId, { after: all.at(-1)?.seal.number ?? 0 });
    all.push(...page);
    if (page.length === 0) return all;
  }
};

/** The whole history of the licence with its seals, for whoever shall check it elsewhere (SIGN-5). */
export const historyBundleRoutes = ({ eventStore, seals, ...deps }: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/license/history-bundle',
    readRoute(
      { eventStore, seals, ...deps },
      {
        ...nothingToFind,
        weight: 'bundle',
        may: (person) => may(person, 'reports.read'),
        shows: historyViewOf,
        query: noQuery,
        answer: async ({ person, position }) => {
          const licenceId = person.licence.id;
          // Before the events, which go further then, never less far.
          const [sealed, keys] = [await allSeals(seals, licenceId), await seals.keys()];
          const to = Math.max(position, sealed.at(-1)?.position ?? 0);
          const text = bundleText({
            licenceId,
            keys,
            seals: sealed,
            events: licenceHistory(eventStore, licenceId, { to }),
            saltKey: await seals.saltKey(
              licenceId,
              sealed.length === 0 ? () => randomBytes(32) : noFreshSalt(licenceId),
            ),
            isShown: shownTo(person),
          });
          return {
            type: 'application/x-ndjson; charset=utf-8',
            disposition: 'attachment; filename="history.ndjson"',
            taken: { what: 'history', name: '' },
            content: Readable.from(text, { objectMode: false }),
          };
        },
      },
    ),
  );

  return router;
};
