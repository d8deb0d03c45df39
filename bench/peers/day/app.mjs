import { createServer } from 'node:http';
import express from 'express';
import { Server } from 'socket.io';
import { z } from 'zod';
import { groupCommits, singleCommits } from './commit.mjs';
import { people } from './people.mjs';
import { placements } from './placements.mjs';
import { Refusal } from './refusal.mjs';

const id = z.string().min(1).max(100);
const money = z
  .number()
  .min(0)
  .max(1e9)
  .transform((roubles) => Math.round(roubles * 100));
const day = z.iso.date();
const format = z.string().regex(/^\d{1,2}\/(?:\d{1,3}|∞)$/);
const fields = {
  contractor: z
    .string()
    .trim()
    .regex(/^@?\w{3,64}$/),
  buyerId: id,
  category: z.string().trim().min(1).max(100),
  date: day,
  format,
  price: money,
  creativeId: id.nullable(),
  paymentStatus: z.enum(['paid', 'unpaid']),
  comment: z.string().max(2000),
};
const today = () => new Date().toISOString().slice(0, 10);
const adding = z.object({
  ...fields,
  campaignId: id,
  date: day.default(today),
  format: format.default('1/24'),
  price: money.default(0),
  creativeId: fields.creativeId.default(null),
  paymentStatus: fields.paymentStatus.default('unpaid'),
  comment: fields.comment.default(''),
});
const baseRevision = z.number().int().min(0).optional();
const changing = z.object({
  ...z.object(fields).partial().shape,
  baseRevision,
  leads: z.number().int().min(0).max(1e6).optional(),
  status: z.enum(['PENDING', 'PUBLISHED', 'DONE', 'CANCELLED', 'REMOVED_EARLY']).optional(),
});
const removing = z.object({ baseRevision }).default({});
const number = z.coerce.number();
const listing = z.strictObject({
  sortBy: z.enum(['date', 'price', 'leads', 'contractor', 'category', 'buyer', 'cpl']).optional(),
  sortOrder: z.enum(['asc', 'desc']).optional(),
  page: number.int().min(1).optional(),
  pageSize: number.int().min(1).max(500).optional(),
  buyerId: id.optional(),
  contractorId: id.optional(),
  creativeId: id.optional(),
  category: z.string().optional(),
  format: format.optional(),
  paymentStatus: fields.paymentStatus.optional(),
  status: z.string().optional(),
  dateFrom: day.optional(),
  dateTo: day.optional(),
  priceFrom: number.optional(),
  priceTo: number.optional(),
  leadsFrom: number.optional(),
  leadsTo: number.optional(),
  search: z.string().max(100).optional(),
});
const signingIn = z.object({ email: z.string(), password: z.string().max(200) });

const parsed = (schema, value) => {
  const result = schema.safeParse(value);
  if (!result.success) throw new Refusal(422, 'VALIDATION', result.error.issues[0]?.message ?? 'Invalid');
  return result.data;
};
const bearer = (header = '') => header.replace(/^Bearer /, '');
const roomOf = (campaignId) => `campaign:${campaignId}`;

/**
 * The application: HTTP calls on one database, and a room for each campaign whose members are told every change once it is durable. `commits`:
 * `single` or `group`.
 */
export const application = (db, { secret, commits }) => {
  const who = people(db, secret);
  const rows = placements(db);
  const write = (commits === 'group' ? groupCommits : singleCommits)(db);
  const app = express();
  const server = createServer({ keepAliveTimeout: 60_000 }, app);
  const io = new Server(server, { perMessageDeflate: false, serveClient: false, transports: ['websocket'] });

  io.use((socket, next) => {
    try {
      who.personOf(String(socket.handshake.auth.token));
      next();
    } catch (error) {
      next(error);
    }
  });
  io.on('connection', (socket) => {
    socket.on('join', (campaignId, answer) => {
      const isKnown = typeof campaignId === 'string' && rows.campaignExists(campaignId);
      if (isKnown) void socket.join(roomOf(campaignId));
      if (typeof answer === 'function') answer({ ok: isKnown });
    });
    socket.on('leave', (campaignId) => void socket.leave(roomOf(campaignId)));
  });

  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/healthz', (request, response) => {
    response.json({ ok: true });
  });
  app.use(express.json({ limit: '1mb' }));
  app.post('/api/auth/login', async (request, response) => {
    response.json({ success: true, data: await who.signIn(parsed(signingIn, request.body)) });
  });
  app.use('/api', (request, response, next) => {
    response.locals.person = who.personOf(bearer(request.headers.authorization));
    next();
  });

  /** Writes once for the request's key, tells the campaign's room, and answers. */
  const writing = async (request, response, wanted, work) => {
    const { person } = response.locals;
    const key = request.headers['idempotency-key'];
    const { answer, isNew } = await write(() =>
      rows.once(person, key, [request.method, request.path, wanted], () => work(person)),
    );
    response.json({ success: true, data: { placement: answer } });
    if (!isNew) return;
    const [name, told] = request.method === 'DELETE' ? ['removed', { id: answer.id }] : ['placement', answer];
    io.to(roomOf(answer.campaignId)).emit(name, told);
  };
  app.post('/api/placements', async (request, response) => {
    const body = parsed(adding, request.body);
    await writing(request, response, body, (person) => rows.add(person, body));
  });
  app.patch('/api/placements/:id', async (request, response) => {
    const body = parsed(changing, request.body);
    await writing(request, response, body, (person) => rows.change(person, request.params.id, body));
  });
  app.delete('/api/placements/:id', async (request, response) => {
    const body = parsed(removing, request.body);
    await writing(request, response, body, (person) => rows.remove(person, request.params.id, body.baseRevision));
  });

  const known = (request, response, next) => {
    if (!rows.campaignExists(request.params.id)) throw new Refusal(404, 'NOT_FOUND', 'No such campaign');
    next();
  };
  app.get('/api/campaigns/:id/placements', known, (request, response) => {
    response.json({ success: true, data: rows.page(request.params.id, parsed(listing, request.query)) });
  });
  app.get('/api/campaigns/:id/table', known, (request, response) => {
    response.json({ success: true, data: rows.table(request.params.id) });
  });
  app.get('/api/placements/:id/history', (request, response) => {
    response.json({ success: true, data: { entries: rows.history(request.params.id) } });
  });

  // Express knows a handler of errors by its four parameters.
  app.use((error, request, response, _next) => {
    const status = error instanceof Refusal ? error.status : (error.status ?? 500);
    if (status >= 500) console.error(error);
    const message = status >= 500 ? 'Something went wrong' : error.message;
    response.status(status).json({ success: false, code: error.code ?? 'ERROR', error: message });
  });
  return { server, io };
};
