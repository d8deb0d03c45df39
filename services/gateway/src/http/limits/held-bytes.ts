/** Bytes that somebody holds; `key`: of a session or of a licence. */
export const heldBytes = (most: number) => {
  const held = new Map<string, number>();
  return {
    /** Whether they find room; whoever holds nothing yet always does, however much it is. */
    hold(key: string, bytes: number, own: number): boolean {
      const all = held.get(key) ?? 0;
      if (all > own && all + bytes > most) return false;
      held.set(key, all + bytes);
      return true;
    },
    let(key: string, bytes: number): void {
      const left = (held.get(key) ?? 0) - bytes;
      if (left > 0) held.set(key, left);
      else held.delete(key);
    },
    of: (key: string): number => held.get(key) ?? 0,
  };
};
