/** Older SQLite versions can reset a WAL that another connection still reads. */
const oldest = [3, 51, 3] as const;

/** Whether a SQLite of this version may write stores; false for none. */
export const isSafeVersion = (version: string | undefined): boolean => {
  if (version === undefined) return false;
  const parts = version.split('.').map(Number);
  const at = oldest.findIndex((part, index) => part !== parts[index]);
  return at === -1 || (parts[at] ?? 0) > (oldest[at] ?? 0);
};
