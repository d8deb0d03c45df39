/** Milliseconds between two looks. */
const step = 5;

/** Processor time of this process, in milliseconds. */
const spent = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Tells how many milliseconds this process has had since the call: all that passed while it had its turns, and of what passed without one
 * no more than two looks take, or what it computed itself meanwhile. So a bound holds it to the same on a busy machine as wall time does on
 * an idle one. `stop` ends the looks and answers.
 */
export const scheduledTime = (): { readonly now: () => number; readonly stop: () => number } => {
  let lived = 0;
  let [cpu, wall] = [spent(), performance.now()];
  const now = (): number => {
    const [cpuNow, wallNow] = [spent(), performance.now()];
    lived += Math.min(wallNow - wall, Math.max(2 * step, cpuNow - cpu));
    [cpu, wall] = [cpuNow, wallNow];
    return lived;
  };
  const timer = setInterval(now, step);
  timer.unref();
  return {
    now,
    stop: () => {
      clearInterval(timer);
      return now();
    },
  };
};
