import type { LicenceRow } from '@zakup/contracts/read-models';
import type { LicenseWire, SessionWire } from '@zakup/contracts/wire-entities';
import { revealQuery } from '@zakup/contracts/requests/queries';
import type { Credentials, Session } from '@zakup/credentials/credentials';
import { may, type Person } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { openKeys, type Viewer } from '../http/person.ts';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import { noQuery } from '../http/asked-query.ts';
import { showLicense, showPerson } from '../read-models/shown-codes.ts';

/** A session as its person sees it; `current` = the one that asks. */
export const presentSession = (session: Session, currentId: string): SessionWire => ({
  id: session.id,
  createdAt: new Date(session.createdAt).toISOString(),
  lastSeenAt: new Date(session.lastSeenAt).toISOString(),
  expiresAt: new Date(session.expiresAt).toISOString(),
  userAgent: session.userAgent,
  current: session.id === currentId,
});

/** A person's open sessions, oldest first. */
export const ownSessions = async (
  { credentials, now }: { readonly credentials: Credentials; readonly now: () => number },
  { id, userId }: Session,
): Promise<SessionWire[]> =>
  (await credentials.sessionsOf(userId, now())).map((session) => presentSession(session, id));

/** Sessions that take a seat of the licence, and the owner's, which take none (AUTH-35). */
export const sessionsOfLicence = async (
  { credentials, now }: { readonly credentials: Credentials; readonly now: () => number },
  licenceId: string,
): Promise<{ readonly openSessions: number; readonly ownerSessions: number }> => {
  const { seats, owner } = await credentials.countSessions(licenceId, now());
  return { openSessions: seats, ownerSessions: owner };
};

const readOnly = (
  deps: GatewayDeps,
  { licence: { status } }: Person,
): { readonly reason: 'disk' | 'licence' } | null => {
  if (deps.readOnly() !== null) return { reason: 'disk' };
  return status === 'active' || status === 'grace_period' ? null : { reason: 'licence' };
};

/**
 * Whether a person is among those whom the operator shows the administration of the own licence. The owner's own
 * e-mail member holds the Telegram name, so the licence's address counts for the owner.
 */
const isAdmin = ({ adminEmails = [] }: GatewayDeps, { user, licence }: Pick<Viewer, 'user' | 'licence'>): boolean =>
  adminEmails.includes((user.isOwner ? licence.ownerEmail : user.email).trim().toLowerCase());

const shownLicense = (deps: GatewayDeps, { byKey }: Person, row: LicenceRow, reveal: boolean): LicenseWire => {
  const license = showLicense(deps.codes, row, { now: new Date(deps.now()).toISOString(), reveal });
  return byKey === true ? { ...license, ownerEmail: '' } : license;
};

/** Who is signed in, where, and under which licence. */
export const sessionRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/auth/session',
    readRoute(deps, {
      closedToKeys: true,
      ...nothingToFind,
      passwordChange: true,
      may: (person) => may(person, 'screen.profile'),
      query: noQuery,
      answer: async ({ person, user, licence, position, session }) => {
        const serverTime = new Date(deps.now()).toISOString();
        return {
          data: {
            user: showPerson(deps.codes, user, licence.id, true),
            license: showLicense(deps.codes, licence, { now: serverTime, reveal: false }),
            permissions: openKeys(person),
            admin: isAdmin(deps, { user, licence }),
            serverTime,
            position,
            readOnly: readOnly(deps, person),
            ...(session.passwordChangeOnly && { passwordChangeRequired: true }),
          },
        };
      },
    }),
  );

  router.get(
    '/auth/sessions',
    readRoute(deps, {
      closedToKeys: true,
      ...nothingToFind,
      may: (person) => may(person, 'screen.profile'),
      query: noQuery,
      answer: async ({ session }) => ({ data: { sessions: await ownSessions(deps, session) } }),
    }),
  );

  router.get(
    '/auth/second-factor',
    readRoute(deps, {
      closedToKeys: true,
      ...nothingToFind,
      may: (person) => may(person, 'screen.profile'),
      query: noQuery,
      answer: async ({ session }) => {
        const found = await deps.credentials.secondFactorOf(session.userId);
        const since = found === null ? null : new Date(found.since).toISOString();
        return { data: { since, recoveryCodesLeft: found?.recoveryCodesLeft ?? 0 } };
      },
    }),
  );

  router.get(
    '/license',
    readRoute(deps, {
      ...nothingToFind,
      may: (person, given) => may(person, given['reveal'] === 'true' ? 'licence.reveal' : 'licence.read'),
      query: revealQuery,
      answer: async ({ person, licence: row }, _, { reveal }) => ({
        ...(reveal && { taken: { what: 'key', name: '' } as const }),
        data: {
          license: shownLicense(deps, person, row, reveal),
          ...(await sessionsOfLicence(deps, row.id)),
        },
      }),
    }),
  );

  return router;
};
