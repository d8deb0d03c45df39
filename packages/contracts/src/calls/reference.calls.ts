import { callsOf, file } from './call.ts';

export const referenceCalls = callsOf('Описание', {
  'GET /openapi.json': file({ summary: 'Это описание: OpenAPI 3.1' }),
  'GET /docs': file({ summary: 'Страница с описанием всех вызовов' }),
  'GET /docs/{file}': file({ summary: 'Файлы этой страницы' }),
});
