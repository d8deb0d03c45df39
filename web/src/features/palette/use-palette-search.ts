import { useQuery } from '@tanstack/react-query';
import type { SearchHit } from '@zakup/contracts/calls/replies';
import { useDeferredValue, useState } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import { itemsOf, type PaletteAction, type PaletteItem } from './palette-item.ts';

export const longestQuery = 200;
const none: readonly SearchHit[] = [];

/** What is typed, and what is listed for it. */
export interface PaletteSearch {
  readonly typed: string;
  readonly setTyped: (typed: string) => void;
  readonly items: readonly PaletteItem[];
  /** What is listed is what was typed, not what was before it. */
  readonly isFound: boolean;
  readonly isFetching: boolean;
  /** Why it could not be looked for. */
  readonly error: Error | null;
  readonly retry: () => void;
}

export const usePaletteSearch = (actions: readonly PaletteAction[]): PaletteSearch => {
  const api = useApi();
  const [typed, setTyped] = useState('');
  const isBlank = typed.trim() === '';
  const wanted = typed.trim().slice(0, longestQuery);
  const asked = useDeferredValue(wanted);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery<readonly SearchHit[]>({
    queryKey: ['search', asked],
    enabled: asked !== '',
    placeholderData: (before) => before,
    queryFn: async ({ signal }) =>
      (await api.get<{ hits: readonly SearchHit[] }>('/api/search', { query: { q: asked }, signal })).data.hits,
  });
  const failure = isBlank ? null : error;
  return {
    typed,
    setTyped,
    items: itemsOf(typed, actions, isBlank ? none : (data ?? none)),
    isFound: isBlank || (asked === wanted && data !== undefined && !isPlaceholderData && failure === null),
    isFetching,
    error: failure,
    retry: () => void refetch(),
  };
};
