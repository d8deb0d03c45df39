import type { Call } from '@zakup/contracts/calls/call';
import { calls } from '@zakup/contracts/calls/calls';
import { type ProblemCode, problemStatus } from '@zakup/contracts/problems';
import type { openApiDocument } from '@zakup/gateway/http/reference/openapi-document';

type Document = Awaited<ReturnType<typeof openApiDocument>>;

/** The part of a JSON schema that tells which members there are. */
interface Shape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Shape }>> }>
  >;
}

const json = 'application/json';
const from = '<!-- From here on written by `npm run openapi` from the table of calls. -->';
const until = '<!-- Written up to here. -->';

const headings: Readonly<Record<string, string>> = {
  Вход: 'Signing in',
  'Активация лицензии': 'Activation',
  'Своя сессия': 'Own session',
  Размещения: 'Placements',
  Импорт: 'Import',
  Отмена: 'Undo',
  История: 'History and audit',
  Кампании: 'Campaigns',
  Каналы: 'Channels',
  Креативы: 'Creatives',
  Контрагенты: 'Contractors',
  Сотрудники: 'People',
  Отчёты: 'Reports',
  Поиск: 'Search',
  'Виды таблицы': 'Views of the table',
  Уведомления: 'Notifications',
  Ключи: 'Keys',
  Вебхуки: 'Webhooks',
  Лицензия: 'The licence',
  Администратор: 'The admin’s realm',
  Описание: 'Reference',
};

const membersOf = ({ properties = {}, required = [] }: Shape): string =>
  Object.entries(properties)
    .map(([name, { type }]) => `${name}${type === 'array' ? '[]' : ''}${required.includes(name) ? '' : '?'}`)
    .join(', ');

const sentOf = (call: Call, { parameters = [], requestBody }: Operation): string => {
  const query = parameters.filter((one) => one.in === 'query' && one.name !== 'after').map(({ name }) => `?${name}`);
  const body = requestBody === undefined ? [] : [membersOf(requestBody.content[json]?.schema ?? {})];
  return [...query, ...body].join(', ') || (call.envelope === 'file' ? '' : '–');
};

const dataOf = (call: Call, { responses }: Operation): string => {
  if (call.envelope === 'file') return 'a file';
  const data = responses['200']?.content?.[json]?.schema.properties?.['data'] ?? {};
  return [membersOf(data) || '–', ...call.top.map((name) => `${name} also at the top level`)].join('; ');
};

const rightOf = ({ realm, rights, oneTimePassword, keys }: Call): string => {
  if (realm !== 'person') return realm;
  const right = rights.length === 0 ? 'signed in' : rights.map((action) => `\`${action}\``).join(' or ');
  return [right, ...(oneTimePassword ? ['also with a one-time password'] : []), ...(keys ? [] : ['no key'])].join('; ');
};

/** Refusals that say something of this call. */
const telling = (code: ProblemCode): boolean => problemStatus[code] === 404 || problemStatus[code] === 409;

/** The page of calls: what is written by hand stays, what lies between the marks is made anew. Throws when a mark or a heading is missing. */
export const callsPage = (page: string, document: Document): string => {
  const [start, end] = [page.indexOf(from), page.indexOf(until)];
  if (start < 0 || end < start) throw new Error('The marks of what is written by the table are gone');
  const all = Object.values<Call>(calls);
  const sections = [...new Set(all.map(({ group }) => group))].map((group) => {
    const heading = headings[group];
    if (heading === undefined) throw new Error(`The heading of ${group} is missing`);
    const rows = all
      .filter((call) => call.group === group)
      .map((call) => {
        const operations = document.paths?.[call.path] as Readonly<Record<string, Operation>> | undefined;
        const operation = operations?.[call.method.toLowerCase()];
        if (operation === undefined) throw new Error(`${call.method} ${call.path} is not in the document`);
        const cells = [
          `${call.method} ${call.path}`,
          sentOf(call, operation),
          dataOf(call, operation),
          rightOf(call),
          call.problems
            .filter(telling)
            .map((code) => `\`${code}\``)
            .join(' ') || '–',
        ];
        return `| ${cells.join(' | ')} |`;
      });
    return [
      `## ${heading}`,
      '',
      '| call | query, body | data | right | 404, 409 |',
      '|---|---|---|---|---|',
      ...rows,
      '',
    ];
  });
  return [page.slice(0, start) + from, '', ...sections.flat(), page.slice(end)].join('\n');
};
