import { useEffect, useState } from 'react';

/** Milliseconds since 1970, told anew every `period` milliseconds. */
export const useNow = (period = 60_000): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), period);
    return () => clearInterval(timer);
  }, [period]);
  return now;
};
