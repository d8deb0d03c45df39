import type { EventStore } from '@zakup/event-store/event-store';
import { checkLicence, type CheckOptions, type LicenceCheck, type SealFault } from '@zakup/seals/check-licence';
import type { PublicSealKey } from '@zakup/seals/seal';
import type { SealStore } from '@zakup/seals/seal-store';

export interface VerifiedSeals {
  readonly licences: number;
  readonly seals: number;
  /** Events that a seal attests. */
  readonly events: number;
  /** Events that no seal attests yet, of licences of which everything else fits. */
  readonly unsealed: number;
  /** At most one for each licence: its first. */
  readonly faults: readonly SealFault[];
}

export interface VerifySealsOptions extends Pick<CheckOptions, 'times' | 'commands'> {
  readonly eventStore: Pick<EventStore, 'readLicence'>;
  readonly seals: SealStore;
  /** Those whose signatures count; default: every key that ever signed here. */
  readonly keys?: readonly PublicSealKey[];
  /** Those that have events; they are looked at beside those that have seals. */
  readonly licences?: readonly string[];
  /** How many events the log as a whole has of each licence at least; absent = nobody counted. */
  readonly inLog?: ReadonlyMap<string, number>;
  /** Breaks it off between two licences. */
  readonly signal?: AbortSignal;
  /** Told after each licence. */
  readonly onLicence?: (done: { readonly licences: number; readonly of: number }) => void;
}

/** Events of a licence that its history does not list: whoever follows the log is told them, and no seal comes to them. */
const unlisted = ({ licenceId, events, unsealed, fault }: LicenceCheck & { licenceId: string }, inLog: number) => {
  const listed = events + unsealed;
  return fault !== null || listed >= inLog
    ? fault
    : ({ kind: 'unlisted', licenceId, seal: 0, from: listed + 1, to: inLog, firstEventId: '' } as const);
};

/** Computes the chain of every licence from its first event on, and compares it with all of its seals. */
export const verifySeals = async (options: VerifySealsOptions): Promise<VerifiedSeals> => {
  const { seals, signal, onLicence } = options;
  const keys = options.keys ?? (await seals.keys());
  const all = [...new Set([...(await seals.licences()), ...(options.licences ?? [])])].toSorted();
  const faults: SealFault[] = [];
  const sum = { licences: 0, seals: 0, events: 0, unsealed: 0 };
  for (const licenceId of all) {
    if (signal?.aborted === true) break;
    const check = await checkLicence({ ...options, keys }, licenceId);
    sum.licences += 1;
    sum.seals += check.seals;
    sum.events += check.events;
    sum.unsealed += check.unsealed;
    const fault = unlisted({ ...check, licenceId }, options.inLog?.get(licenceId) ?? 0);
    if (fault !== null) faults.push(fault);
    onLicence?.({ licences: sum.licences, of: all.length });
  }
  return { ...sum, faults };
};

const reasonOf = ({ kind, seal, from, to }: SealFault): string => {
  switch (kind) {
    case 'unlinked':
      return `печать № ${seal} не продолжает предыдущую`;
    case 'unsigned':
      return `печать № ${seal} не подписана ни одним из ключей этой установки`;
    case 'different':
      return `события № ${from}–${to} не те, что удостоверяет печать № ${seal}`;
    case 'missing':
      return `журнал кончается раньше события № ${to}, которое удостоверяет печать № ${seal}`;
    case 'untimely':
      return `время печати № ${seal} не сходится с временем её событий, прошлой печати или с часами`;
    case 'late':
      return `печать № ${seal} сделана намного позже срока, хотя журнал в это время вели: историю могли запечатать заново`;
    case 'unsealed':
      return `события № ${from}–${to} давно должны быть запечатаны, а печати нет`;
    case 'unindexed':
      return `указатель команд не ведёт к событию № ${from}, которое удостоверяет печать № ${seal}, или ведёт ещё и к чужим`;
    case 'unlisted':
      return `в журнале событий ${to}, а в истории лицензии ${from - 1}: остальных печати не удостоверят`;
    case 'unreadable':
      return `печать № ${seal} повреждена, не проверить событий с № ${from}`;
    case 'unsalted':
      return `соль печатей пропала или повреждена, не проверить событий с № ${from}`;
  }
};

/** One sentence or two for the operator. */
export const sealFaultText = (fault: SealFault): string => {
  const { kind, licenceId, from, firstEventId } = fault;
  const start = `Подписанная история лицензии ${licenceId}: ${reasonOf(fault)}`;
  if (kind === 'unlisted') return `${start}.`;
  if (kind === 'unreadable' || kind === 'unsalted') return `${start}. Верните печати из резервной копии.`;
  return `${start}; первое сомнительное событие № ${from} (${firstEventId}).`;
};
