import {
  changeCampaignRequest,
  changeChannelRequest,
  createCampaignRequest,
  createChannelRequest,
} from '../requests/catalog.requests.ts';
import { callsOf, change, read } from './call.ts';
import * as replies from './replies.ts';

const create = change(['campaign.create'], {
  summary: 'Создать кампанию',
  body: createCampaignRequest,
  data: replies.campaignData,
  problems: ['NOT_FOUND'],
});

export const campaignCalls = callsOf('Кампании', {
  'GET /campaigns': read(['lists.read'], {
    at: true,
    summary: 'Все кампании',
    data: replies.campaignsData,
    top: ['campaigns'],
  }),
  'POST /campaigns': create,
  'POST /campaigns/create-safe': create,
  'PUT /campaigns/{id}': change(['campaign.change'], {
    summary: 'Изменить кампанию; завершение и возобновление имеют своё право',
    body: changeCampaignRequest,
    baseRevision: 'body',
    data: replies.campaignData,
  }),
  'DELETE /campaigns/{id}': change(['campaign.remove'], {
    summary: 'Удалить кампанию вместе с её размещениями',
    baseRevision: 'query',
  }),
  'POST /campaigns/{id}/complete': change(['campaign.complete'], {
    summary: 'Завершить кампанию',
    data: replies.campaignData,
  }),
  'POST /campaigns/{id}/reopen': change(['campaign.reopen'], {
    summary: 'Возобновить завершённую кампанию',
    data: replies.campaignData,
  }),
  'POST /campaigns/{id}/restore': change(['campaign.restore'], {
    summary: 'Вернуть удалённую кампанию с её размещениями',
    data: replies.campaignData,
    problems: ['CONFLICT'],
  }),
  'GET /campaigns/{id}/analytics': read(['campaign.read', 'analytics.read'], {
    at: true,
    summary: 'Отчёт кампании: сводка, разрезы, лучшие, показатели',
    data: replies.reportData,
  }),
  'GET /campaigns/{id}/earnings': read(['earnings.read'], {
    at: true,
    summary: 'Заработок участников, который смотрящему открыт',
    data: replies.earningsData,
  }),
});

export const channelCalls = callsOf('Каналы', {
  'GET /channels': read(['lists.read'], { at: true, summary: 'Все каналы', data: replies.channelsData }),
  'POST /channels': change(['channel.create'], {
    summary: 'Создать канал',
    body: createChannelRequest,
    data: replies.channelData,
  }),
  'PUT /channels/{id}': change(['channel.change'], {
    summary: 'Изменить канал',
    body: changeChannelRequest,
    baseRevision: 'body',
    data: replies.channelData,
  }),
  'DELETE /channels/{id}': change(['channel.remove'], {
    summary: 'Удалить канал, в котором нет кампаний',
    baseRevision: 'query',
  }),
});
