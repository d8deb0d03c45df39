export const groupings = ['buyer', 'creative', 'week'] as const;
/** By what rows stand together. */
export type Grouping = (typeof groupings)[number];

export const groupingLabels: Readonly<Record<Grouping, string>> = {
  buyer: 'По байеру',
  creative: 'По креативу',
  week: 'По неделе',
};
