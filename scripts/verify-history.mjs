/**
 * Checks a bundle of a signed history:
 *
 *   node verify-history.mjs <bundle> <fingerprint> [<fingerprint> …] [--seal <number>:<hash> …] [--at-least-seal <number>] [--recompute] [--json]
 *
 * One file without dependencies and without the network, Node 20 or newer: give it to whoever shall check. What it checks is told in
 * docs/reference/signed-history.md, by which anybody can write another one. With `--recompute` it also works out the sums of each campaign and
 * what people earn, from the events of the bundle alone.
 *
 * Ends with 0 when everything is sealed and as it was sealed, 1 when something is not as it was sealed, 2 when it was called wrongly, 3 when
 * events behind the last seal are attested by nothing, 4 when the last seal has a smaller number than `--at-least-seal` asks for, 5 when the
 * figures cannot be recomputed. The first of 2, 1, 4, 5, 3 that holds counts.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const bundleFormat = 'zakup-history-1';
const sealFormats = ['zakup-seal-1', 'zakup-seal-2'];
const noSeal = '0'.repeat(64);
const longestLine = 16 * 1024 * 1024;
/** Levels of lists and objects in a line; ours have far fewer. */
const deepest = 100;

/** What is wrong, and where. `event`: number in the licence's history of the first event that is not attested; `id` where it is known. */
class Wrong extends Error {
  constructor(text, { event = null, id = null, seal = null } = {}) {
    super(text);
    this.place = { event, id, seal };
  }
}

const canonicalText = (value) => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const names = Object.keys(value).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join(',')}}`;
};

const digest = (tag, ...parts) => {
  const sha = createHash('sha256').update(Uint8Array.of(tag));
  for (const part of parts) sha.update(part);
  return sha.digest('hex');
};
const partHash = (salt, name, value) => digest(0, salt, canonicalText([name, value]));
const eventHash = (hashes) => digest(1, canonicalText(hashes));
const chained = (chain, event) => digest(2, Buffer.from(chain, 'hex'), Buffer.from(event, 'hex'));
const chainStart = (licenceId) => digest(3, canonicalText(licenceId));
const sealHash = (seal) => digest(4, canonicalText(seal));

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isHash = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/u.test(value);
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isText = (value) => typeof value === 'string' && value !== '';
const isInstant = (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u.test(value);
/** `length` bytes in base64url, written in the one way that counts. */
const isBytes = (value, length) => {
  if (typeof value !== 'string') return false;
  const bytes = Buffer.from(value, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === value;
};
/** Whether the object has these members, each as it should be, and no others. */
const has = (value, members) =>
  isObject(value) &&
  Object.keys(value).length === Object.keys(members).length &&
  Object.entries(members).every(([name, fits]) => Object.hasOwn(value, name) && fits(value[name]));

const spki = Buffer.from('302a300506032b6570032100', 'hex');
const fingerprintOf = (publicKey) => createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex');
const isSigned = (seal, publicKey) => {
  const { signature, ...signed } = seal;
  const key = Buffer.concat([spki, Buffer.from(publicKey, 'base64url')]);
  try {
    const publicObject = createPublicKey({ key, format: 'der', type: 'spki' });
    return verify(null, Buffer.from(canonicalText(signed)), publicObject, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Stands for a line that nobody parses. */
const tooDeep = Symbol('too deep');
const [quote, backslash, openList, closeList, openObject, closeObject] = Buffer.from('"\\[]{}');

/** Whether a line has more levels than any of ours: what a parser spends on a level grows with those around it. */
const isTooDeep = (bytes) => {
  let [depth, isInText] = [0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isInText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = true;
    else if (byte === openList || byte === openObject) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (byte === closeList || byte === closeObject) depth -= 1;
  }
  return false;
};

/** Lines of a source of bytes, each as its value, or null when it is not the one text of a JSON value, or is not ended; `tooDeep`. */
async function* linesOf(source) {
  let pieces = [];
  let length = 0;
  const parsed = (bytes) => {
    if (isTooDeep(bytes)) return tooDeep;
    try {
      const text = utf8.decode(bytes);
      const value = JSON.parse(text);
      return canonicalText(value) === text ? value : null;
    } catch {
      return null;
    }
  };
  for await (const chunk of source) {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield parsed(Buffer.concat([...pieces, rest.subarray(0, end)]));
      pieces = [];
      length = 0;
      rest = rest.subarray(end + 1);
    }
    pieces.push(rest);
    length += rest.length;
    if (length > longestLine) break;
  }
  if (length > 0) yield null;
}

const sealMembers = {
  format: (value) => sealFormats.includes(value),
  licenceId: isText,
  number: isCount,
  total: isCount,
  count: (value) => isCount(value) && value >= 1,
  firstEventId: isText,
  lastEventId: isText,
  chain: isHash,
  previous: isHash,
  sealedAt: isInstant,
  key: isHash,
  signature: (value) => isBytes(value, 64),
};

/** What somebody noted of an earlier bundle: the seal of that number had this hash. */
const checkKnown = (seals, known) => {
  for (const { number, hash } of known) {
    const seal = seals[number - 1];
    if (seal === undefined) throw new Wrong(`нет печати № ${number}, которая названа в --seal`, { seal: number });
    if (sealHash(seal) === hash) continue;
    const event = seal.total - seal.count + 1;
    throw new Wrong(`печать № ${number} не та, что названа в --seal: историю запечатали заново`, {
      event,
      seal: number,
    });
  }
};

/** What the log said of its events in a seal of the second version: one after the other, none of them later than the seal. */
const faultOfRecorded = (recorded, before, seal) => {
  if (seal.format === 'zakup-seal-1') return null;
  if (!has(recorded, { at: isInstant, position: isCount })) return 'нет места и времени записи';
  // A log that moved onto a server behind a gap goes on at smaller positions: the chain says the order, this only that none comes twice.
  if (before !== null && (recorded.at < before.at || recorded.position === before.position))
    return 'записано раньше предыдущего';
  return recorded.at > seal.sealedAt ? 'записано позже своей печати' : null;
};

const checkSeal = (seal, { licenceId, number, last, keys, trusted }) => {
  const first = (last?.total ?? 0) + 1;
  const wrong = (text, id = null) => new Wrong(`печать № ${number}: ${text}`, { event: first, id, seal: number });
  if (!has(seal, sealMembers)) throw wrong('повреждена');
  if (seal.number !== number) throw wrong(`нет её на месте, здесь печать № ${seal.number}`);
  if (seal.licenceId !== licenceId) throw wrong('от другой лицензии', seal.firstEventId);
  if (trusted !== null && !trusted.has(seal.key))
    throw wrong(`подписана ключом ${seal.key}, а он не назван`, seal.firstEventId);
  const publicKey = keys.get(seal.key);
  if (publicKey === undefined) throw wrong(`в выгрузке нет её открытого ключа ${seal.key}`, seal.firstEventId);
  if (!isSigned(seal, publicKey)) throw wrong('подпись не сходится: печать изменена', seal.firstEventId);
  const follows = seal.previous === (last === null ? noSeal : sealHash(last)) && seal.total === first - 1 + seal.count;
  const isOlder = last !== null && seal.format < last.format;
  const isEarlier = last !== null && seal.format !== 'zakup-seal-1' && seal.sealedAt < last.sealedAt;
  if (isEarlier) throw wrong('сделана раньше предыдущей', seal.firstEventId);
  if (!follows || isOlder) throw wrong('не продолжает предыдущую', seal.firstEventId);
};

const idIn = (line) => {
  const id = line?.parts?.envelope?.value?.id;
  return typeof id === 'string' ? id : null;
};
const named = (number, id) => `событие № ${number}${id === null ? '' : ` (${id})`}`;

/** Hashes of the parts of an event's line, and how many of them are shown as hashes only; null when it is not such a line. */
const hashesOf = (line) => {
  if (!isObject(line.parts)) return null;
  // Without a prototype: a part may be called like one of its members.
  const hashes = Object.create(null);
  let hidden = 0;
  for (const [name, part] of Object.entries(line.parts)) {
    if (has(part, { hash: isHash })) {
      if (name === 'envelope') return null;
      hashes[name] = part.hash;
      hidden += 1;
    } else if (has(part, { salt: isHash, value: () => true }))
      hashes[name] = partHash(Buffer.from(part.salt, 'hex'), name, part.value);
    else return null;
  }
  return Object.hasOwn(hashes, 'envelope') && idIn(line) !== null ? { hashes, hidden } : null;
};

/**
 * Checks a bundle. `source`: its bytes, in pieces. `fingerprints`: of the keys that may have signed, in lower-case hex; null = whichever the
 * bundle carries, which proves nothing about whose they are. `known`: number and hash of seals that were noted before. `onEvent`: told the
 * parts of each event whose hash fits its line, in order; until the whole is found in order they are not attested. Resolves with what was found in order, or with `problem` and its place: why, the first event that is not attested as it stands, and the line of the file.
 */
export async function checkHistory(source, fingerprints, known = [], onEvent = () => {}) {
  const trusted = fingerprints === null ? null : new Set(fingerprints);
  const report = { licenceId: null, events: 0, hidden: 0, seals: 0, sealed: 0, sealedAt: null, last: null, keys: [] };
  const lines = linesOf(source);
  let line = 0;
  const next = async () => {
    line += 1;
    const { value, done } = await lines.next();
    if (value === tooDeep)
      throw new Wrong(`строка ${line}: вложена глубже ${deepest} уровней, таких в выгрузке нет`, {
        event: report.events + 1,
      });
    return done === true ? undefined : value;
  };
  try {
    await check(next, trusted, known, report, onEvent);
    return { ok: true, ...report };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { ok: false, problem: error.message, place: { ...error.place, line }, ...report };
  } finally {
    await lines.return();
  }
}

const checkHead = async (next, trusted, report) => {
  const head = await next();
  const fits = { kind: (kind) => kind === 'history', format: isText, licenceId: isText, seals: isCount };
  if (!has(head, fits)) throw new Wrong('первая строка повреждена: это не выгрузка истории');
  if (head.format !== bundleFormat) throw new Wrong(`формат ${head.format} этой проверке не знаком`);
  report.licenceId = head.licenceId;

  const keys = new Map();
  let line = await next();
  let place = 2;
  for (; line?.kind === 'key'; line = await next(), place += 1) {
    const { publicKey, fingerprint } = line;
    const isKey = has(line, { kind: isText, fingerprint: isHash, publicKey: (value) => isBytes(value, 32) });
    if (!isKey || fingerprintOf(publicKey) !== fingerprint || keys.has(fingerprint))
      throw new Wrong(`строка ${place}: ключ повреждён`);
    keys.set(fingerprint, publicKey);
  }
  report.keys = [...keys.keys()];

  const seals = [];
  for (; seals.length < head.seals; line = await next()) {
    const last = seals.at(-1) ?? null;
    const number = seals.length + 1;
    const event = (last?.total ?? 0) + 1;
    if (!has(line, { kind: (kind) => kind === 'seal', seal: isObject }))
      throw new Wrong(`печать № ${number} или ключ перед ней повреждены или пропали`, { event, seal: number });
    checkSeal(line.seal, { licenceId: head.licenceId, number, last, keys, trusted });
    seals.push(line.seal);
  }
  return { seals, line };
};

const check = async (next, trusted, known, report, onEvent) => {
  const head = await checkHead(next, trusted, report);
  const { seals } = head;
  report.seals = seals.length;
  checkKnown(seals, known);
  const toSeal = [...seals];
  const sealedTo = seals.at(-1)?.total ?? 0;
  let chain = chainStart(report.licenceId);
  let firstId = null;
  let recorded = null;
  let untimely = null;
  let { line } = head;
  for (; line !== undefined && line?.kind !== 'end'; line = await next()) {
    const event = report.events + 1;
    const id = idIn(line);
    const wrong = (text) => new Wrong(`${named(event, id)}: ${text}`, { event, id });
    if (line === null) throw wrong('строка повреждена или выгрузка обрезана');
    if (line.kind === 'seal') throw wrong('на его месте лишняя печать');
    const fits = { kind: (kind) => kind === 'event', number: isCount, parts: isObject, chain: isHash };
    if (!has(line, fits)) throw wrong('строка повреждена');
    if (line.number !== event)
      throw new Wrong(`события № ${event} нет на месте, здесь событие № ${line.number}`, { event });
    const hashed = hashesOf(line);
    if (hashed === null) throw wrong('строка повреждена');
    if (line.parts.envelope.value.licenceId !== report.licenceId) throw wrong('от другой лицензии');
    chain = chained(chain, eventHash(hashed.hashes));
    if (chain !== line.chain) throw wrong('изменено');
    const [seal] = toSeal;
    if (seal !== undefined) {
      const fault = faultOfRecorded(line.parts.recorded?.value, recorded, seal);
      if (fault !== null) untimely ??= wrong(fault);
      recorded = line.parts.recorded?.value ?? null;
      if (event === seal.total - seal.count + 1) firstId = id;
      if (event === seal.total) {
        const from = seal.total - seal.count + 1;
        if (chain !== seal.chain || id !== seal.lastEventId || firstId !== seal.firstEventId)
          throw new Wrong(
            `события № ${from}–${event} не те, что удостоверяет печать № ${seal.number}; первое из них ${seal.firstEventId}`,
            { event: from, id: seal.firstEventId, seal: seal.number },
          );
        // Only what is as it was sealed says when it was.
        if (untimely !== null) throw untimely;
        toSeal.shift();
        report.sealed = event;
        report.sealedAt = seal.sealedAt;
        report.last = `${seal.number}:${sealHash(seal)}`;
      }
    }
    report.events = event;
    report.hidden += hashed.hidden;
    onEvent(line.parts);
  }
  const event = report.events + 1;
  if (report.events < sealedTo)
    throw new Wrong(
      `нет события № ${event}: история обрезана, а печать № ${seals.at(-1).number} удостоверяет ${sealedTo}`,
      {
        event,
      },
    );
  if (line === undefined) throw new Wrong(`нет события № ${event} или конца выгрузки: она обрезана`, { event });
  if (
    !has(line, { kind: isText, events: isCount, chain: isHash }) ||
    line.chain !== chain ||
    line.events !== report.events
  )
    throw new Wrong(`нет события № ${event}: конец выгрузки говорит о другом числе событий или повреждён`, { event });
  if ((await next()) !== undefined) throw new Wrong('после конца выгрузки есть лишнее', { event });
  if (seals.length === 0) throw new Wrong('печатей нет: ничего не удостоверено', { event: 1 });
};

/**
 * Figures anew. Money is whole kopecks, exact; it is rounded once, half up. Nothing here is shared with the server's folds and formulas: whoever
 * checks needs this file only, and a fault of theirs is not repeated here.
 */

/** Why there are no figures. */
class NoFigures extends Error {}

const hidden = Symbol('hidden');

/** Types of the streams that figures are made of; what they do is told below, the others change no figure. */
const figureTypes = {
  placement: [
    'PlacementAdded PlacementDateChanged PlacementContractorChanged PlacementPriceChanged PlacementLeadsRecorded',
    'PlacementCreativeChanged PlacementCategoryChanged PlacementFormatChanged PlacementBuyerChanged PlacementStatusChanged',
    'PlacementCommentChanged PlacementPostUrlChanged PlacementMarkedPaid PlacementMarkedUnpaid PlacementRemoved PlacementRestored',
  ],
  campaign: [
    'CampaignCreated CampaignRenamed CampaignMovedToChannel CampaignBudgetChanged CampaignDatesChanged CampaignParticipantSet',
    'CampaignParticipantRemoved CampaignActivated CampaignCompleted CampaignReopened CampaignDeleted CampaignRestored',
  ],
  employee: [
    'EmployeeCreated EmployeeRenamed EmployeeEmailChanged EmployeeRoleChanged EmployeePermissionsChanged EmployeeTermsChanged',
    'EmployeeCodeReissued EmployeeDeactivated EmployeeReactivated EmployeeTemporaryPasswordIssued EmployeePasswordChanged',
  ],
  licence: [
    'LicenceIssued LicenceActivated LicenceRenewed LicenceSuspended LicenceResumed LicenceGraceStarted LicenceExpired',
    'LicenceExpiryNoticed LicenceClosingRequested LicenceClosingTakenBack LicenceClosingNoticed LicenceClosed',
    'LicenceRenewalRequested LicenceSettingsChanged',
  ],
};
const knownTypes = Object.fromEntries(
  Object.entries(figureTypes).map(([category, lists]) => [category, new Set(lists.join(' ').split(' '))]),
);

/** `numerator / divisor`, both big integers, to the nearest whole number, a half upwards. */
const halfUp = (numerator, divisor) => {
  const doubled = 2n * numerator + divisor;
  const quotient = doubled / (2n * divisor);
  return doubled % (2n * divisor) < 0n ? quotient - 1n : quotient;
};
const costPerLead = ({ price, leads }) => (leads === 0 ? 0n : halfUp(BigInt(price), BigInt(leads)));

/** So many percent of whole kopecks. The percent is what its shortest decimal text reads. */
const percentOf = (sum, percent) => {
  const [mantissa, exponent = '0'] = String(percent).split('e');
  const [whole, fraction = ''] = mantissa.split('.');
  const decimals = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction) * (decimals < 0 ? 10n ** BigInt(-decimals) : 1n);
  return halfUp(BigInt(sum) * units, 100n * (decimals > 0 ? 10n ** BigInt(decimals) : 1n));
};

const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const roubles = (kopecks) => Number(kopecks) / 100;
const sumBy = (rows, of) => rows.reduce((sum, row) => sum + of(row), 0);

/** Values of the members of an event's data that are there: by name, `hidden` where only the hash is shown. */
const dataOf = (parts) =>
  Object.fromEntries(
    Object.entries(parts)
      .filter(([name]) => name.startsWith('data.'))
      .map(([name, part]) => [name.slice('data.'.length), Object.hasOwn(part, 'value') ? part.value : hidden]),
  );

/** Takes the parts of the events of a licence in order, and tells the figures after the last of them. */
export const recomputation = () => {
  const placements = new Map();
  const campaigns = new Map();
  const people = new Map();
  let countZeroLeads = true;
  let fault = null;

  const needed = (data, names) => {
    for (const name of names)
      if (data[name] === hidden || data[name] === undefined) throw new NoFigures(`значение ${name} скрыто или его нет`);
    return data;
  };

  /** Whose entry it sets is known where it is shown; where it is not, anybody's may be another one now. */
  const setParticipants = (campaign, entries) => {
    if (entries === hidden) {
      campaign.known.clear();
      campaign.someHidden = true;
      return;
    }
    for (const entry of entries) campaign.known.set(entry.userId, entry);
  };

  const onPlacement = (id, type, data) => {
    if (type === 'PlacementAdded') {
      const { campaignId, buyerId, price, paymentStatus } = needed(data, [
        'campaignId',
        'buyerId',
        'price',
        'paymentStatus',
      ]);
      placements.set(id, { campaignId, buyerId, price, leads: 0, paid: paymentStatus === 'paid', removed: false });
      return;
    }
    const row = placements.get(id);
    if (row === undefined) throw new NoFigures(`размещение ${id} меняется раньше, чем добавлено`);
    if (type === 'PlacementPriceChanged') row.price = needed(data, ['price']).price;
    if (type === 'PlacementLeadsRecorded') row.leads = needed(data, ['leads']).leads;
    if (type === 'PlacementBuyerChanged') row.buyerId = needed(data, ['buyerId']).buyerId;
    if (type === 'PlacementMarkedPaid') row.paid = true;
    if (type === 'PlacementMarkedUnpaid') row.paid = false;
    if (type === 'PlacementRemoved') row.removed = true;
    if (type === 'PlacementRestored') row.removed = false;
  };

  const onCampaign = (id, type, data) => {
    if (type === 'CampaignCreated') {
      const { name, totalBudget } = needed(data, ['name', 'totalBudget']);
      const campaign = { name, totalBudget, deleted: false, known: new Map(), someHidden: false };
      setParticipants(campaign, data.participants ?? []);
      campaigns.set(id, campaign);
      return;
    }
    const campaign = campaigns.get(id);
    if (campaign === undefined) throw new NoFigures(`кампания ${id} меняется раньше, чем создана`);
    if (type === 'CampaignRenamed') campaign.name = needed(data, ['name']).name;
    if (type === 'CampaignBudgetChanged') campaign.totalBudget = needed(data, ['totalBudget']).totalBudget;
    if (type === 'CampaignParticipantSet')
      setParticipants(campaign, data.participant === hidden ? hidden : [data.participant]);
    if (type === 'CampaignParticipantRemoved') campaign.known.set(needed(data, ['userId']).userId, null);
    if (type === 'CampaignDeleted') campaign.deleted = true;
    if (type === 'CampaignRestored') campaign.deleted = false;
  };

  const onEmployee = (id, type, data) => {
    const before = people.get(id) ?? { name: null, salaryType: null, salaryRate: null, performanceThreshold: null };
    const members = Object.entries(data).filter(([name]) => name in before);
    people.set(id, { ...before, ...Object.fromEntries(members) });
  };

  const apply = (parts) => {
    const { type, schemaVersion } = parts.envelope.value;
    const stream = parts.stream?.value;
    if (typeof stream !== 'string') return;
    const category = stream.slice(0, stream.indexOf('-'));
    const types = knownTypes[category];
    if (types === undefined) return;
    if (!types.has(type) || schemaVersion !== 1)
      throw new NoFigures(`событие ${type} версии ${schemaVersion} этой проверке не знакомо`);
    const id = stream.slice(stream.indexOf('~') + 1);
    const data = dataOf(parts);
    if (category === 'placement') onPlacement(id, type, data);
    if (category === 'campaign') onCampaign(id, type, data);
    if (category === 'employee') onEmployee(id, type, data);
    if (type === 'LicenceSettingsChanged' && data.countZeroLeads !== undefined)
      countZeroLeads = needed(data, ['countZeroLeads']).countZeroLeads;
  };

  /** Terms of a person in a campaign; null = who exported may not see them. */
  const termsOf = (campaign, userId) => {
    const entry = campaign.known.has(userId) ? campaign.known.get(userId) : campaign.someHidden ? hidden : null;
    if (entry === hidden) return null;
    const person = people.get(userId) ?? { salaryType: null, salaryRate: null, performanceThreshold: null };
    const byEntry = entry !== null && entry.salaryType !== null;
    const { salaryType, salaryRate } = byEntry ? entry : person;
    const isResult = salaryType !== null && salaryType !== 'budget' && salaryType !== 'percentage';
    const cplThreshold = (byEntry ? entry.cplThreshold : null) ?? person.performanceThreshold ?? 100_00;
    if (salaryType === hidden || (salaryType !== null && salaryRate === hidden)) return null;
    if (isResult && cplThreshold === hidden) return null;
    return {
      salaryType,
      salaryRate: salaryType === null ? 0 : (salaryRate ?? 0),
      cplThreshold: cplThreshold === hidden ? null : cplThreshold,
      source: byEntry ? 'participant' : salaryType === null ? 'none' : 'user',
    };
  };

  const counts = ({ salaryType, cplThreshold }, { price, leads }) => {
    if (salaryType === null) return false;
    if (salaryType === 'budget' || salaryType === 'percentage') return true;
    return leads === 0 ? countZeroLeads : BigInt(price) <= BigInt(cplThreshold) * BigInt(leads);
  };

  const nameOf = (userId) => {
    const name = people.get(userId)?.name ?? null;
    return name === hidden ? null : name;
  };

  const earningsOf = (campaign, rows, userId) => {
    const own = rows.filter((row) => row.buyerId === userId);
    const spent = sumBy(own, ({ price }) => price);
    const terms = termsOf(campaign, userId);
    const base = { userId, name: nameOf(userId), spent: roubles(spent) };
    if (terms === null) return { kopecks: null, shown: { ...base, terms: null, counted: null, earnings: null } };
    const counted = own.filter((row) => counts(terms, row));
    const kopecks = percentOf(
      sumBy(counted, ({ price }) => price),
      terms.salaryRate,
    );
    const cplThreshold = terms.cplThreshold === null ? null : roubles(terms.cplThreshold);
    const shown = { ...base, terms: { ...terms, cplThreshold }, counted: counted.length, earnings: roubles(kopecks) };
    return { kopecks, shown };
  };

  const figures = () => {
    const all = [...placements.values()].filter(({ removed }) => !removed);
    const byCampaign = new Map([...campaigns.keys()].map((id) => [id, []]));
    for (const row of all) byCampaign.get(row.campaignId)?.push(row);
    const sums = new Map();
    const shownCampaigns = [];
    for (const [id, campaign] of campaigns) {
      if (campaign.deleted) continue;
      const rows = byCampaign.get(id);
      const spent = sumBy(rows, ({ price }) => price);
      const leads = sumBy(rows, (row) => row.leads);
      const paid = sumBy(rows, (row) => (row.paid ? row.price : 0));
      const participants = [...campaign.known].filter(([, entry]) => entry !== null).map(([userId]) => userId);
      const earnings = [...new Set([...rows.map(({ buyerId }) => buyerId), ...participants])]
        .sort(byText)
        .map((userId) => earningsOf(campaign, rows, userId));
      for (const { kopecks, shown } of earnings) {
        const before = sums.has(shown.userId) ? sums.get(shown.userId) : 0n;
        sums.set(shown.userId, kopecks === null || before === null ? null : before + kopecks);
      }
      shownCampaigns.push({
        id,
        name: campaign.name,
        summary: {
          totalBudget: roubles(campaign.totalBudget),
          spentBudget: roubles(spent),
          remainingBudget: roubles(campaign.totalBudget - spent),
          averageCostPerLead: roubles(costPerLead({ price: spent, leads })),
          totalLeads: leads,
          totalPlacements: rows.length,
          paidBudget: roubles(paid),
          unpaidBudget: roubles(spent - paid),
        },
        earnings: earnings.map(({ shown }) => shown),
      });
    }
    const earned = [...sums].map(([userId, sum]) => ({
      userId,
      name: nameOf(userId),
      earnings: sum === null ? null : roubles(sum),
    }));
    return {
      campaigns: shownCampaigns,
      people: earned.sort((a, b) => byText(a.userId, b.userId)),
      deletedCampaigns: [...campaigns.values()].filter(({ deleted }) => deleted).length,
    };
  };

  return {
    apply: (parts) => {
      if (fault !== null) return;
      try {
        apply(parts);
      } catch (error) {
        fault = error instanceof NoFigures ? error.message : 'данные события не такие, как ожидалось';
      }
    },
    /** The figures, money in roubles, or why there are none. */
    result: () => {
      if (fault !== null) return { problem: fault, figures: null };
      try {
        return { problem: null, figures: figures() };
      } catch {
        return { problem: 'данные событий не такие, как ожидалось', figures: null };
      }
    },
  };
};

const money = (value) =>
  `${value.toLocaleString('ru-RU', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ₽`.replaceAll(
    /\u00A0/gu,
    ' ',
  );
const called = ({ userId, name }) => (name === null ? userId : `${name} (${userId})`);
const noTerms = 'не посчитано: условия оплаты скрыты от того, кто выгружал';

const figuresText = ({ problem, figures }, unsealed) => {
  if (problem !== null) return [`Суммы не пересчитаны: ${problem}.`];
  const { campaigns, people, deletedCampaigns } = figures;
  const lines = [
    unsealed === 0
      ? 'Пересчитано по событиям выгрузки:'
      : `Пересчитано по событиям выгрузки, вместе с неудостоверенными (${unsealed}):`,
  ];
  for (const { id, name, summary, earnings } of campaigns) {
    lines.push(
      `Кампания «${name}» (${id})`,
      `  потрачено ${money(summary.spentBudget)}, лидов ${summary.totalLeads}, CPL ${summary.totalLeads === 0 ? '—' : money(summary.averageCostPerLead)}`,
      `  оплачено ${money(summary.paidBudget)}, не оплачено ${money(summary.unpaidBudget)}, размещений ${summary.totalPlacements}`,
    );
    for (const one of earnings)
      lines.push(`  ${called(one)}: ${one.earnings === null ? noTerms : `заработок ${money(one.earnings)}`}`);
  }
  lines.push('Заработок по людям, все кампании:');
  for (const one of people) lines.push(`  ${called(one)}: ${one.earnings === null ? noTerms : money(one.earnings)}`);
  if (deletedCampaigns > 0) lines.push(`Удалённые кампании не посчитаны: ${deletedCampaigns}.`);
  return lines;
};

const textOf = (report, { anyKey }) => {
  if (!report.ok)
    return [
      `НЕ СОШЛОСЬ: ${report.problem}`,
      ...(report.sealed > 0 ? [`До этого сошлось событий: ${report.sealed}.`] : []),
    ];
  const left = report.events - report.sealed;
  return [
    `Сошлось: лицензия ${report.licenceId}.`,
    `Проверено событий: ${report.events}, печатей: ${report.seals}, подписи сделаны ${anyKey ? 'ключом из самой выгрузки' : 'названным ключом'}.`,
    ...(anyKey ? [`Чей это ключ, не проверено: отпечаток не назван. В выгрузке: ${report.keys.join(', ')}.`] : []),
    `Последняя печать № ${report.seals} от ${report.sealedAt} удостоверяет события по № ${report.sealed}.`,
    `Запишите её для следующей проверки: --seal ${report.last}`,
    left === 0
      ? 'После неё событий нет.'
      : `После неё событий: ${left}. Они ещё не удостоверены, их можно было изменить.`,
    ...(report.hidden > 0
      ? [`Скрыто от того, кто выгружал, значений: ${report.hidden}; вместо них стоят их хеши.`]
      : []),
  ];
};

/** A line for a terminal, which would carry out control characters: a bundle could write over what is said of it, or add lines. */
const printable = (text) => text.replaceAll(/[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu, '\uFFFD');

/** The words after `--seal`, as `<number>:<hash>`; null = one is something else. */
const knownSeals = (given) => {
  const known = given.map((text) => /^([1-9]\d{0,8}):([0-9a-f]{64})$/u.exec(text));
  return known.includes(null) ? null : known.map(([, number, hash]) => ({ number: Number(number), hash }));
};

/** What the command line asks for; null = it cannot be read. */
const wishesOf = (words) => {
  const wishes = { file: null, fingerprints: [], noted: [], atLeastSeal: null, recomputes: false, asJson: false };
  const left = [...words];
  while (left.length > 0) {
    const word = left.shift();
    if (word === '--recompute') wishes.recomputes = true;
    else if (word === '--json') wishes.asJson = true;
    else if (word === '--seal') wishes.noted.push(left.shift() ?? '');
    else if (word === '--at-least-seal') {
      const number = left.shift() ?? '';
      if (!/^[1-9]\d{0,8}$/u.test(number)) return null;
      wishes.atLeastSeal = Number(number);
    } else if (word.startsWith('--')) return null;
    else if (wishes.file === null) wishes.file = word;
    else wishes.fingerprints.push(word.replaceAll(/[\s:]/gu, '').toLowerCase());
  }
  const known = knownSeals(wishes.noted);
  return wishes.file === null || known === null || !wishes.fingerprints.every(isHash) ? null : { ...wishes, known };
};

const exitCodeOf = (report, { atLeastSeal }, recomputed) => {
  if (!report.ok) return 1;
  if (atLeastSeal !== null && report.seals < atLeastSeal) return 4;
  if (recomputed !== null && recomputed.problem !== null) return 5;
  return report.events > report.sealed ? 3 : 0;
};

const usage =
  'Как вызвать: node verify-history.mjs <файл выгрузки> <отпечаток ключа> [<отпечаток прежнего ключа> …] [--seal <номер>:<хеш> …] [--at-least-seal <номер>] [--recompute] [--json]\nОтпечаток и хеш: 64 знака 0–9 и a–f.\n';

/**
 * Does what the words of a command line ask for, and resolves with its exit code. `anyKey`: fingerprints may be left out; then any key that the
 * bundle carries counts, and that is said.
 */
export const run = async (words, { anyKey = false, out = process.stdout, err = process.stderr } = {}) => {
  const wishes = wishesOf(words);
  if (wishes === null || (wishes.fingerprints.length === 0 && !anyKey)) {
    err.write(usage);
    return 2;
  }
  const { file, fingerprints, known, atLeastSeal, recomputes, asJson } = wishes;
  const trusted = fingerprints.length === 0 ? null : fingerprints;
  const recomputing = recomputes ? recomputation() : null;
  try {
    const source = createReadStream(file);
    const report = await checkHistory(source, trusted, known, (parts) => recomputing?.apply(parts));
    const recomputed = report.ok ? (recomputing?.result() ?? null) : null;
    const exitCode = exitCodeOf(report, wishes, recomputed);
    if (asJson) {
      out.write(`${JSON.stringify({ ...report, keyNamed: trusted !== null, ...recomputed, exitCode }, null, 2)}\n`);
      return exitCode;
    }
    const lines = textOf(report, { anyKey: trusted === null });
    if (exitCode === 4) lines.push(`УСТАРЕЛА: последняя печать № ${report.seals}, а нужна не раньше № ${atLeastSeal}.`);
    if (recomputed !== null) lines.push(...figuresText(recomputed, report.events - report.sealed));
    out.write(`${lines.map(printable).join('\n')}\n`);
    return exitCode;
  } catch (error) {
    err.write(`${printable(`Не удалось прочитать ${file} (${error.code ?? error.message}).`)}\n`);
    return 2;
  }
};

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = await run(process.argv.slice(2));
