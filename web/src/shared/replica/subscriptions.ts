const notify = (listeners: ReadonlySet<() => void> | undefined): void => {
  if (listeners) for (const listener of listeners) listener();
};

/** Listeners by what they listen to. */
export const subscriptions = <Key>() => {
  const byKey = new Map<Key, Set<() => void>>();
  return {
    keys: (): readonly Key[] => [...byKey.keys()],
    notify: (key: Key): void => notify(byKey.get(key)),
    /** Returns the end of the subscription. */
    add(key: Key, listener: () => void): () => void {
      const listeners = byKey.get(key) ?? new Set();
      byKey.set(key, listeners);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && byKey.get(key) === listeners) byKey.delete(key);
      };
    },
  };
};
