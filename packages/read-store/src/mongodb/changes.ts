import type { ClientSession, Filter } from 'mongodb';
import { byPositionKindAndId, needsReset, noFloor, scopePlaces } from '../documents.ts';
import type { Changes, Position, ReadDocument, ReadStore } from '../read-store.ts';
import type { GenerationCollections } from './generation-collections.ts';
import type { ResyncBounds } from './resync-bounds.ts';
import { ensureNamed, type ActiveGeneration } from './active-generation.ts';
import { readAll, within } from './snapshot-reads.ts';
import type { StoredDocument } from './stored.ts';

export type Gap = Parameters<ReadStore['changesSince']>[0];

const presentIn = (licenceId: string, scope: string): Filter<StoredDocument> => ({
  licenceId,
  scopes: scope,
  deleted: false,
});
const changedIn = (licenceId: string, scope: string, since: Position): Filter<StoredDocument> => ({
  $or: [
    { licenceId, scopes: scope, position: { $gt: since } },
    { licenceId, left: { $elemMatch: { scope, position: { $gt: since } } } },
  ],
});

const changeOf = (scope: string, since: Position) => (doc: ReadDocument) => {
  const leftAt = scopePlaces(doc).get(scope) ?? null;
  const position = leftAt ?? doc.position;
  return position > since ? { doc, gone: leftAt !== null || doc.deleted, position } : null;
};

export interface ChangesDeps {
  readonly where: string;
  readonly contents: GenerationCollections;
  readonly floors: ResyncBounds;
}

/** What changed in a scope, all of it in the session's snapshot. */
export const changesIn = async (
  { where, contents, floors }: ChangesDeps,
  shown: ActiveGeneration,
  session: ClientSession,
  { licenceId, scope, since, partition }: Gap,
): Promise<Changes> => {
  const checkpoint = await shown.checkpoints.findOne({ _id: partition }, within(session));
  const position = checkpoint?.position ?? 0;
  const number = checkpoint === null ? await shown.number(within(session)) : (checkpoint.generation ?? 0);
  const floor = await floors.ofScope(licenceId, scope, within(session));
  const reset = since !== undefined && needsReset(since, position, floor);
  const after = since === undefined || reset ? null : since;
  const filter = after === null ? presentIn(licenceId, scope) : changedIn(licenceId, scope, after);
  const make = changeOf(scope, after ?? noFloor);
  const found = await Promise.all(
    contents.sharedKinds.map((kind) =>
      readAll(where, kind, contents.documents(kind, number).find(filter, within(session)), make),
    ),
  );
  await ensureNamed(shown, number);
  const docs = found.flat().filter((change) => change !== null);
  return { docs: docs.sort(byPositionKindAndId), position, reset };
};
