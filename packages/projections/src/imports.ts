import type { ImportDocument } from '@zakup/contracts/read-models';
import { decodeEvent } from '@zakup/domain/catalog';
import type { ImportEvent } from '@zakup/domain/import/events';
import { importEntity } from '@zakup/domain/import/import.entity';
import type { Fact, Projection } from './projection.ts';
import { personScope } from './scopes.ts';
import type { WorkingSet } from './working-set.ts';

const keyOf = (licenceId: string, importId: string) => ({
  kind: 'import' as const,
  id: `${licenceId}~${importId}`,
  licenceId,
});

const fold = async (set: WorkingSet, { event, id, facts }: Fact): Promise<void> => {
  const { type, data, revision, position, metadata } = event;
  const { licenceId, schemaVersion, actorId, at } = metadata;
  const decoded = facts === null ? null : decodeEvent({ type, schemaVersion, data });
  if (decoded?.kind !== 'event') return;
  const told = decoded.event as ImportEvent;
  const key = keyOf(licenceId, id);
  if (revision === 0) set.begin(key);
  const before = await set.get(key);
  const state = importEntity.evolve(before, told, { at, actorId, revision });
  const document: ImportDocument = {
    ...state,
    id,
    revision,
    began: before?.began ?? position,
    position,
    replaced: before?.replaced ?? false,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
  };
  await set.put({ ...key, position, scopes: scopesOf(document), data: document });
  if (told.type === 'ImportStarted' && told.data.replaces !== undefined)
    await replace(set, keyOf(licenceId, told.data.replaces), position);
};

/** `me` has the latest import of each campaign and what is being undone, so that it does not grow for ever. */
const scopesOf = ({ by, replaced, undo }: ImportDocument): readonly string[] =>
  replaced && undo?.status !== 'running' ? [] : [personScope(by)];

const replace = async (set: WorkingSet, key: ReturnType<typeof keyOf>, position: number): Promise<void> => {
  const before = await set.get(key);
  if (before === null) return;
  const data: ImportDocument = { ...before, replaced: true };
  await set.put({ ...key, position, scopes: scopesOf(data), data });
};

/** How far imports have come, for whoever imports: in `me`. They have no history of their own; what they wrote has. */
export const imports: Projection = {
  name: 'imports',
  version: 11,
  writes: ['import'],
  apply: () => undefined,
  facts: { of: [importEntity.category], apply: (fact, { set }) => fold(set, fact) },
};
