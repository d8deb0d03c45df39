/** Every text that a rule or the server says to a person, in the words of spec.md §5 and §8; the web shows the same file. */
export const messages = {
  placementNotFound: 'Placement not found',
  placementExists: 'Такое размещение уже есть',
  campaignNotFound: 'Кампания не найдена',
  creativeNotFound: 'Креатив не найден',
  campaignCompleted: 'Кампания завершена: размещения только для чтения',
  campaignNotChosen: 'Кампания не выбрана',
  nickRequired: 'Ник контрагента обязателен',
  chooseBuyer: 'Выберите байера',
  chooseTopic: 'Выберите тематику',
} as const;
