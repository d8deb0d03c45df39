/**
 * Watches the event loop until the function it returns is called, which tells the longest turn in milliseconds: how
 * long nobody else was let in by work of this process. While another process has the processor no work is done here,
 * so a turn lasts no longer than the processor time it took.
 */
export const longestTurn = (): (() => number) => {
  let longest = 0;
  let since = performance.now();
  let worked = process.cpuUsage();
  let isWatching = true;
  const measure = (): void => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(worked);
    longest = Math.max(longest, Math.min(now - since, (user + system) / 1_000));
    since = now;
    worked = process.cpuUsage();
  };
  const turn = (): void => {
    if (!isWatching) return;
    measure();
    setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    measure();
    isWatching = false;
    return longest;
  };
};
