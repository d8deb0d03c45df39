/** What this browser keeps of a person and a team, by key of local storage. */
export const sessionRecordKey = 'tg-analytics-session';
export const userInfoKey = 'userInfo';
export const licenceInfoKey = 'licenseInfo';
export const lastLicenceKey = 'lastLicenseId';

/** Caches and remembered views that belong to one licence: dropped when another one signs in. */
export const licenceCacheKeys = [
  'users',
  'channels',
  'campaigns',
  'creatives',
  'contractors',
  'placements',
  'lastCampaignId',
  'analytics_lastChannelId',
  'analytics_lastCampaignId',
  'currentView',
  'placementsTable',
  'closedGroups',
] as const;

/** Kept through everything: they belong to the browser, not to a team. */
const browserKeys = new Set(['theme', lastLicenceKey]);

const lastVisitPrefix = 'lastVisit:';

/** Under which this browser keeps when a person of a licence was here last. */
export const lastVisitKey = (licenceId: string, personId: string): string =>
  `${lastVisitPrefix}${licenceId}:${personId}`;

const ownActionsPrefix = 'ownActions:';

/** Under which this browser keeps what a person of a licence did last, until they sign out. */
export const ownActionsKey = (licenceId: string, personId: string): string =>
  `${ownActionsPrefix}${licenceId}:${personId}`;

export const clearOwnActions = (storage: Storage): void => {
  for (const key of Object.keys(storage)) if (key.startsWith(ownActionsPrefix)) storage.removeItem(key);
};

const clearListeners = new Set<() => void>();

/** For caches outside of local storage (IndexedDB): called whenever the local caches are dropped. */
export const onLocalCachesCleared = (listener: () => void): (() => void) => {
  clearListeners.add(listener);
  return () => clearListeners.delete(listener);
};

export const clearLicenceCaches = (storage: Storage): void => {
  for (const key of licenceCacheKeys) storage.removeItem(key);
  for (const listener of clearListeners) listener();
};

/** Everything but the theme and the moments of visits; what waits to be sent lives elsewhere and stays. */
export const clearAllLocalData = (storage: Storage): void => {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const key of keys)
    if (key !== null && !browserKeys.has(key) && !key.startsWith(lastVisitPrefix)) storage.removeItem(key);
  for (const listener of clearListeners) listener();
};
