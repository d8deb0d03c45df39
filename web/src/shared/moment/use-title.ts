import { useEffect } from 'react';
import { useThenTitle } from './then-name.ts';

/** Names the window: «Дашборд · media buying analytics». */
export const useTitle = (title: string): void => {
  const shown = useThenTitle(title);
  useEffect(() => {
    document.title = `${shown} · media buying analytics`;
  }, [shown]);
};
