import type { DocKind } from '@zakup/contracts/wire-entities';
import { keyOf, type Load, type Touched } from './known-doc.ts';
import { subscriptions } from './subscriptions.ts';

/** Who listens to changes of the replica: of everything, of a kind, or of one document. */
export const replicaListeners = () => {
  const everything = subscriptions<'all'>();
  const ofKind = subscriptions<DocKind>();
  const ofDoc = subscriptions<string>();

  return {
    /** Tells of what changed, and of what came with a first load. */
    notify(touched: Touched, load: Load | null): void {
      const kinds = new Set([...touched.values(), ...(load?.kinds ?? [])]);
      for (const key of ofDoc.keys()) if (touched.has(key) || load?.keys.has(key)) ofDoc.notify(key);
      for (const kind of kinds) ofKind.notify(kind);
      everything.notify('all');
    },
    subscribe: (listener: () => void): (() => void) => everything.add('all', listener),
    subscribeKind: (kind: DocKind, listener: () => void): (() => void) => ofKind.add(kind, listener),
    subscribeDoc: (kind: DocKind, id: string, listener: () => void): (() => void) =>
      ofDoc.add(keyOf(kind, id), listener),
  };
};
