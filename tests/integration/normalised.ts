/**
 * Members that tell where something stands in a log, which request it was, or how many sessions were open at an instant (one that has
 * changed its password stays open for some seconds): another in each installation.
 */
const left = new Set(['position', 'instance', 'commandId', 'ended', 'openSessions', 'ownerSessions']);
/** Members whose value is random by intent: keys, codes, tokens, passwords. */
const secrets = new Set([
  'token',
  'refreshToken',
  'authCode',
  'temporaryPassword',
  'activationCode',
  'ceoLoginCode',
  'licenseKey',
]);
/** Lists that stand in the order of random ids. */
const unordered = new Set([
  'earnings',
  'statements',
  'byBuyer',
  'byCreative',
  'byContractor',
  'topBuyers',
  'topCreatives',
  'counted',
  'leftOut',
]);
/** Ids are derived from people and command keys; people's own are random. */
const ids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,64}/gu;
const instants = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/gu;

/** The order of normalised texts, where no other is promised. */
export const compared = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/**
 * Names what is random by the order in which it appears and leaves out what belongs to one installation only: positions, instants,
 * correlation ids. Two installations that answer the same then give the same; one who answers an id where another one belongs does not.
 */
export const normaliser = (): ((value: unknown) => unknown) => {
  const names = new Map<string, string>();
  const named = (kind: string, value: string): string => {
    const name = names.get(value) ?? `${kind}#${names.size}`;
    names.set(value, name);
    return name;
  };
  const text = (value: string): string =>
    value.replaceAll(instants, 'instant').replaceAll(ids, (id) => named('id', id));
  const normalised = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(normalised);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([member]) => !left.has(member))
        .map(([member, held]) => [
          text(member),
          secrets.has(member) && typeof held === 'string'
            ? named('secret', held)
            : unordered.has(member) && Array.isArray(held)
              ? held.map(normalised).toSorted(compared)
              : normalised(held),
        ]),
    );
  };
  return normalised;
};
