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
  priceInvalid: 'Некорректная цена',
  leadsInvalid: 'Некорректное количество лидов',
  dateInvalid: 'Некорректная дата',
  formatInvalid: 'Некорректный формат',
  paymentInvalid: 'Некорректный статус оплаты',
  statusInvalid: 'Некорректный статус',
  creativeInvalid: 'Некорректный креатив',
  nameInvalid: 'Название: от 1 до 120 символов',
  budgetInvalid: 'Некорректный бюджет',
  channelRequired: 'Выберите канал',
  participantsInvalid: 'Некорректные участники',
  salaryTypeInvalid: 'Некорректная схема оплаты',
  rateInvalid: 'Ставка: от 0 до 100',
  thresholdInvalid: 'Некорректный порог CPL',
  creativeTypeInvalid: 'Некорректный тип креатива',
  textTooLong: 'Слишком длинный текст',
  textInvalid: 'Некорректный текст',
  noteRequired: 'Введите текст заметки',
  noteTooLong: 'Заметка: не больше 2 000 символов',
  fieldsRequired: 'Пожалуйста, заполните все поля',
  userNameInvalid: 'Name must be at least 2 characters long',
  emailInvalid: 'Valid email is required',
  authCodeInvalid: 'Auth code must be at least 4 characters long',
  roleInvalid: 'Valid role is required',
  permissionsInvalid: 'Некорректные права',
  passwordTooShort: 'Пароль должен содержать минимум 8 символов',
  passwordsDiffer: 'Пароли не совпадают',
  licenceKeyInvalid: 'Неверный формат лицензионного ключа',
  activationCodeInvalid: 'Неверный код активации',
  revisionInvalid: 'Некорректная ревизия',
  tooBusy: 'Сервер занят. Повторите через секунду',
  payloadMismatch: 'Этот ключ уже использован для другого запроса',
  commandIdInvalid: 'Idempotency-Key: ожидается UUID',
  tooManyChanges: 'Слишком много изменений подряд. Повторите через секунду',
  malformed: 'Запрос не разобран: ожидается JSON',
  bodyInvalid: 'Ожидается объект JSON',
  nickInvalid: 'Ник не может содержать пробелы и невидимые знаки',
  nickTooLong: 'Ник: не больше 64 символов',

  placementAdded: 'Размещение добавлено',
  confirmRemoveNote: 'Вы уверены, что хотите удалить эту заметку?',
  confirmRemovePlacement: 'Вы уверены, что хотите удалить это размещение?',
  askNewNick: 'Введите новый ник контрагента:',

  channelNotFound: 'Канал не найден',
  contractorNotFound: 'Контрагент не найден',
  noteNotFound: 'Заметка не найдена',
  employeeNotFound: 'Сотрудник не найден',
  licenceNotFound: 'Лицензия не найдена',
  sessionNotFound: 'Сессия не найдена',
  commandNotFound: 'Изменение не найдено',
  notFound: 'Не найдено',

  nickTaken: 'Контрагент с таким ником уже есть',
  emailTaken: 'Сотрудник с таким e-mail уже есть',
  authCodeTaken: 'Такой код доступа уже занят',
  channelInUse: 'Канал используется в кампаниях',

  wrongLogin: 'Неверный логин или пароль',
  wrongEmployeeLogin: 'Неверный код доступа, пароль или доступ деактивирован',
  loginFailed: 'Ошибка авторизации',
  codeOnlyLoginOff: 'Вход только по коду выключен: его включает владелец в разделе «Настройки», вкладка «Параметры»',
  activationFailed: 'Ошибка активации лицензии',
  licenceDataMissing: 'Отсутствуют данные лицензии в ответе сервера',
  activationTicketMissing: 'Начните активацию заново: сначала введите ключ и код',
  connectionFailed: 'Ошибка соединения с сервером',
  tokenMissing: 'No authentication token found',
  sessionExpired: 'Session expired. Please login again.',
  sessionLimit: 'Открыто слишком много сессий',
  passwordChangeRequired: 'Смените временный пароль, чтобы продолжить',
  temporaryPasswordExpired: 'Срок временного пароля истек. Обратитесь к руководителю',
  currentPasswordWrong: 'Неверный текущий пароль',
  passwordUnchanged: 'Новый пароль должен отличаться от прежнего',

  accessDenied: 'Доступ запрещен',
  featureClosed: 'Доступ запрещен: раздел не входит в лицензию',
  onlyOwnPlacements: 'Доступ запрещен: можно менять только свои размещения',
  rankTooHigh: 'Доступ запрещен: роль выше вашей',
  grantTooWide: 'Доступ запрещен: нельзя выдать права, которых нет у вас',
  cannotRemoveSelf: 'Нельзя удалить самого себя',
  cannotRemoveLastOwner: 'Нельзя удалить последнего владельца',
  licenceInactive: 'Срок лицензии истек: доступны только просмотр и экспорт',
  licenceSuspended: 'Лицензия приостановлена',

  conflict: 'Данные изменились: проверьте новые значения и повторите',
  tooLarge: 'Слишком большой запрос',
  unavailable: 'Сервис временно недоступен. Повторите позже',
  internal: 'Что-то пошло не так',
  positionAhead: 'Позиция впереди журнала',
  unknownParameter: 'Неизвестный параметр запроса',

  contractorCreateFailed: 'Ошибка при создании контрагента',
  contractorLoading: 'Данные еще загружаются...',
  campaignsNotFound: 'Кампании не найдены',
  campaignsNone: 'Нет доступных кампаний',
  chooseCampaign: 'Выберите кампанию',
  unknownError: 'Неизвестная ошибка',
  noteAddOffline: 'Ошибка при добавлении заметки. Проверьте подключение к интернету.',
  noteRemoveOffline: 'Ошибка при удалении заметки. Проверьте подключение к интернету.',
  alreadyExists: 'Такая запись уже есть',
  valueTaken: 'Такое значение уже занято',
  channelHasCampaigns: 'В канале есть кампании',
  channelDeleted: 'Канал этой кампании удалён',
  campaignNotBackToDraft: 'Кампания не может снова стать черновиком',
  noteNotYours: 'Удалить заметку может её автор, тим-лид, CBDO или владелец',
  selfNotDeletable: 'Нельзя удалить самого себя',
  ownerStaysCeo: 'Владелец лицензии остаётся CEO',
  lastCeoStays: 'Последнего CEO нельзя удалить или понизить',
  sessionsInvalid: 'Количество сессий: от 1',
  leadValueInvalid: 'Некорректная цена лида',
} as const;

/** 429: how long to wait. */
export const rateLimited = (seconds: number): string => `Слишком много попыток. Повторите через ${seconds} с`;

/** 409 on a channel with campaigns, naming them. */
export const channelInUseBy = (campaigns: readonly string[]): string =>
  `${messages.channelInUse}: ${campaigns.join(', ')}`;

/** The demo text of a wrong code-only sign-in, with the two codes that work. */
export const wrongDemoCode = (first: string, second: string): string =>
  `Неверный код авторизации. Попробуйте: ${first} или ${second}`;

/** A failed screen action with the server's own text, or with 'Неизвестная ошибка'. */
export const noteAddFailed = (error: string | null): string =>
  `Ошибка при добавлении заметки: ${error ?? messages.unknownError}`;
export const noteRemoveFailed = (error: string | null): string =>
  `Ошибка при удалении заметки: ${error ?? messages.unknownError}`;
export const placementAddFailed = (error: string): string => `Ошибка при добавлении размещения: ${error}`;
export const contractorAnalyticsFailed = (error: string): string => `Ошибка расчета аналитики: ${error}`;

/** What a person did to what, in the client's words for a failed change without a text of its own. */
export const changeFailed = (
  action: 'create' | 'update' | 'delete',
  entity: 'employee' | 'user' | 'channel' | 'campaign' | 'creative',
): string => `Failed to ${action} ${entity}`;

/** A reply without a text of its own. */
export const httpError = (status: number): string => `HTTP error! status: ${status}`;
