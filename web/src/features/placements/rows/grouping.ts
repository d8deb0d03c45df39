import type { Grouping } from '@zakup/domain/views/view-parameters';

export const groupingLabels: Readonly<Record<Grouping, string>> = {
  buyer: 'По байеру',
  creative: 'По креативу',
  week: 'По неделе',
};
