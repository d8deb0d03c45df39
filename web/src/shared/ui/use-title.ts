import { useEffect } from 'react';

/** Names the window: «Дашборд · media buying analytics». */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · media buying analytics`;
  }, [title]);
};
