import { closeLicenceRequest, licenceSettingsRequest } from '../requests/auth.requests.ts';
import { changeUserRequest, createEmployeeRequest } from '../requests/people.requests.ts';
import { includeInactiveQuery, revealQuery } from '../requests/queries.ts';
import { callsOf, change, download, read, unkeyed } from './call.ts';
import * as replies from './replies.ts';

export const peopleCalls = callsOf('Сотрудники', {
  'GET /users': read(['lists.read'], {
    at: true,
    summary: 'Сотрудники: целиком с правом people.read, иначе четыре открытых поля',
    query: includeInactiveQuery,
    data: replies.usersData,
  }),
  'GET /users/activity': read(['people.read'], {
    closedToKeys: true,
    summary: 'Когда каждый сотрудник входил и был в системе в последний раз, и отключённые',
    data: replies.peopleActivityData,
  }),
  'POST /employees/create': change(['employee.create'], {
    closedToKeys: true,
    summary: 'Завести сотрудника; без пароля выдаётся временный, один раз',
    body: createEmployeeRequest,
    data: replies.employeeData,
    problems: ['DUPLICATE'],
  }),
  'PUT /users/{id}': change(['employee.change'], {
    summary: 'Изменить сотрудника или вернуть отключённого',
    body: changeUserRequest,
    baseRevision: 'body',
    data: replies.userData,
    problems: ['DUPLICATE'],
  }),
  'DELETE /users/{id}': change(['employee.deactivate'], { summary: 'Отключить сотрудника', baseRevision: 'query' }),
  'POST /users/{id}/reissue-code': change(['employee.reissue'], {
    closedToKeys: true,
    summary: 'Новый код доступа',
    data: replies.authCodeData,
    problems: ['DUPLICATE'],
  }),
  'POST /users/{id}/temporary-password': change(['employee.reissue'], {
    closedToKeys: true,
    summary: 'Временный пароль, показывается один раз',
    data: replies.temporaryPasswordData,
  }),
  'GET /users/{id}/sessions': read(['session.ofOthers'], {
    closedToKeys: true,
    summary: 'Открытые сессии сотрудника, старые сначала; только владельцу',
    data: replies.sessionsData,
    problems: ['NOT_FOUND'],
  }),
  'DELETE /users/{id}/sessions': unkeyed('person', {
    rights: ['session.ofOthers'],
    summary: 'Завершить все сессии сотрудника; только владельцу',
    data: replies.endedData,
    problems: ['ACCESS_DENIED', 'LICENSE_INACTIVE', 'NOT_FOUND'],
  }),
  'DELETE /users/{id}/sessions/{session}': unkeyed('person', {
    rights: ['session.ofOthers'],
    summary: 'Завершить одну сессию сотрудника; только владельцу',
    data: replies.endedData,
    problems: ['ACCESS_DENIED', 'LICENSE_INACTIVE', 'NOT_FOUND'],
  }),
  'GET /users/{id}/second-factor': read(['people.read'], {
    closedToKeys: true,
    summary: 'С каких пор у сотрудника включён второй фактор',
    data: replies.secondFactorOfData,
    problems: ['NOT_FOUND'],
  }),
  'DELETE /users/{id}/second-factor': unkeyed('person', {
    rights: ['employee.reissue'],
    summary: 'Снять второй фактор сотрудника, потерявшего телефон и резервные коды; завершает его сессии',
    problems: ['ACCESS_DENIED', 'LICENSE_INACTIVE', 'NOT_FOUND'],
  }),
});

export const licenceCalls = callsOf('Лицензия', {
  'GET /license/history-bundle': download(['reports.read'], {
    summary: 'Подписанная история лицензии для проверки без сервера (NDJSON): события, печати, открытые ключи',
  }),
  'GET /license': read(['licence.read'], {
    summary: 'Своя лицензия; с reveal=true ключ целиком, только владельцу',
    query: revealQuery,
    data: replies.ownLicenseData,
  }),
  'GET /license/export': download(['licence.export'], {
    closedToKeys: true,
    summary: 'Скачать все данные: zip с NDJSON и CSV всего, что есть, и историей; и когда лицензия не действует',
  }),
  'PUT /license/settings': change(['licence.settings'], {
    summary: 'Переключатели лицензии',
    body: licenceSettingsRequest,
    baseRevision: 'body',
    data: replies.licenseData,
  }),
  'POST /license/renewal-request': change(['licence.requestRenewal'], {
    summary: 'Попросить о продлении',
    data: replies.licenseData,
  }),
  'POST /license/close': change(['licence.close'], {
    summary: 'Закрыть лицензию: доступ прекращается через 7 дней, если не передумать',
    body: closeLicenceRequest,
    data: replies.licenseData,
  }),
  'POST /license/close/cancel': change(['licence.close'], {
    summary: 'Передумать закрывать лицензию, пока она не закрыта',
    data: replies.licenseData,
  }),
});
