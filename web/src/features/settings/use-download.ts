import { useEffect, useRef, useState } from 'react';
import type { Query } from '../../shared/api/api-client.ts';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';

export type DownloadState =
  | { readonly kind: 'idle' }
  /** `bytes`: come so far; the whole is not known, since it is made on the way. */
  | { readonly kind: 'running'; readonly bytes: number }
  | { readonly kind: 'done'; readonly bytes: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** One download at a time, which says how far it is and can be called off; it ends with the screen. */
export const useDownload = () => {
  const api = useApi();
  const [state, setState] = useState<DownloadState>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (path: string, name: string, query?: Query): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    let bytes = 0;
    setState({ kind: 'running', bytes });
    try {
      await api.download(path, {
        name,
        signal: controller.signal,
        ...(query && { query }),
        onProgress: (come) => {
          bytes = come;
          if (!controller.signal.aborted) setState({ kind: 'running', bytes });
        },
      });
      setState({ kind: 'done', bytes });
    } catch (thrown) {
      setState(controller.signal.aborted ? { kind: 'idle' } : { kind: 'failed', reason: problemText(thrown) });
    }
  };
  return {
    state,
    start: (path: string, name: string, query?: Query): void => {
      start(path, name, query).catch(() => undefined);
    },
    cancel: (): void => running.current?.abort(),
  };
};
