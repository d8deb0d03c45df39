import { yieldToEventLoop } from '@zakup/async/event-loop';
import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { type Call, replySchemaOf } from '@zakup/contracts/calls/call';
import { calls } from '@zakup/contracts/calls/calls';
import { problem } from '@zakup/contracts/calls/replies';
import { type ProblemCode, problemStatus } from '@zakup/contracts/problems';
import { z } from 'zod';

type Document = ReturnType<OpenApiGeneratorV31['generateDocument']>;
type Schemas = NonNullable<NonNullable<Document['components']>['schemas']>;

const head = {
  openapi: '3.1.0',
  info: {
    title: 'Zakup',
    version: '1',
    description:
      'Вызовы сервера: чтение и изменения. Успех всегда 200, отказ — application/problem+json с кодом и текстом для человека.',
  },
  servers: [{ url: '/api' }],
} as const;

const idempotencyKey = z.uuid().optional().meta({
  description: 'Номер команды: повтор с тем же номером ничего не добавляет и отвечает то же самое',
});
const source = z.enum(['screen', 'phone', 'paste']).optional().meta({ description: 'Откуда пришло изменение' });
const after = z
  .string()
  .regex(/^\d{1,16}$/)
  .optional()
  .meta({ description: 'Ждать, пока ответ дойдёт до этой позиции журнала, не дольше 5 секунд' });

const at = z
  .string()
  .optional()
  .meta({
    description:
      'Ответ, каким он был тогда: позиция журнала или время с часовым поясом (ISO 8601). Вместе с after не бывает; время без пояса, будущее и время до лицензии — 422',
    examples: ['1024', '2026-03-01T12:00:00+03:00'],
  });

/** `GET /placements/{id}` becomes `get_placements_id`. */
const operationIdOf = ({ method, path }: Call): string =>
  `${method.toLowerCase()}${path.replaceAll(/[^a-zA-Z0-9]+/gu, '_').replace(/_$/u, '')}`;

const rightText = ({ realm, rights, oneTimePassword }: Call): string => {
  if (realm === 'open') return 'Открыт всем.';
  if (realm === 'admin') return 'Только для администратора площадки.';
  const right = rights.length === 0 ? 'Для любого вошедшего.' : `Право: ${rights.join(' или ')}.`;
  return oneTimePassword ? `${right} Доступен и с временным паролем.` : right;
};

const refusalsOf = (codes: readonly ProblemCode[]): RouteConfig['responses'] => {
  const statuses = [...new Set(codes.map((code) => problemStatus[code]))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes.filter((code) => problemStatus[code] === status).join(', '),
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  );
};

const routeOf = (call: Call): RouteConfig => ({
  method: call.method.toLowerCase() as Lowercase<Call['method']>,
  path: call.path,
  operationId: operationIdOf(call),
  tags: [call.group],
  summary: call.summary,
  description: rightText(call),
  security: call.realm === 'open' ? [] : [{ [call.realm]: [] }],
  request: {
    params: call.params,
    query: call.query.extend({ ...(call.after && { after }), ...(call.at && { at }) }),
    ...(call.idempotencyKey && {
      headers: z.object({ 'Idempotency-Key': idempotencyKey, 'X-Zakup-Source': source }),
    }),
    ...(call.body !== null && { body: { required: true, content: { 'application/json': { schema: call.body } } } }),
  },
  responses: {
    200: {
      description: call.envelope === 'file' ? 'Файл' : 'Выполнено',
      ...(call.envelope !== 'file' && { content: { 'application/json': { schema: replySchemaOf(call) } } }),
    },
    ...refusalsOf(call.problems),
  },
});

/** The generator leaves the end of a regular expression's literal in its pattern. */
const bareOf = (pattern: string): string => pattern.replace(/\/[a-z]+$/u, '');

const mended = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map(mended) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'pattern' && typeof member === 'string' ? bareOf(member) : mended(member as unknown),
    ]),
  ) as Value;
};

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description }) as const;

const documentOf = (call: Call): Document => {
  const registry = new OpenAPIRegistry();
  registry.registerPath(routeOf(call));
  return mended(
    new OpenApiGeneratorV31(registry.definitions).generateDocument({ ...head, servers: [...head.servers] }),
  );
};

/** OpenAPI 3.1 of all calls; the same for the same table. Made call by call, so that others get their turn in between. */
export const openApiDocument = async (): Promise<Document> => {
  const all = Object.values<Call>(calls);
  const parts: Document[] = [];
  for (const call of all) {
    parts.push(documentOf(call));
    await yieldToEventLoop();
  }
  const paths: NonNullable<Document['paths']> = {};
  for (const part of parts)
    for (const [path, methods] of Object.entries(part.paths ?? {})) paths[path] = { ...paths[path], ...methods };
  return {
    ...head,
    servers: [...head.servers],
    tags: [...new Set(all.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        person: bearer('Токен сотрудника или владельца: POST /auth/…'),
        admin: bearer('Токен администратора: POST /admin/login'),
      },
      schemas: Object.assign({}, ...parts.map(({ components }) => components?.schemas)) as Schemas,
    },
  };
};
