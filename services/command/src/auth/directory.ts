import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import type { Employee } from '@zakup/domain/employee/state';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import type { Licence } from '@zakup/domain/licence/state';
import type { Holder } from '@zakup/domain/reservation/events';
import { reservationDecider } from '@zakup/domain/reservation/reservation.decider';
import type { AccessHolder } from './access-entry.ts';
import type { CommandDeps } from '../deps.ts';
import { streamOf } from '../pipeline/ids.ts';
import { type ReservedValue, streamsOfValue } from '../pipeline/reservations.ts';
import type { Loaded } from '../pipeline/stream-cache.ts';

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

/** As many streams are read for values that nobody has. */
const claimsOf = async ({ cache }: Deps, reserved: ReservedValue): Promise<readonly Holder[]> => {
  const holders: Holder[] = [];
  for (const stream of streamsOfValue(cache.codes, reserved)) {
    const { state } = await cache.load(reservationDecider(reserved.category), stream, true);
    holders.push(...(state?.claims ?? []).map(({ holder }) => holder));
  }
  return holders;
};

/** The licence whose whole key this is. */
export const licenceByKey = async (deps: Deps, licenseKey: string): Promise<Known<Licence> | null> => {
  const [holder] = await claimsOf(deps, { category: 'licencekey', value: licenseKey });
  return licenceById(deps, holder?.licenceId ?? nobody);
};

export const accountById = async (deps: Deps, licenceId: string, userId: string): Promise<Account | null> => {
  const licence = await licenceById(deps, licenceId);
  const loaded = await deps.cache.load(employeeDecider, streamOf('employee', licenceId, userId), true);
  if (licence === null || loaded.state === null || !loaded.state.isActive) return null;
  return { licence, employee: { ...loaded, state: loaded.state, id: userId } };
};

const accountsOf = async (deps: Deps, code: string, holders: readonly Holder[]): Promise<readonly Account[]> => {
  const asked = holders.length === 0 ? [{ licenceId: nobody, id: nobody }] : holders;
  const accounts = await Promise.all(asked.map(({ licenceId, id }) => accountById(deps, licenceId, id)));
  return accounts.filter((account): account is Account => account?.employee.state.authCode === code);
};

/** The active people whose code this is, one at most of a licence: several where one was chosen in several licences (AUTH-37). */
export const accountsByCode = async (deps: Deps, code: string): Promise<readonly Account[]> =>
  accountsOf(deps, code, [
    ...(await claimsOf(deps, { category: 'authcode', value: code })),
    ...(await claimsOf(deps, { category: 'chosencode', value: code })),
  ]);

/** The active person for whom this code was made: nobody guesses those. */
export const accountByMadeCode = async (deps: Deps, code: string): Promise<Account | null> =>
  (await accountsOf(deps, code, await claimsOf(deps, { category: 'authcode', value: code })))[0] ?? null;

/** Whose streams of the audit it is. */
export const holdersOf = (accounts: readonly (Account | null)[]): readonly AccessHolder[] =>
  accounts.flatMap((account) =>
    account === null ? [] : [{ licenceId: account.licence.id, personId: account.employee.id }],
  );

/** The owner who activated the licence of this key. */
export const ownerByKey = async (deps: Deps, licenseKey: string): Promise<Account | null> => {
  const licence = await licenceByKey(deps, licenseKey);
  return accountById(deps, licence?.id ?? nobody, licence?.state.ownerId ?? nobody);
};
