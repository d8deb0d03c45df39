/** Those of `messages` that stand on the page before one has signed in: it loads no others. */
export const signInMessages = {
  wrongLogin: 'Неверный логин или пароль',
  wrongEmployeeLogin: 'Неверный код доступа, пароль или доступ деактивирован',
  loginFailed: 'Ошибка авторизации',
  licenceDataMissing: 'Отсутствуют данные лицензии в ответе сервера',
  connectionFailed: 'Ошибка соединения с сервером',
  fieldsRequired: 'Пожалуйста, заполните все поля',
  secondFactorMissing: 'Введите код',
  accessDenied: 'Доступ запрещен',
} as const;

/** 429: how long to wait. */
export const rateLimited = (seconds: number): string => `Слишком много попыток. Повторите через ${seconds} с`;
