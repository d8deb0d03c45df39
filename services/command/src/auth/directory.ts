import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import type { Employee } from '@zakup/domain/employee/state';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import type { Licence } from '@zakup/domain/licence/state';
import { reservationDecider } from '@zakup/domain/reservation/reservation.decider';
import type { AccessHolder } from './access-journal.ts';
import type { CommandDeps } from '../deps.ts';
import { streamOf } from '../ids.ts';
import { streamOfValue } from '../reservations.ts';
import type { Loaded } from '../stream-cache.ts';

export type Known<State> = Loaded<State> & { readonly state: State; readonly id: string };

/** A person who may sign in, with their licence. */
export interface Account {
  readonly employee: Known<Employee>;
  readonly licence: Known<Licence>;
}

type Deps = Pick<CommandDeps, 'cache'>;

export const licenceById = async ({ cache }: Deps, licenceId: string): Promise<Known<Licence> | null> => {
  const loaded = await cache.load(licenceDecider, streamOf('licence', licenceId, licenceId), true);
  return loaded.state === null ? null : { ...loaded, state: loaded.state, id: licenceId };
};

/** Stands for whoever a code or key leads to when it leads to nobody, so that as much is read as for known ones (AUTH-8). */
const nobody = 'nobody';

/** The licence whose whole key this is. */
export const licenceByKey = async (deps: Deps, licenseKey: string): Promise<Known<Licence> | null> => {
  const stream = streamOfValue({ category: 'licencekey', value: licenseKey });
  const { state } = await deps.cache.load(reservationDecider('licencekey'), stream, true);
  return licenceById(deps, state?.holder?.licenceId ?? nobody);
};

export const accountById = async (deps: Deps, licenceId: string, userId: string): Promise<Account | null> => {
  const licence = await licenceById(deps, licenceId);
  const loaded = await deps.cache.load(employeeDecider, streamOf('employee', licenceId, userId), true);
  if (licence === null || loaded.state === null || !loaded.state.isActive) return null;
  return { licence, employee: { ...loaded, state: loaded.state, id: userId } };
};

/** The active person whose code this is, in any licence. */
export const accountByCode = async (deps: Deps, code: string): Promise<Account | null> => {
  const stream = streamOfValue({ category: 'authcode', value: code });
  const { state } = await deps.cache.load(reservationDecider('authcode'), stream, true);
  const account = await accountById(deps, state?.holder?.licenceId ?? nobody, state?.holder?.id ?? nobody);
  return account !== null && account.employee.state.authCode === code ? account : null;
};

/** Whose stream of the audit it is; null = nobody's. */
export const holderOf = (account: Account | null): AccessHolder | null =>
  account === null ? null : { licenceId: account.licence.id, personId: account.employee.id };

/** The owner who activated the licence of this key. */
export const ownerByKey = async (deps: Deps, licenseKey: string): Promise<Account | null> => {
  const licence = await licenceByKey(deps, licenseKey);
  return accountById(deps, licence?.id ?? nobody, licence?.state.ownerId ?? nobody);
};
