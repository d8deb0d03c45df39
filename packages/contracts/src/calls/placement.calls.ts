import {
  addPlacementRequest,
  changePlacementRequest,
  placementBatchRequest,
  setPaymentRequest,
} from '../requests/placement.requests.ts';
import { placementExportQuery, placementQuery } from '../requests/queries.ts';
import { importQueryWire, importsQuery } from '../requests/import.requests.ts';
import { undoRequest } from '../requests/undo.requests.ts';
import { callsOf, change, download, read } from './call.ts';
import * as replies from './replies.ts';

export const placementCalls = callsOf('Размещения', {
  'GET /campaigns/{id}/placements': read(['campaign.read'], {
    at: true,
    summary: 'Таблица кампании: страница, порядок и отборы',
    query: placementQuery,
    data: replies.placementsData,
  }),
  'GET /campaigns/{id}/export': download(['campaign.export'], {
    at: true,
    summary: 'Таблица кампании файлом CSV или XLSX: с теми же отборами и порядком; placementFormat — формат размещения',
    query: placementExportQuery,
  }),
  'GET /placements/{id}': read(['campaign.read'], {
    at: true,
    summary: 'Одно размещение',
    data: replies.placementData,
  }),
  'POST /placements': change(['placement.add'], {
    summary: 'Добавить размещение; неизвестный контрагент создаётся по нику',
    body: addPlacementRequest,
    data: replies.placementData,
    problems: ['NOT_FOUND', 'CAMPAIGN_COMPLETED'],
  }),
  'PATCH /placements/{id}': change(['placement.change'], {
    summary: 'Изменить поля размещения',
    body: changePlacementRequest,
    baseRevision: 'body',
    data: replies.placementData,
    problems: ['CAMPAIGN_COMPLETED'],
  }),
  'POST /placements/{id}/payment': change(['placement.change'], {
    summary: 'Отметить оплату; без статуса переключает',
    body: setPaymentRequest,
    baseRevision: 'body',
    data: replies.placementData,
    problems: ['CAMPAIGN_COMPLETED'],
  }),
  'DELETE /placements/{id}': change(['placement.remove'], {
    summary: 'Удалить размещение',
    baseRevision: 'query',
    problems: ['CAMPAIGN_COMPLETED'],
  }),
  'POST /placements/{id}/restore': change(['placement.restore'], {
    summary: 'Вернуть удалённое размещение',
    data: replies.placementData,
    problems: ['CAMPAIGN_COMPLETED'],
  }),
  'POST /placements/batch': change(['placement.add'], {
    summary: 'До 1 000 изменений размещений одной командой',
    body: placementBatchRequest,
    data: replies.batchData,
    ofMany: true,
    problems: ['NOT_FOUND', 'CONFLICT', 'CAMPAIGN_COMPLETED'],
  }),
});

export const importCalls = callsOf('Импорт', {
  'POST /campaigns/{id}/import': change(['placement.import'], {
    summary:
      'Размещения из файла CSV, TSV или XLSX: файл — тело запроса; dryRun=true — только отчёт; mapping — столбцы и правила, JSON',
    query: importQueryWire,
    data: replies.importedData,
    mayBeUnwritten: true,
    problems: ['CAMPAIGN_COMPLETED', 'IMPORT_RUNNING', 'UNSUPPORTED_FILE', 'DUPLICATE'],
  }),
  'GET /imports': read(['campaign.read'], {
    summary: 'Импорты, новые сверху: свои, а руководителям — всех',
    query: importsQuery,
    data: replies.importsData,
  }),
  'GET /imports/{id}': read(['campaign.read'], { summary: 'Один импорт', data: replies.importData }),
  'DELETE /imports/{id}': change(['import.cancel'], {
    summary: 'Остановить импорт; что записано, остаётся и отменяется как команда',
    data: replies.importData,
  }),
});

export const undoCalls = callsOf('Отмена', {
  'POST /undo': change(['command.undo'], {
    summary: 'Отменить команду встречной командой',
    body: undoRequest,
    data: replies.undoData,
    ofMany: true,
    problems: ['NOT_FOUND', 'CONFLICT', 'DUPLICATE', 'CAMPAIGN_COMPLETED', 'IMPORT_RUNNING'],
  }),
});
