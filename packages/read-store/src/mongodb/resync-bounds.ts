import type { ClientSession, Collection, FindOptions } from 'mongodb';
import { noFloor } from '../documents.ts';
import type { Position } from '../read-store.ts';
import { type StoredCheckpoint, type StoredFloor, scopeFloorId, storeFloorId } from './stored.ts';

export type ResyncBounds = ReturnType<typeof resyncBounds>;

/** From where on changes can be told, of each scope and of the whole store. */
export const resyncBounds = (floors: Collection<StoredFloor>, checkpoints: Collection<StoredCheckpoint>) => ({
  /** The highest checkpoint that the store ever held. */
  reached: async (reading: { readonly session?: ClientSession } = {}): Promise<Position> => {
    const store = await floors.findOne({ _id: storeFloorId }, reading);
    const all = await checkpoints.find({}, reading).toArray();
    return all.reduce((highest, { position }) => Math.max(highest, position), Math.max(store?.position ?? 0, 0));
  },

  /** Every `since` at or below this position is answered with a reset from now on; the floors of the scopes go. */
  raise: async (session: ClientSession, position: Position): Promise<void> => {
    await floors.deleteMany({}, { session });
    await floors.insertOne({ _id: storeFloorId, position }, { session });
  },

  /** The floor of a scope, which is never below the store's. */
  ofScope: async (licenceId: string, scope: string, reading: FindOptions): Promise<Position> => {
    const ids = [storeFloorId, scopeFloorId(licenceId, scope)];
    const raised = await floors.find({ _id: { $in: ids } }, reading).toArray();
    return raised.reduce((highest, one) => Math.max(highest, one.position), noFloor);
  },
});
