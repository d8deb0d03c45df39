/** What the fields of a contractor are called, by the names that changes and conflicts use. */
export const contractorFieldLabels = {
  adminUsername: 'Ник',
  channelName: 'Название канала',
  category: 'Тематика',
  isActive: 'Активен',
  verdict: 'Список',
} as const;

/** As above; `notes/<id>` and what came by merging have their own words. */
export const contractorFieldLabel = (field: string): string => {
  if (field.startsWith('notes/')) return 'Заметки';
  if (field.startsWith('merged/')) return 'Объединение';
  return (contractorFieldLabels as Readonly<Record<string, string>>)[field] ?? field;
};
