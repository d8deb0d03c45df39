import type { EventType } from '@zakup/domain/catalog';
import { everyEvent } from '@zakup/domain/webhooks/webhooks.decider';
import { formatNumber } from '@zakup/domain/russian';

/** What a webhook can be told of, by the names of the event catalogue, in the order in which it is offered. */
export const eventLabels = {
  PlacementAdded: 'Размещение: добавлено',
  PlacementDateChanged: 'Размещение: дата',
  PlacementContractorChanged: 'Размещение: контрагент',
  PlacementPriceChanged: 'Размещение: цена',
  PlacementLeadsRecorded: 'Размещение: приход',
  PlacementCreativeChanged: 'Размещение: креатив',
  PlacementCategoryChanged: 'Размещение: тематика',
  PlacementFormatChanged: 'Размещение: формат',
  PlacementBuyerChanged: 'Размещение: байер',
  PlacementStatusChanged: 'Размещение: статус',
  PlacementCommentChanged: 'Размещение: комментарий',
  PlacementPostUrlChanged: 'Размещение: ссылка на пост',
  PlacementMarkedPaid: 'Размещение: оплачено',
  PlacementMarkedUnpaid: 'Размещение: оплата снята',
  PlacementRemoved: 'Размещение: удалено',
  PlacementRestored: 'Размещение: возвращено',
  ContractorCreated: 'Контрагент: добавлен',
  ContractorRenamed: 'Контрагент: ник',
  ContractorChannelNameChanged: 'Контрагент: название канала',
  ContractorCategoryChanged: 'Контрагент: тематика',
  ContractorDeactivated: 'Контрагент: отключён',
  ContractorReactivated: 'Контрагент: включён',
  ContractorVerdictChanged: 'Контрагент: белый или чёрный список',
  ContractorNoteAdded: 'Контрагент: заметка',
  ContractorMerged: 'Контрагент: объединён',
  ContractorSeparated: 'Контрагент: разъединён',
  CampaignCreated: 'Кампания: создана',
  CampaignRenamed: 'Кампания: название',
  CampaignMovedToChannel: 'Кампания: канал',
  CampaignBudgetChanged: 'Кампания: бюджет',
  CampaignDatesChanged: 'Кампания: даты',
  CampaignParticipantSet: 'Кампания: участник',
  CampaignParticipantRemoved: 'Кампания: участник убран',
  CampaignActivated: 'Кампания: запущена',
  CampaignCompleted: 'Кампания: завершена',
  CampaignReopened: 'Кампания: открыта снова',
  CampaignDeleted: 'Кампания: удалена',
  CampaignRestored: 'Кампания: возвращена',
  ChannelCreated: 'Канал: добавлен',
  ChannelRenamed: 'Канал: название',
  ChannelDeleted: 'Канал: удалён',
  ChannelRestored: 'Канал: возвращён',
  CreativeCreated: 'Креатив: добавлен',
  CreativeRenamed: 'Креатив: название',
  CreativeDeactivated: 'Креатив: отключён',
  CreativeReactivated: 'Креатив: включён',
  EmployeeCreated: 'Сотрудник: добавлен',
  EmployeeRenamed: 'Сотрудник: имя',
  EmployeeRoleChanged: 'Сотрудник: роль',
  EmployeeDeactivated: 'Сотрудник: отключён',
  EmployeeReactivated: 'Сотрудник: включён',
  ImportStarted: 'Импорт: начат',
  ImportFinished: 'Импорт: закончен',
  SignedIn: 'Вход: выполнен',
  SignInRefused: 'Вход: отказ',
  DataTaken: 'Данные: выгружены',
} as const satisfies Partial<Record<EventType, string>>;

/** The name of an event for people; one that is not offered stands as the catalogue has it. */
export const eventLabel = (type: string): string =>
  Object.hasOwn(eventLabels, type) ? eventLabels[type as keyof typeof eventLabels] : type;

/** «все события», «Размещение: цена» or «выбранные события: 3». */
export const eventsText = (events: readonly string[]): string => {
  if (events.includes(everyEvent)) return 'все события';
  const [first = '', ...others] = events;
  if (others.length === 0) return eventLabel(first);
  return `выбранные события: ${formatNumber(events.length)}`;
};
