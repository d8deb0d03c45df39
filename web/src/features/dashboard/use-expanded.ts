import { useState } from 'react';

/** Whether a block is open, kept in this browser under the key; open until closed. */
export const useExpanded = (
  key: 'employeeAnalyticsExpanded' | 'creativeAnalyticsExpanded',
): readonly [boolean, () => void] => {
  const [expanded, setExpanded] = useState(() => localStorage.getItem(key) !== 'false');
  return [
    expanded,
    () => {
      localStorage.setItem(key, String(!expanded));
      setExpanded(!expanded);
    },
  ];
};
