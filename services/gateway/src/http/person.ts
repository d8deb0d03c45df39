import type { EmployeeRow, LicenceRow } from '@zakup/contracts/read-models';
import type { Asker } from '@zakup/credentials/authenticate';
import { licenceStatus } from '@zakup/domain/licence/licence-status';
import {
  features,
  permissionKeys,
  permissionsOf,
  type Person,
  personOf,
  personOfKey,
  seesCode,
} from '@zakup/domain/permissions';
import type { ReadModelDeps } from '../read-models/read-model-deps.ts';
import { waitForPosition } from './wait-for-position.ts';
import { dataOf, docOf, rowOf } from '../read-models/rows.ts';

/** Who asks, as the read models tell now. */
export interface Viewer {
  readonly person: Person;
  /** Of a key the owner's, for whom it acts. */
  readonly user: EmployeeRow;
  readonly licence: LicenceRow;
  /** Position of the last event that may have changed the person's rights. */
  readonly rightsAt: number;
}

type ViewerDeps = Pick<ReadModelDeps, 'readStore' | 'eventStore' | 'partition' | 'now'> & {
  readonly patience?: number;
};

const stored = async (deps: ViewerDeps, asker: Asker): Promise<Viewer | null> => {
  const { licenceId } = asker;
  if (asker.key === undefined) return storedPerson(deps, asker.userId, licenceId);
  const licence = await rowOf(deps.readStore, 'license', licenceId, licenceId);
  const ownerId = licence?.ownerId ?? null;
  const owner = ownerId === null ? null : await storedPerson(deps, ownerId, licenceId);
  if (owner === null) return null;
  return { ...owner, person: personOfKey(owner.person, { id: asker.id, name: asker.key.name }) };
};

const storedPerson = async (deps: ViewerDeps, userId: string, licenceId: string): Promise<Viewer | null> => {
  const [userDoc, licenceDoc] = await Promise.all([
    docOf(deps.readStore, 'user', userId, licenceId),
    docOf(deps.readStore, 'license', licenceId, licenceId),
  ]);
  if (userDoc === null || licenceDoc === null) return null;
  const user = dataOf('user', userDoc);
  const licence = dataOf('license', licenceDoc);
  return {
    user,
    licence,
    rightsAt: Math.max(userDoc.position, licenceDoc.position),
    person: personOf(user, licence, licenceStatus(licence, new Date(deps.now()).toISOString())),
  };
};

/** The person of a session, or for whom a key acts, with role, rights and licence; null when there is no such person or they are inactive. */
export const viewerOf = async (deps: ViewerDeps, session: Asker): Promise<Viewer | null> => {
  let viewer = await stored(deps, session);
  if (viewer === null) {
    // Somebody who signed in faster than the read models follow.
    await waitForPosition(deps, await deps.eventStore.head());
    viewer = await stored(deps, session);
  }
  return viewer?.person.isActive === true ? viewer : null;
};

/** Whether the person is shown the code of whom the row is of. */
export const seesCodeOf = (person: Person, row: EmployeeRow): boolean =>
  seesCode(person, { ...row, userId: row.id, permissions: permissionsOf(row) });

const gates: ReadonlySet<string> = new Set(features);

/** What is open to the person by their rights and the licence's features together. */
export const openKeys = ({ permissions, licence }: Person): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    permissionKeys.map((key) => [key, permissions[key] && (!gates.has(key) || licence.features.includes(key))]),
  );
