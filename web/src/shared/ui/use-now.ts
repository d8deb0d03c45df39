import { useEffect, useState } from 'react';

const systemClock = (): number => Date.now();

/** Milliseconds since 1970, told anew every `period` milliseconds. `clock`: stable. */
export const useNow = (period = 60_000, clock = systemClock): number => {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), period);
    return () => clearInterval(timer);
  }, [period, clock]);
  return now;
};
