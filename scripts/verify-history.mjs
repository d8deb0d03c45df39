/**
 * Checks a bundle of a signed history: node verify-history.mjs <bundle> <fingerprint> [<fingerprint> …] [--seal <number>:<hash> …]
 *
 * One file without dependencies and without the network, Node 20 or newer: give it to whoever shall check. What it checks is told in
 * docs/reference/signed-history.md, by which anybody can write another one. Ends with 0 when everything is sealed and as it was sealed, with
 * 1 when something is not as it was sealed, with 3 when events behind the last seal are attested by nothing, with 2 when it was called wrongly.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const bundleFormat = 'zakup-history-1';
const sealFormats = ['zakup-seal-1', 'zakup-seal-2'];
const noSeal = '0'.repeat(64);
const longestLine = 16 * 1024 * 1024;

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

/** Lines of a source of bytes, each as its value, or null when it is not the one text of a JSON value, or is not ended. */
async function* linesOf(source) {
  let pieces = [];
  let length = 0;
  const parsed = (bytes) => {
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
  if (before !== null && (recorded.at < before.at || recorded.position <= before.position))
    return 'записано раньше предыдущего';
  return recorded.at > seal.sealedAt ? 'записано позже своей печати' : null;
};

const checkSeal = (seal, { licenceId, number, last, keys, trusted }) => {
  const first = (last?.total ?? 0) + 1;
  const wrong = (text, id = null) => new Wrong(`печать № ${number}: ${text}`, { event: first, id, seal: number });
  if (!has(seal, sealMembers)) throw wrong('повреждена');
  if (seal.number !== number) throw wrong(`нет её на месте, здесь печать № ${seal.number}`);
  if (seal.licenceId !== licenceId) throw wrong('от другой лицензии', seal.firstEventId);
  if (!trusted.has(seal.key)) throw wrong(`подписана ключом ${seal.key}, а он не назван`, seal.firstEventId);
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
 * Checks a bundle. `source`: its bytes, in pieces. `fingerprints`: of the keys that may have signed, in lower-case hex. `known`: number and
 * hash of seals that were noted before. Resolves with what
 * was found in order, or with `problem` and its place: why, the first event that is not attested as it stands, and the line of the file.
 */
export async function checkHistory(source, fingerprints, known = []) {
  const trusted = new Set(fingerprints);
  const report = { licenceId: null, events: 0, hidden: 0, seals: 0, sealed: 0, sealedAt: null, last: null, keys: [] };
  const lines = linesOf(source);
  let line = 0;
  const next = async () => {
    const { value, done } = await lines.next();
    line += 1;
    return done === true ? undefined : value;
  };
  try {
    await check(next, trusted, known, report);
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

const check = async (next, trusted, known, report) => {
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

const textOf = (report) => {
  if (!report.ok)
    return [
      `НЕ СОШЛОСЬ: ${report.problem}`,
      ...(report.sealed > 0 ? [`До этого сошлось событий: ${report.sealed}.`] : []),
    ];
  const left = report.events - report.sealed;
  return [
    `Сошлось: лицензия ${report.licenceId}.`,
    `Проверено событий: ${report.events}, печатей: ${report.seals}, подписи сделаны названным ключом.`,
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

/** The words after `--seal`, as `<number>:<hash>`; null = one is something else. */
const knownSeals = (given) => {
  const known = given.map((text) => /^([1-9]\d{0,8}):([0-9a-f]{64})$/u.exec(text));
  return known.includes(null) ? null : known.map(([, number, hash]) => ({ number: Number(number), hash }));
};

/** 0 = all of it is attested; 3 = what is behind the last seal is not. */
const exitCodeOf = (report) => (report.ok ? (report.events > report.sealed ? 3 : 0) : 1);

const main = async ([file, ...given]) => {
  const isOfSeal = (_, index) => given[index] === '--seal' || given[index - 1] === '--seal';
  const noted = given.filter((_, index) => given[index - 1] === '--seal');
  const known = given.at(-1) === '--seal' ? null : knownSeals(noted);
  const fingerprints = given
    .filter((word, index) => !isOfSeal(word, index))
    .map((one) => one.replaceAll(/[\s:]/gu, '').toLowerCase());
  if (file === undefined || fingerprints.length === 0 || !fingerprints.every(isHash) || known === null) {
    process.stderr.write(
      'Как вызвать: node verify-history.mjs <файл выгрузки> <отпечаток ключа> [<отпечаток прежнего ключа> …] [--seal <номер>:<хеш> …]\nОтпечаток и хеш: 64 знака 0–9 и a–f.\n',
    );
    process.exitCode = 2;
    return;
  }
  try {
    const report = await checkHistory(createReadStream(file), fingerprints, known);
    process.stdout.write(`${textOf(report).join('\n')}\n`);
    process.exitCode = exitCodeOf(report);
  } catch (error) {
    process.stderr.write(`Не удалось прочитать ${file} (${error.code ?? error.message}).\n`);
    process.exitCode = 2;
  }
};

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  await main(process.argv.slice(2));
