import {
  adminLoginRequest,
  beginSecondFactorRequest,
  confirmSecondFactorRequest,
  issueLicenceRequest,
  provenRequest,
  renewLicenceRequest,
  secondFactorRequest,
  suspendLicenceRequest,
} from '../requests/auth.requests.ts';
import { adminRead, callsOf, unkeyed } from './call.ts';
import * as replies from './replies.ts';

/** A realm of its own: nobody else's token works here, nor this one elsewhere. */
export const adminCalls = callsOf('Администратор', {
  'POST /admin/login': unkeyed('open', {
    summary: 'Вход администратора площадки',
    body: adminLoginRequest,
    data: replies.adminSignInData,
    problems: ['UNAUTHENTICATED', 'RATE_LIMITED'],
  }),
  'POST /admin/second-factor': unkeyed('open', {
    summary: 'Второй шаг входа администратора; токен первого шага в Authorization',
    body: secondFactorRequest,
    data: replies.adminTokenData,
    problems: ['UNAUTHENTICATED', 'RATE_LIMITED'],
  }),
  'POST /admin/logout': unkeyed('admin', { summary: 'Выход; сеанс заканчивается сразу, без действий: через 30 минут' }),
  'GET /admin/second-factor': adminRead({
    summary: 'Второй фактор администратора, и просит ли его сервер',
    data: replies.adminSecondFactorData,
  }),
  'POST /admin/second-factor/begin': unkeyed('admin', {
    summary: 'Новый ключ администратора для приложения с кодами',
    body: beginSecondFactorRequest,
    data: replies.secondFactorKeyData,
    problems: ['RATE_LIMITED'],
  }),
  'POST /admin/second-factor/confirm': unkeyed('admin', {
    summary: 'Включение второго фактора администратора первым кодом',
    body: confirmSecondFactorRequest,
    data: replies.adminRecoveryCodesData,
  }),
  'POST /admin/second-factor/off': unkeyed('admin', {
    summary: 'Выключение второго фактора администратора',
    body: provenRequest,
    problems: ['RATE_LIMITED'],
  }),
  'POST /admin/second-factor/recovery-codes': unkeyed('admin', {
    summary: 'Новые резервные коды администратора',
    body: provenRequest,
    data: replies.recoveryCodesData,
    problems: ['RATE_LIMITED'],
  }),
  'GET /admin/licenses': adminRead({ summary: 'Все лицензии, новые сначала', data: replies.adminLicensesData }),
  'POST /admin/licenses': unkeyed('admin', {
    summary: 'Выпустить лицензию',
    body: issueLicenceRequest,
    data: replies.issuedLicenseData,
    problems: ['DUPLICATE'],
  }),
  'POST /admin/licenses/{id}/code': unkeyed('admin', {
    summary: 'Новый код активации, прежний не действует',
    data: replies.activationCodeData,
  }),
  'POST /admin/licenses/{id}/renew': unkeyed('admin', {
    summary: 'Продлить',
    body: renewLicenceRequest,
    data: replies.adminLicenseData,
  }),
  'POST /admin/licenses/{id}/suspend': unkeyed('admin', {
    summary: 'Приостановить',
    body: suspendLicenceRequest,
    data: replies.adminLicenseData,
  }),
  'POST /admin/licenses/{id}/resume': unkeyed('admin', { summary: 'Возобновить', data: replies.adminLicenseData }),
  'POST /admin/licenses/{id}/second-factor/reset': unkeyed('admin', {
    summary: 'Снять второй фактор владельца, потерявшего телефон и резервные коды; завершает его сессии',
    problems: ['NOT_FOUND'],
  }),
  'POST /admin/rebuild': unkeyed('admin', {
    summary: 'Собрать модели чтения заново рядом с прежними, которые читаются до замены; ход в /admin/health',
    data: replies.rebuildData,
  }),
  'POST /admin/backup': unkeyed('admin', {
    summary:
      'Сделать резервную копию в BACKUP_DIR сейчас; если она уже делается, ещё одна не начнётся; ход в /admin/health',
    data: replies.backupData,
  }),
  'GET /admin/sign-ins': adminRead({
    summary: 'Последние входы администратора и отказы, новые сначала: время и сеть; в журналах команд их нет',
    data: replies.adminSignInsData,
  }),
  'GET /admin/health': adminRead({ summary: 'Состояние системы', data: replies.healthData }),
});
