import { createHash, randomUUID } from 'node:crypto';
import { Refusal } from './refusal.mjs';
import { demand } from './people.mjs';

/** A row as the table shows it; money in roubles. */
const shown = `p.id, p.campaign_id AS campaignId, p.buyer_id AS buyerId, b.name AS buyer, p.contractor_id AS contractorId,
  '@' || c.nick AS contractor, p.creative_id AS creativeId, k.name AS creative, p.category, p.format,
  p.price / 100.0 AS price, p.leads, p.date, p.payment_status AS paymentStatus, p.status, p.comment, p.revision,
  p.created_at AS createdAt, p.updated_at AS updatedAt`;
const joined = `placements p JOIN users b ON b.id = p.buyer_id JOIN contractors c ON c.id = p.contractor_id
  LEFT JOIN creatives k ON k.id = p.creative_id`;

/** Columns of the members that a change may carry. */
const columns = {
  buyerId: 'buyer_id',
  contractorId: 'contractor_id',
  creativeId: 'creative_id',
  category: 'category',
  format: 'format',
  price: 'price',
  leads: 'leads',
  date: 'date',
  paymentStatus: 'payment_status',
  status: 'status',
  comment: 'comment',
};

const sorts = {
  date: 'p.date',
  price: 'p.price',
  leads: 'p.leads',
  contractor: 'c.nick',
  category: 'p.category',
  buyer: 'b.name',
  cpl: 'CASE WHEN p.leads = 0 THEN NULL ELSE 1.0 * p.price / p.leads END',
};

const filters = {
  buyerId: ['p.buyer_id = ?'],
  contractorId: ['p.contractor_id = ?'],
  creativeId: ['p.creative_id = ?'],
  category: ['p.category = ?'],
  format: ['p.format = ?'],
  paymentStatus: ['p.payment_status = ?'],
  status: ['p.status = ?'],
  dateFrom: ['p.date >= ?'],
  dateTo: ['p.date <= ?'],
  priceFrom: ['p.price >= ?', (roubles) => Math.round(roubles * 100)],
  priceTo: ['p.price <= ?', (roubles) => Math.round(roubles * 100)],
  leadsFrom: ['p.leads >= ?'],
  leadsTo: ['p.leads <= ?'],
  search: ['c.nick LIKE ?', (text) => `%${text.replace(/^@/, '')}%`],
};

/** Placements of one database; every writing member is to be called in a transaction. */
export const placements = (db) => {
  const statements = new Map();
  const prepared = (sql) => {
    const found = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, found);
    return found;
  };
  const one = prepared(`SELECT ${shown} FROM ${joined} WHERE p.id = ? AND p.deleted = 0`);
  const stored = prepared('SELECT * FROM placements WHERE id = ? AND deleted = 0');
  const campaignStatus = prepared('SELECT status FROM campaigns WHERE id = ?');
  const contractorByNick = prepared('SELECT id FROM contractors WHERE nick = ?');
  const addContractor = prepared('INSERT INTO contractors VALUES (?, ?)');
  const creativeById = prepared('SELECT 1 FROM creatives WHERE id = ?');
  const buyerById = prepared(
    "SELECT 1 FROM users WHERE id = ? AND active = 1 AND role IN ('MEDIA_BUYER', 'TEAM_LEAD')",
  );
  const insert =
    prepared(`INSERT INTO placements (id, campaign_id, buyer_id, contractor_id, creative_id, category, format, price,
    leads, date, payment_status, status, comment, revision, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, 'PENDING', ?, 0, ?, ?)`);
  const addHistory = prepared(
    'INSERT INTO history (placement_id, revision, user_id, at, changes) VALUES (?, ?, ?, ?, ?)',
  );
  const markDeleted = prepared(
    'UPDATE placements SET deleted = 1, revision = revision + 1, updated_at = ? WHERE id = ?',
  );
  const answerOf = prepared('SELECT request, answer FROM answers WHERE user_id = ? AND key = ?');
  const keepAnswer = prepared('INSERT INTO answers VALUES (?, ?, ?, ?, ?)');

  const demandOpen = (campaignId) => {
    const campaign = campaignStatus.get(campaignId);
    if (campaign === undefined) throw new Refusal(404, 'NOT_FOUND', 'No such campaign');
    if (campaign.status !== 'ACTIVE') throw new Refusal(409, 'CAMPAIGN_COMPLETED', 'The campaign is completed');
  };
  const demandBuyer = (id) => {
    if (buyerById.get(id) === undefined) throw new Refusal(422, 'VALIDATION', 'Choose a buyer');
  };
  const demandCreative = (id) => {
    if (id !== null && creativeById.get(id) === undefined) throw new Refusal(404, 'NOT_FOUND', 'No such creative');
  };
  const contractorOf = (text) => {
    const nick = text.replace(/^@/, '').toLowerCase();
    const found = contractorByNick.get(nick);
    if (found !== undefined) return found.id;
    const id = randomUUID();
    addContractor.run(id, nick);
    return id;
  };
  const living = (id) => {
    const row = stored.get(id);
    if (row === undefined) throw new Refusal(404, 'NOT_FOUND', 'No such placement');
    demandOpen(row.campaign_id);
    return row;
  };
  const demandRevision = (row, baseRevision) => {
    if (baseRevision !== undefined && baseRevision !== row.revision)
      throw new Refusal(409, 'CONFLICT', 'Somebody else changed this placement');
  };
  const remember = (id, revision, person, changes, at) =>
    addHistory.run(id, revision, person.id, at, JSON.stringify(changes));

  const filtered = (campaignId, query) => {
    const wanted = Object.entries(filters).filter(([name]) => query[name] !== undefined);
    const where = ['p.campaign_id = ?', 'p.deleted = 0', ...wanted.map(([, [sql]]) => sql)].join(' AND ');
    return { where, values: [campaignId, ...wanted.map(([name, [, as = (value) => value]]) => as(query[name]))] };
  };
  const totalsOf = ({ where, values }) => {
    // The counting needs no names unless it searches them.
    const from = where.includes('c.nick') ? joined : 'placements p';
    const sql = `SELECT COUNT(*) AS placements, COALESCE(SUM(p.price), 0) / 100.0 AS spent, COALESCE(SUM(p.leads), 0) AS leads FROM ${from} WHERE ${where}`;
    return prepared(sql).get(...values);
  };

  return {
    /** Does the work once for a person's key and answers the same again; another request under that key is refused. */
    once(person, key, request, work) {
      if (key === undefined) return { answer: work(), isNew: true };
      const hash = createHash('sha256').update(JSON.stringify(request)).digest('base64');
      const kept = answerOf.get(person.id, key);
      if (kept !== undefined) {
        if (kept.request !== hash) throw new Refusal(409, 'DUPLICATE', 'This key was used for another request');
        return { answer: JSON.parse(kept.answer), isNew: false };
      }
      const answer = work();
      keepAnswer.run(person.id, key, hash, JSON.stringify(answer), Date.now());
      return { answer, isNew: true };
    },
    add(person, body) {
      demand(person, 'add');
      demandOpen(body.campaignId);
      demandBuyer(body.buyerId);
      demandCreative(body.creativeId);
      const [id, at] = [randomUUID(), Date.now()];
      const { campaignId, buyerId, creativeId, category, format, price, date, paymentStatus, comment } = body;
      const contractorId = contractorOf(body.contractor);
      insert.run(
        id,
        campaignId,
        buyerId,
        contractorId,
        creativeId,
        category,
        format,
        price,
        date,
        paymentStatus,
        comment,
        at,
        at,
      );
      const first = { buyerId, contractorId, creativeId, category, format, price, date, paymentStatus, comment };
      remember(
        id,
        0,
        person,
        Object.entries(first).map(([field, to]) => ({ field, from: null, to })),
        at,
      );
      return one.get(id);
    },
    change(person, id, { baseRevision, contractor, ...members }) {
      demand(person, 'change');
      const row = living(id);
      demandRevision(row, baseRevision);
      if (members.buyerId !== undefined) demandBuyer(members.buyerId);
      if (members.creativeId !== undefined) demandCreative(members.creativeId);
      const wanted = contractor === undefined ? members : { ...members, contractorId: contractorOf(contractor) };
      const changed = Object.entries(wanted).filter(
        ([name, value]) => value !== undefined && row[columns[name]] !== value,
      );
      if (changed.length === 0) return one.get(id);
      const at = Date.now();
      const sets = changed.map(([name]) => `${columns[name]} = ?`).join(', ');
      prepared(`UPDATE placements SET ${sets}, revision = revision + 1, updated_at = ? WHERE id = ?`).run(
        ...changed.map(([, value]) => value),
        at,
        id,
      );
      const changes = changed.map(([field, to]) => ({ field, from: row[columns[field]], to }));
      remember(id, row.revision + 1, person, changes, at);
      return one.get(id);
    },
    remove(person, id, baseRevision) {
      demand(person, 'remove');
      const row = living(id);
      demandRevision(row, baseRevision);
      const at = Date.now();
      markDeleted.run(at, id);
      remember(id, row.revision + 1, person, [{ field: 'deleted', from: false, to: true }], at);
      return { id, campaignId: row.campaign_id };
    },
    campaignExists: (id) => campaignStatus.get(id) !== undefined,
    /** One page, and how many rows there are, with their sums. */
    page(campaignId, { sortBy = 'date', sortOrder = 'asc', page = 1, pageSize = 50, ...query }) {
      const found = filtered(campaignId, query);
      const order = `${sorts[sortBy]} ${sortOrder === 'desc' ? 'DESC' : 'ASC'}, p.id`;
      const rows = prepared(`SELECT ${shown} FROM ${joined} WHERE ${found.where} ORDER BY ${order} LIMIT ? OFFSET ?`);
      const totals = totalsOf(found);
      return {
        placements: rows.all(...found.values, pageSize, (page - 1) * pageSize),
        total: totals.placements,
        totals,
      };
    },
    /** All rows of a campaign with their sums: what a table is first drawn from. */
    table(campaignId) {
      const found = filtered(campaignId, {});
      const rows = prepared(`SELECT ${shown} FROM ${joined} WHERE ${found.where}`).all(...found.values);
      return { placements: rows, totals: totalsOf(found) };
    },
    history(id) {
      const rows = prepared(
        'SELECT h.position, h.revision, h.at, u.id AS userId, u.name, h.changes FROM history h JOIN users u ON u.id = h.user_id WHERE placement_id = ? ORDER BY position',
      ).all(id);
      return rows.map(({ changes, ...row }) => ({ ...row, changes: JSON.parse(changes) }));
    },
  };
};
