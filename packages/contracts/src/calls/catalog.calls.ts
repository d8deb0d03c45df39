import {
  addNoteRequest,
  changeContractorRequest,
  changeCreativeRequest,
  createContractorRequest,
  createCreativeRequest,
  mergeContractorRequest,
} from '../requests/catalog.requests.ts';
import { contractorQuery, includeInactiveQuery } from '../requests/queries.ts';
import { callsOf, change, read } from './call.ts';
import * as replies from './replies.ts';

export const creativeCalls = callsOf('Креативы', {
  'GET /creatives': read(['lists.read'], {
    at: true,
    summary: 'Креативы',
    query: includeInactiveQuery,
    data: replies.creativesData,
    top: ['creatives'],
  }),
  'GET /creatives/{id}/results': read(['campaign.read'], {
    at: true,
    summary: 'Что принёс креатив: всего, по размеру каналов, по кампаниям',
    data: replies.creativeResultsData,
  }),
  'POST /creatives': change(['creative.create'], {
    summary: 'Создать креатив',
    body: createCreativeRequest,
    data: replies.creativeData,
  }),
  'PUT /creatives/{id}': change(['creative.change'], {
    summary: 'Изменить креатив или вернуть отключённый',
    body: changeCreativeRequest,
    baseRevision: 'body',
    data: replies.creativeData,
  }),
  'DELETE /creatives/{id}': change(['creative.remove'], { summary: 'Отключить креатив', baseRevision: 'query' }),
});

export const contractorCalls = callsOf('Контрагенты', {
  'GET /contractors': read(['lists.read'], {
    at: true,
    summary: 'Контрагенты с итогами',
    query: includeInactiveQuery,
    data: replies.contractorsData,
  }),
  'GET /contractors/{id}': read(['lists.read'], {
    at: true,
    summary: 'Контрагент, история сотрудничества и заметки',
    query: contractorQuery,
    data: replies.contractorCardData,
  }),
  'POST /contractors': change(['contractor.create'], {
    summary: 'Создать контрагента',
    body: createContractorRequest,
    data: replies.contractorData,
    problems: ['DUPLICATE'],
  }),
  'PUT /contractors/{id}': change(['contractor.change'], {
    summary: 'Изменить контрагента или вернуть отключённого',
    body: changeContractorRequest,
    baseRevision: 'body',
    data: replies.contractorData,
    problems: ['DUPLICATE'],
  }),
  'POST /contractors/{id}/merge': change(['contractor.merge'], {
    summary: 'Объединить с другим контрагентом; отвечает тем, который остаётся',
    body: mergeContractorRequest,
    baseRevision: 'body',
    data: replies.contractorData,
    problems: ['DUPLICATE'],
  }),
  'POST /contractors/{id}/notes': change(['note.add'], {
    summary: 'Добавить заметку',
    body: addNoteRequest,
    data: replies.noteData,
  }),
  'DELETE /contractors/{id}/notes/{noteId}': change(['note.remove'], { summary: 'Удалить заметку' }),
});
