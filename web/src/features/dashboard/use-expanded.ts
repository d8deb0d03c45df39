import { useState } from 'react';
import { keepItem } from '../../shared/storage/keep-item.ts';

/** Whether a block is open, kept in this browser under the key; open until closed. */
export const useExpanded = (
  key: 'employeeAnalyticsExpanded' | 'creativeAnalyticsExpanded',
): readonly [boolean, () => void] => {
  const [expanded, setExpanded] = useState(() => localStorage.getItem(key) !== 'false');
  return [
    expanded,
    () => {
      keepItem(localStorage, key, String(!expanded));
      setExpanded(!expanded);
    },
  ];
};
