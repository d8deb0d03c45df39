/** A document as it was sent, to make a patch of it for those who hold it. */
export interface Sent {
  readonly position: number;
  readonly doc: unknown;
  /** Characters of its text, or more. */
  readonly size: number;
  /** Characters of its text when that was last written. */
  readonly measured: number;
}

export interface SentLimits {
  readonly documents: number;
  /** Characters of all texts together. */
  readonly text: number;
}

/** The documents of one scope as they are at the position of its feed, each in the variants in which it was shown. */
export interface SentShelf {
  get(name: string, variant: string): Sent | undefined;
  put(name: string, variant: string, sent: Sent): void;
  /** In every variant. */
  drop(name: string): void;
  clear(): void;
}

/** Keeps what many scopes sent, within limits that hold for all together: what was put longest ago goes first. */
export const patchBaseCache = (limits: SentLimits) => {
  /** With how each is taken from its shelf; the oldest first. */
  const all = new Map<Sent, () => void>();
  let text = 0;

  const forget = (sent: Sent): void => {
    const take = all.get(sent);
    if (take === undefined) return;
    all.delete(sent);
    text -= sent.size;
    take();
  };
  const keep = (sent: Sent, take: () => void): void => {
    all.set(sent, take);
    text += sent.size;
    for (const oldest of all.keys()) {
      if (all.size <= limits.documents && text <= limits.text) break;
      forget(oldest);
    }
  };

  return {
    /** Documents and characters that are kept. */
    size: () => ({ documents: all.size, text }),

    shelf(): SentShelf {
      const documents = new Map<string, Map<string, Sent>>();
      const drop = (name: string): void => {
        for (const sent of documents.get(name)?.values() ?? []) forget(sent);
      };
      return {
        get: (name, variant) => documents.get(name)?.get(variant),
        put(name, variant, sent) {
          const before = documents.get(name)?.get(variant);
          if (before !== undefined) forget(before);
          const variants = documents.get(name) ?? new Map<string, Sent>();
          documents.set(name, variants);
          variants.set(variant, sent);
          keep(sent, () => {
            variants.delete(variant);
            if (variants.size === 0) documents.delete(name);
          });
        },
        drop,
        clear() {
          for (const name of documents.keys()) drop(name);
        },
      };
    },
  };
};

export type PatchBaseCache = ReturnType<typeof patchBaseCache>;
