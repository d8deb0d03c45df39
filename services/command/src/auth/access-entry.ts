import { accessEntity } from '@zakup/domain/access/access.entity';
import type { AccessEvent } from '@zakup/domain/access/events';
import { catalogEntry } from '@zakup/domain/catalog';
import type { EventToAppend } from '@zakup/event-store/event-store';
import { foldableEvent } from '../pipeline/foldable-event.ts';
import { streamOf } from '../pipeline/ids.ts';

/** Whose door it is. */
export interface AccessHolder {
  readonly licenceId: string;
  readonly personId: string;
}

/** What is appended to a person's stream of access. */
export interface AccessEntry {
  readonly stream: string;
  readonly events: readonly [EventToAppend, ...EventToAppend[]];
}

export const accessStream = ({ licenceId, personId }: AccessHolder): string =>
  streamOf(accessEntity.category, licenceId, personId);

export const accessEntry = (
  holder: AccessHolder,
  events: readonly [AccessEvent, ...AccessEvent[]],
  by: {
    readonly actorId: string;
    readonly keyName?: string | undefined;
    readonly commandId: string;
    /** UTC milliseconds. */
    readonly at: number;
    readonly newId: () => string;
  },
): AccessEntry => {
  const { actorId, keyName, commandId, at, newId } = by;
  const stream = accessStream(holder);
  const toAppend = ({ type, data }: AccessEvent): EventToAppend =>
    foldableEvent(stream, {
      id: newId(),
      type,
      data,
      metadata: {
        licenceId: holder.licenceId,
        actorId,
        ...(keyName !== undefined && { keyName }),
        source: actorId === 'system' ? 'system' : keyName === undefined ? 'screen' : 'api',
        commandId,
        requestHash: '',
        at: new Date(at).toISOString(),
        schemaVersion: catalogEntry(type)?.version ?? 1,
      },
    });
  const [first, ...rest] = events;
  return { stream, events: [toAppend(first), ...rest.map(toAppend)] };
};
