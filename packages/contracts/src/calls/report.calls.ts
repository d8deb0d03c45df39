import {
  bonusLineageExportQuery,
  bonusLineageQuery,
  campaignLineageExportQuery,
  campaignLineageQuery,
  contractorLineageExportQuery,
  contractorLineageQuery,
  creativeLineageExportQuery,
  creativeLineageQuery,
  licenceLineageExportQuery,
  licenceLineageQuery,
  salaryEventsQuery,
  salaryQuery,
  statementQuery,
} from '../requests/queries.ts';
import { callsOf, download, read } from './call.ts';
import * as replies from './replies.ts';

export const reportCalls = callsOf('Отчёты', {
  'GET /reports/salary': read(['reports.read'], {
    at: true,
    summary: 'Отчёт по зарплате: бонус каждого байера, что засчитано и что нет',
    query: salaryQuery,
    data: replies.salaryData,
  }),
  'GET /reports/salary/events': read(['reports.read'], {
    closedToKeys: true,
    at: true,
    summary: 'Кто последним менял бонус человека в отчёте по зарплате',
    query: salaryEventsQuery,
    data: replies.salaryEventsData,
  }),
  'GET /reports/salary/lineage': read(['reports.read'], {
    closedToKeys: true,
    at: true,
    summary: 'Почему такой бонус в отчёте по зарплате: формула, что засчитано и что нет, кто его менял',
    query: bonusLineageQuery,
    data: replies.lineageData,
  }),
  'GET /reports/salary/lineage/export': download(['reports.read'], {
    closedToKeys: true,
    at: true,
    summary: 'Строки бонуса файлом: что засчитано, что нет и почему',
    query: bonusLineageExportQuery,
  }),
  'GET /campaigns/{id}/lineage': read(['campaign.read'], {
    at: true,
    summary: 'Почему эта цифра: формула, слагаемые, что засчитано и что нет, кто её менял',
    query: campaignLineageQuery,
    data: replies.lineageData,
  }),
  'GET /campaigns/{id}/lineage/export': download(['campaign.read'], {
    at: true,
    summary: 'Строки цифры файлом: что засчитано, что нет и почему',
    query: campaignLineageExportQuery,
  }),
  'GET /contractors/{id}/lineage': read(['campaign.read'], {
    at: true,
    summary: 'Почему эта цифра у контрагента, по всем кампаниям',
    query: contractorLineageQuery,
    data: replies.lineageData,
  }),
  'GET /creatives/{id}/lineage': read(['campaign.read'], {
    at: true,
    summary: 'Почему эта цифра у креатива, по всем кампаниям; size — только в каналах этого размера',
    query: creativeLineageQuery,
    data: replies.lineageData,
  }),
  'GET /creatives/{id}/lineage/export': download(['campaign.read'], {
    at: true,
    summary: 'Строки цифры креатива файлом',
    query: creativeLineageExportQuery,
  }),
  'GET /contractors/{id}/lineage/export': download(['campaign.read'], {
    at: true,
    summary: 'Строки цифры контрагента файлом',
    query: contractorLineageExportQuery,
  }),
  'GET /license/lineage': read(['campaign.read'], {
    at: true,
    summary: 'Почему эта цифра по всем кампаниям: что в ней есть, чего нет и почему, кто её менял',
    query: licenceLineageQuery,
    data: replies.licenceLineageData,
  }),
  'GET /license/lineage/export': download(['campaign.read'], {
    at: true,
    summary: 'Кампании или каналы цифры файлом: что в ней есть, чего нет и почему',
    query: licenceLineageExportQuery,
  }),
  'GET /profile/statement': read(['screen.profile'], {
    closedToKeys: true,
    summary: 'Своя выписка: бонус из отчёта по зарплате и заработок по кампаниям, не складываются',
    query: statementQuery,
    data: replies.statementData,
  }),
});
