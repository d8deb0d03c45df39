import { useEffect, useEffectEvent } from 'react';

const hosts = new Set<() => void>();

/** Opens the notifications with what waits for the person; callable from anywhere. */
export const openNotifications = (): void => {
  for (const open of hosts) open();
};

/** For the one host that draws them. */
export const useOnOpenNotifications = (open: () => void): void => {
  const run = useEffectEvent(open);
  useEffect(() => {
    const host = (): void => run();
    hosts.add(host);
    return () => void hosts.delete(host);
  }, []);
};
