import { useEffect, useEffectEvent } from 'react';

type Open = (entryId: string | null) => void;

const hosts = new Set<Open>();

/** Opens the notifications, where a change of one's own stands that waits for a choice; callable from anywhere. */
export const openNotifications = (entryId: string | null = null): void => {
  for (const open of hosts) open(entryId);
};

/** For the one host that draws them. */
export const useOnOpenNotifications = (open: Open): void => {
  const run = useEffectEvent(open);
  useEffect(() => {
    const host: Open = (entryId) => run(entryId);
    hosts.add(host);
    return () => void hosts.delete(host);
  }, []);
};
