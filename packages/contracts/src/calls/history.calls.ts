import { auditQuery, timelineQuery } from '../requests/history.queries.ts';
import { callsOf, download, read } from './call.ts';
import * as replies from './replies.ts';

export const historyCalls = callsOf('История', {
  'GET /placements/{id}/history': read(['campaign.read'], {
    summary: 'История размещения, также удалённого: кто, когда, что на что изменил; от первой записи к последней',
    data: replies.historyData,
  }),
  'GET /audit': read(['reports.read'], {
    summary: 'Журнал: записи обо всём в лицензии, новые сверху, с отборами; записей может быть меньше, чем в limit',
    query: auditQuery,
    data: replies.auditData,
  }),
  'GET /audit/{position}/moves': read(['reports.read'], {
    summary: 'Какие цифры кампании сдвинуло действие, которому принадлежит запись журнала, и на сколько',
    data: replies.movesData,
  }),
  'GET /timeline': read(['campaign.read'], {
    summary: 'Сколько событий в какой день: во всей лицензии или в кампании; и событие момента с соседями',
    query: timelineQuery,
    data: replies.timelineData,
  }),
  'GET /campaigns/{id}/events': download(['reports.read'], {
    summary: 'События кампании и её размещений прямо из журнала, по одному в строке (NDJSON)',
  }),
});
