/**
 * Where everything lies in the database.
 */

/** Kinds of documents and the collection of each; what the projector keeps for itself is under `private_<kind>`. */
export const collectionOfKind: Readonly<Record<string, string>> = {
  license: 'licences',
  user: 'users',
  channel: 'channels',
  campaign: 'campaigns',
  creative: 'creatives',
  contractor: 'contractor_totals',
  note: 'notes',
  placement: 'placements',
  analytics: 'campaign_analytics',
  earnings: 'earnings',
  notification: 'notifications',
  import: 'imports',
  view: 'views',
};

/** Collections beside those of the documents. */
export const ownCollections = {
  /** One for each partition, written last in each transaction; the one that is watched. */
  checkpoints: 'checkpoints',
  /** One for each raised scope, and one for the store. */
  floors: 'floors',
  /** The schema's version, and what is under way. */
  meta: 'meta',
  leases: 'leases',
  /** What is noted about the work on the store, by name. */
  notices: 'notices',
  /** One for each process that works on the database. */
  processes: 'processes',
} as const;

export const privatePrefix = 'private_';

const kindPattern = /^[a-z][a-z0-9_]*$/;

/** What the names of a generation's collections end with; those of the first are plain. No kind has a dot. */
export const generationEnd = (number: number): string => (number === 0 ? '' : `.g${number}`);

/** What the plain names end with once they are those of views: nobody reads the first content any more. */
export const formerEnd = '.g0';

/** The collection of a kind in a generation. `declared`: its documents may be in scopes. Throws for a name that cannot be a collection's. */
export const collectionName = (kind: string, declared: boolean, generation = 0): string => {
  if (!kindPattern.test(kind)) throw new Error(`Kind ${kind} is not of lower-case letters, digits and _`);
  const end = generationEnd(generation);
  if (!declared) return `${privatePrefix}${kind}${end}`;
  return `${Object.hasOwn(collectionOfKind, kind) ? (collectionOfKind[kind] ?? kind) : `other_${kind}`}${end}`;
};

/** Whether a collection holds a kind of documents nobody has declared, in this generation. */
export const isPrivate = (name: string, generation: number): boolean => {
  const dot = name.indexOf('.');
  return name.startsWith(privatePrefix) && (dot < 0 ? '' : name.slice(dot)) === generationEnd(generation);
};
