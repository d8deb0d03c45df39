import type { Entry, UntargetedEntry } from './entry.ts';

/** Where unsent commands outlive the tab. One store serves one box: one licence and one person. */
export interface EntryStore {
  /** False = the entries die with the tab, and the person must be told before leaving. */
  readonly durable: boolean;
  readonly load: () => Promise<readonly UntargetedEntry[]>;
  readonly put: (entry: Entry) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

export const memoryEntryStore = (): EntryStore => {
  const entries = new Map<string, Entry>();
  return {
    durable: false,
    load: async () => [...entries.values()],
    put: async (entry) => {
      entries.set(entry.id, entry);
    },
    remove: async (id) => {
      entries.delete(id);
    },
  };
};

const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')));
  });

const opened = (factory: IDBFactory): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = factory.open('zakup-outbox', 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('entries', { keyPath: ['box', 'id'] }).createIndex('box', 'box');
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')));
    request.addEventListener('blocked', () => reject(new Error('IndexedDB is held by an older page')));
  });

/** Asks to commit at once: left to itself a transaction waits for the page to hear of its requests, and ends with a page that dies before. */
const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB')));
    transaction.commit();
  });

/** Rejects where IndexedDB is missing or forbidden (private windows). */
const indexedDbEntryStore = async (factory: IDBFactory, box: string): Promise<EntryStore> => {
  const database = await opened(factory);
  return {
    durable: true,
    load: async () => {
      const index = database.transaction('entries').objectStore('entries').index('box');
      const rows = (await settled(index.getAll(box))) as { entry: UntargetedEntry }[];
      return rows.map((row) => row.entry);
    },
    put: (entry) => {
      const transaction = database.transaction('entries', 'readwrite', { durability: 'strict' });
      transaction.objectStore('entries').put({ box, id: entry.id, entry });
      return committed(transaction);
    },
    remove: (id) => {
      const transaction = database.transaction('entries', 'readwrite', { durability: 'strict' });
      transaction.objectStore('entries').delete([box, id]);
      return committed(transaction);
    },
  };
};

/** The durable store of a box, or memory where the browser has none. */
export const entryStoreFor = async (box: string): Promise<EntryStore> => {
  if (typeof indexedDB === 'undefined') return memoryEntryStore();
  try {
    return await indexedDbEntryStore(indexedDB, box);
  } catch {
    return memoryEntryStore();
  }
};
