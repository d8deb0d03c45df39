import {
  campaignLineageQuery,
  contractorLineageQuery,
  creativeLineageQuery,
  licenceLineageQuery,
  salaryEventsQuery,
  salaryQuery,
  statementQuery,
} from '../requests/queries.ts';
import { callsOf, read } from './call.ts';
import * as replies from './replies.ts';

export const reportCalls = callsOf('Отчёты', {
  'GET /reports/salary': read(['reports.read'], {
    at: true,
    summary: 'Отчёт по зарплате: бонус каждого байера, что засчитано и что нет',
    query: salaryQuery,
    data: replies.salaryData,
  }),
  'GET /reports/salary/events': read(['reports.read'], {
    at: true,
    summary: 'Кто последним менял бонус человека в отчёте по зарплате',
    query: salaryEventsQuery,
    data: replies.salaryEventsData,
  }),
  'GET /campaigns/{id}/lineage': read(['campaign.read'], {
    at: true,
    summary: 'Почему эта цифра: формула, слагаемые, что засчитано и что нет, кто её менял',
    query: campaignLineageQuery,
    data: replies.lineageData,
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
  'GET /license/lineage': read(['campaign.read'], {
    at: true,
    summary: 'Почему эта цифра по всем кампаниям: что в ней есть, чего нет и почему, кто её менял',
    query: licenceLineageQuery,
    data: replies.licenceLineageData,
  }),
  'GET /profile/statement': read(['screen.profile'], {
    summary: 'Своя выписка: бонус из отчёта по зарплате и заработок по кампаниям, не складываются',
    query: statementQuery,
    data: replies.statementData,
  }),
});
