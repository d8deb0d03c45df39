import {
  activateRequest,
  activateStep1Request,
  activateStep2Request,
  beginSecondFactorRequest,
  ceoLoginRequest,
  changePasswordRequest,
  confirmSecondFactorRequest,
  employeeLoginRequest,
  loginCodeRequest,
  provenRequest,
  refreshRequest,
  requestCodeRequest,
  secondFactorRequest,
} from '../requests/auth.requests.ts';
import { callsOf, read, unkeyed } from './call.ts';
import * as replies from './replies.ts';

export const signInCalls = callsOf('Вход', {
  'POST /auth/employee-login': unkeyed('open', {
    summary: 'Вход сотрудника по коду и паролю',
    body: employeeLoginRequest,
    data: replies.signInData,
    problems: ['UNAUTHENTICATED', 'LICENSE_INACTIVE', 'SESSION_LIMIT', 'RATE_LIMITED'],
  }),
  'POST /auth/ceo-login': unkeyed('open', {
    summary: 'Вход владельца по коду и паролю',
    body: ceoLoginRequest,
    data: replies.signInData,
    problems: ['UNAUTHENTICATED', 'SESSION_LIMIT', 'RATE_LIMITED'],
  }),
  'POST /auth/login-code': unkeyed('open', {
    summary: 'Вход только по коду, если он включён в лицензии',
    body: loginCodeRequest,
    data: replies.signInData,
    problems: ['ACCESS_DENIED', 'LICENSE_INACTIVE', 'SESSION_LIMIT', 'RATE_LIMITED'],
  }),
  'POST /auth/second-factor': unkeyed('open', {
    summary: 'Второй шаг входа: код приложения или резервный; токен первого шага в Authorization',
    body: secondFactorRequest,
    data: replies.signedInData,
    problems: ['UNAUTHENTICATED', 'LICENSE_INACTIVE', 'SESSION_LIMIT', 'RATE_LIMITED'],
  }),
  'POST /auth/second-factor/set-up': unkeyed('open', {
    summary: 'Ключ для приложения тому, кому без второго фактора не войти; токен первого шага в Authorization',
    data: replies.secondFactorKeyData,
    problems: ['UNAUTHENTICATED', 'LICENSE_INACTIVE'],
  }),
  'POST /auth/second-factor/set-up/confirm': unkeyed('open', {
    summary: 'Включение второго фактора на входе первым кодом; дальше тот же токен открывает сессию',
    body: confirmSecondFactorRequest,
    data: replies.recoveryCodesData,
    problems: ['UNAUTHENTICATED'],
  }),
  'POST /auth/refresh': unkeyed('open', {
    summary: 'Новая пара токенов по токену обновления',
    body: refreshRequest,
    data: replies.tokensData,
    problems: ['UNAUTHENTICATED'],
  }),
});

export const activationCalls = callsOf('Активация лицензии', {
  'POST /licenses/request-code': unkeyed('open', {
    summary: 'Запрос кода активации; ответ один для любого ключа',
    body: requestCodeRequest,
  }),
  'POST /licenses/activate-step1': unkeyed('open', {
    summary: 'Проверка кода активации; выдаёт билет в cookie на следующий шаг',
    body: activateStep1Request,
    data: replies.ownerData,
    problems: ['RATE_LIMITED'],
  }),
  'POST /licenses/activate-step2': unkeyed('open', {
    summary: 'Пароль владельца; нужен билет предыдущего шага',
    body: activateStep2Request,
    data: replies.loginCodeData,
    problems: ['UNAUTHENTICATED', 'LICENSE_INACTIVE'],
  }),
  'POST /licenses/activate': unkeyed('open', {
    summary: 'Вход владельца по ключу лицензии и паролю',
    body: activateRequest,
    data: replies.signInData,
    problems: ['UNAUTHENTICATED', 'SESSION_LIMIT', 'RATE_LIMITED'],
  }),
});

export const ownSessionCalls = callsOf('Своя сессия', {
  'GET /auth/session': read(['screen.profile'], {
    closedToKeys: true,
    summary: 'Кто вошёл, под какой лицензией и что ему открыто',
    data: replies.ownSessionData,
    oneTimePassword: true,
  }),
  'GET /auth/sessions': read(['screen.profile'], {
    closedToKeys: true,
    summary: 'Свои открытые сессии, старые сначала',
    data: replies.sessionsData,
  }),
  'DELETE /auth/sessions': unkeyed('person', {
    summary: 'Завершить все свои сессии, кроме этой',
    data: replies.endedData,
  }),
  'DELETE /auth/sessions/{id}': unkeyed('person', { summary: 'Завершить одну свою сессию', data: replies.endedData }),
  'POST /auth/logout': unkeyed('person', { summary: 'Выход', oneTimePassword: true }),
  'POST /auth/password': unkeyed('person', {
    summary: 'Смена своего пароля; завершает остальные сессии',
    body: changePasswordRequest,
    data: replies.signedInData,
    oneTimePassword: true,
    problems: ['LICENSE_INACTIVE', 'RATE_LIMITED'],
  }),
  'GET /auth/second-factor': read(['screen.profile'], {
    closedToKeys: true,
    summary: 'Свой второй фактор: с каких пор включён и сколько осталось резервных кодов',
    data: replies.secondFactorData,
  }),
  'POST /auth/second-factor/begin': unkeyed('person', {
    summary: 'Новый ключ для приложения с кодами; второй фактор включит подтверждение',
    body: beginSecondFactorRequest,
    data: replies.secondFactorKeyData,
    problems: ['LICENSE_INACTIVE', 'RATE_LIMITED'],
  }),
  'POST /auth/second-factor/confirm': unkeyed('person', {
    summary: 'Включение второго фактора первым кодом; выдаёт резервные коды один раз',
    body: confirmSecondFactorRequest,
    data: replies.recoveryCodesData,
    problems: ['LICENSE_INACTIVE'],
  }),
  'POST /auth/second-factor/off': unkeyed('person', {
    summary: 'Выключение своего второго фактора',
    body: provenRequest,
    problems: ['LICENSE_INACTIVE', 'RATE_LIMITED'],
  }),
  'POST /auth/second-factor/recovery-codes': unkeyed('person', {
    summary: 'Новые резервные коды вместо прежних',
    body: provenRequest,
    data: replies.recoveryCodesData,
    problems: ['LICENSE_INACTIVE', 'RATE_LIMITED'],
  }),
});
