import { z } from 'zod';
import { changeViewRequest, saveViewRequest } from '../requests/view.requests.ts';
import { viewSchema } from '../wire-entities.ts';
import { callsOf, change, read } from './call.ts';

const viewData = z.object({ view: viewSchema });

export const viewCalls = callsOf('Виды таблицы', {
  'GET /views': read(['lists.read'], {
    summary: 'Сохранённые виды таблицы: свои и команды, по названию',
    data: z.object({ views: z.array(viewSchema) }),
  }),
  'POST /views': change(['profile.change', 'teamView.add'], {
    summary: 'Сохранить вид: для себя, с shared — для команды',
    body: saveViewRequest,
    data: viewData,
    problems: ['DUPLICATE'],
  }),
  'PUT /views/{id}': change(['profile.change', 'teamView.change'], {
    summary: 'Переименовать вид или сохранить в нём другой запрос',
    baseRevision: 'body',
    body: changeViewRequest,
    data: viewData,
    problems: ['DUPLICATE'],
  }),
  'DELETE /views/{id}': change(['profile.change', 'teamView.change'], { summary: 'Удалить вид' }),
});
