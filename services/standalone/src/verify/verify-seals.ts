import type { EventStore } from '@zakup/event-store/event-store';
import { checkLicence, type SealFault } from '@zakup/seals/check-licence';
import type { PublicSealKey } from '@zakup/seals/seal';
import type { SealStore } from '@zakup/seals/seal-store';

export interface VerifiedSeals {
  readonly licences: number;
  readonly seals: number;
  /** Events that a seal attests. */
  readonly events: number;
  /** At most one for each licence: its first. */
  readonly faults: readonly SealFault[];
}

export interface VerifySealsOptions {
  readonly eventStore: Pick<EventStore, 'readLicence'>;
  readonly seals: SealStore;
  /** Those whose signatures count; default: every key that ever signed here. */
  readonly keys?: readonly PublicSealKey[];
  /** Breaks it off between two licences. */
  readonly signal?: AbortSignal;
  /** Told after each licence. */
  readonly onLicence?: (done: { readonly licences: number; readonly of: number }) => void;
}

/** Computes the chain of every sealed licence from its first event on, and compares it with all of its seals. */
export const verifySeals = async (options: VerifySealsOptions): Promise<VerifiedSeals> => {
  const { eventStore, seals, signal, onLicence } = options;
  const keys = options.keys ?? (await seals.keys());
  const all = (await seals.licences()).toSorted();
  const faults: SealFault[] = [];
  const sum = { licences: 0, seals: 0, events: 0 };
  for (const licenceId of all) {
    if (signal?.aborted === true) break;
    const check = await checkLicence({ eventStore, seals, keys }, licenceId);
    sum.licences += 1;
    sum.seals += check.seals;
    sum.events += check.events;
    if (check.fault !== null) faults.push(check.fault);
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
  }
};

/** One sentence for the operator. */
export const sealFaultText = (fault: SealFault): string =>
  `Подписанная история лицензии ${fault.licenceId}: ${reasonOf(fault)}; первое сомнительное событие № ${fault.from} (${fault.firstEventId}).`;
