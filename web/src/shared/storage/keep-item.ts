/** Puts a text into a storage of this browser. False where it has no room for it, or is closed to this page; what was under the key stays then. */
export const keepItem = (storage: Pick<Storage, 'setItem'>, key: string, text: string): boolean => {
  try {
    storage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
};
