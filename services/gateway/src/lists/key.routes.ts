import { presentKey } from '@zakup/contracts/to-wire';
import { isKeyInForce } from '@zakup/domain/keys/keys.decider';
import type { LicenceKey } from '@zakup/domain/keys/state';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { statesAt } from '../history/stream-states.ts';
import { noQuery } from '../http/asked-query.ts';
import { nothingToFind, readRoute } from '../http/read-route.ts';

type Stored = Parameters<typeof presentKey>[0];

/**
 * Keys in force that have no secret: the process that made one ended before it was kept, or a removal that was refused took it along. They open
 * nothing, but count among those that a licence may have, and are to be removed like any other.
 */
const withoutSecret = (inForce: readonly LicenceKey[], stored: readonly Stored[]): readonly Stored[] => {
  const known = new Set(stored.map(({ id }) => id));
  return inForce
    .filter(({ id }) => !known.has(id))
    .map(({ id, name, access, createdAt, expiresAt }) => ({
      id,
      name,
      access,
      prefix: '',
      createdAt: Date.parse(createdAt),
      expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
      lastUsedAt: null,
    }));
};

const keysInForce = async ({ eventStore, now }: GatewayDeps, licenceId: string): Promise<readonly LicenceKey[]> => {
  const asked = { category: 'keys', licenceId, id: licenceId } as const;
  const [state] = await statesAt(eventStore, asked, [Number.MAX_SAFE_INTEGER]);
  return (state?.keys ?? []).filter((key) => isKeyInForce(key, now()));
};

/** The keys of the licence, which the owner alone sees (KEY-1). */
export const keyRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/keys',
    readRoute(deps, {
      ...nothingToFind,
      closedToKeys: true,
      may: (person) => may(person, 'keys.manage'),
      query: noQuery,
      answer: async ({ person }) => {
        const { id } = person.licence;
        // A secret is kept once its key is in the log.
        const inForce = await keysInForce(deps, id);
        const stored = await deps.credentials.keysOf(id);
        return { data: { keys: [...stored, ...withoutSecret(inForce, stored)].map(presentKey) } };
      },
    }),
  );

  return router;
};
