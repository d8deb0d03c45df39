/** Bytes in memory that somebody waits with, bounded by owner and in all. */
export interface HeldBytes {
  /** What gives them back, to be called once; `null` = there is no room for them now. */
  readonly take: (owner: string, bytes: number) => (() => void) | null;
}

export const heldBytes = ({ ofOne, ofAll }: { readonly ofOne: number; readonly ofAll: number }): HeldBytes => {
  const byOwner = new Map<string, number>();
  let all = 0;
  const add = (owner: string, bytes: number): void => {
    all += bytes;
    const held = (byOwner.get(owner) ?? 0) + bytes;
    if (held === 0) byOwner.delete(owner);
    else byOwner.set(owner, held);
  };
  return {
    take(owner, bytes) {
      if ((byOwner.get(owner) ?? 0) + bytes > ofOne || all + bytes > ofAll) return null;
      add(owner, bytes);
      return () => add(owner, -bytes);
    },
  };
};
