import { useEffect, useState } from 'react';
import { type ConnectionState, ConnectionMark } from './connection.tsx';

const words: Record<ConnectionState, string> = {
  online: 'Сервер отвечает',
  connecting: 'Проверяем сервер',
  offline: 'Сервер не отвечает',
};

const isReady = async (signal: AbortSignal): Promise<boolean> => {
  try {
    return (await fetch('/readyz', { signal, cache: 'no-store' })).ok;
  } catch {
    return false;
  }
};

/** Asks once a visit and again every 15 s while there is no answer. */
export const ServerMark = () => {
  const [state, setState] = useState<ConnectionState>('connecting');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = new AbortController();
    const ask = (): void => {
      isReady(stop.signal)
        .then((ready) => {
          if (stop.signal.aborted) return undefined;
          setState(ready ? 'online' : 'offline');
          if (!ready) timer = setTimeout(ask, 15_000);
          return undefined;
        })
        .catch(() => undefined);
    };
    ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, []);
  return <ConnectionMark state={state} text={words[state]} />;
};
