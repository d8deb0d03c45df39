/**
 * Makes the secrets of the full system that are missing, each in a file of its reader's, in a folder that nobody else is given. What is
 * there is never changed, except by `new-admin-password`, and certificates of which the end comes near. A start prints no secret: what a
 * container prints stays in its log. `admin-password` shows the administrator's, once, to whoever runs it by hand.
 *
 * `*_SECRETS`: the folders. `PUBLIC_URL`, `ADMIN_LOGIN`: only to be printed.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeAuthority, makeCertificate, stillHolds } from './certificates.mjs';

const given = (name, otherwise) => {
  const value = process.env[name]?.trim();
  return value === undefined || value === '' ? otherwise : value;
};

/** Users of the images: `node` in ours, `kurrent` in KurrentDB's, `mongodb` in MongoDB's. */
const node = 1000;
const kurrent = 1000;
const mongodb = 999;
const app = { path: given('APP_SECRETS', '/secrets/app'), owner: node };
/** Of `command` alone. */
const admin = { path: given('ADMIN_SECRETS', '/secrets/admin'), owner: node };
/** Of `projector` alone. */
const seal = { path: given('SEAL_SECRETS', '/secrets/seal'), owner: node };
/** Of `command` and `gateway`, which show codes and find people by them. */
const codes = { path: given('CODES_SECRETS', '/secrets/codes'), owner: node };
const mongo = { path: given('MONGO_SECRETS', '/secrets/mongo'), owner: mongodb };
const events = { path: given('EVENTS_SECRETS', '/secrets/events'), owner: kurrent };
/** KurrentDB takes whatever certificate lies in its folder of roots for one. */
const roots = { path: join(events.path, 'roots'), owner: kurrent };
/** Of nobody: who has the authority's key can be any server. */
const authority = { path: given('AUTHORITY_SECRETS', '/secrets/authority'), owner: 0 };
const test = { path: given('TEST_SECRETS', '/secrets/test'), owner: node };
const folders = [app, admin, seal, codes, mongo, events, roots, authority, test];

const isRoot = process.getuid?.() === 0;
const own = (path, owner, mode) => {
  if (isRoot) chownSync(path, owner, owner);
  chmodSync(path, mode);
};

const synced = (path, flags, write) => {
  const file = openSync(path, flags, 0o400);
  try {
    write?.(file);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** The text of a secret, null when there is none yet. */
const kept = ({ path }, name) => {
  let text;
  try {
    text = readFileSync(join(path, name), 'utf8').trim();
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
  if (text === '') throw new Error(`файл ${join(path, name)} пуст: верните его из копии или удалите`);
  return text;
};

/** Whole or not at all: a half-written secret would be taken for the real one at the next start. */
const put = ({ path, owner }, name, text) => {
  const made = join(path, `.${name}.new`);
  rmSync(made, { force: true });
  synced(made, 'wx', (file) => writeSync(file, `${text}\n`));
  own(made, owner, 0o400);
  renameSync(made, join(path, name));
  synced(path, 'r');
};

const made = [];
const keptOrMade = (folder, name, make) => {
  const text = kept(folder, name);
  if (text !== null) {
    own(join(folder.path, name), folder.owner, 0o400);
    return text;
  }
  const fresh = make();
  put(folder, name, fresh);
  made.push(name);
  return fresh;
};
/** What others follow from: written anew when they have changed. */
const following = (folder, name, text) => {
  if (kept(folder, name) === text) own(join(folder.path, name), folder.owner, 0o400);
  else put(folder, name, text);
};

const password = () => randomBytes(18).toString('base64url');
const mongoUrl = (user, secret, database) =>
  `mongodb://${user}:${encodeURIComponent(secret)}@mongo:27017/${database}?replicaSet=rs0&authSource=admin&tls=true&tlsCAFile=/secrets/authority.pem`;
const eventsUrl = (secret) =>
  `esdb://admin:${encodeURIComponent(secret)}@eventstore:2113?tls=true&tlsCAFile=/secrets/authority.pem`;

/** From where an earlier version kept it, together with what others could read. */
const moved = (from, to, name) => {
  const text = kept(from, name);
  if (text === null) return;
  if (kept(to, name) === null) put(to, name, text);
  rmSync(join(from.path, name));
};

const now = Date.now();
const theAuthority = () => {
  const key = kept(authority, 'key');
  const certificate = kept(authority, 'certificate');
  if (key !== null && certificate !== null) return { key, certificate };
  const fresh = makeAuthority(now);
  put(authority, 'key', fresh.key);
  put(authority, 'certificate', fresh.certificate);
  made.push('authority');
  return fresh;
};
/** A server's, renewed at a start before it ends. Key and certificate are one text, so that a start cut off leaves no half of a pair. */
const certified = (by, folder, subject, hosts) => {
  const text = kept(folder, 'server.pem');
  if (text !== null && stillHolds(by, text, hosts, now)) {
    own(join(folder.path, 'server.pem'), folder.owner, 0o400);
    return text;
  }
  const { key, certificate } = makeCertificate(by, { subject, hosts }, now);
  const fresh = `${certificate}\n${key}`;
  put(folder, 'server.pem', fresh);
  made.push(`server.pem (${subject})`);
  return fresh;
};
const makeCertificates = () => {
  const by = theAuthority();
  for (const [folder, name] of [
    [app, 'authority.pem'],
    [mongo, 'authority.pem'],
    [events, 'authority.pem'],
    [roots, 'authority.crt'],
    [test, 'authority.pem'],
  ])
    following(folder, name, by.certificate);
  certified(by, mongo, 'mongo', ['mongo', 'localhost', '127.0.0.1']);
  const both = certified(by, events, 'eventstoredb-node', ['eventstore', 'localhost', '127.0.0.1']);
  const key = both.indexOf('-----BEGIN PRIVATE KEY-----');
  following(events, 'node.crt', both.slice(0, key).trim());
  following(events, 'node.key', both.slice(key).trim());
};

const makeSecrets = (command) => {
  for (const folder of folders) {
    mkdirSync(folder.path, { recursive: true });
    own(folder.path, folder.owner, 0o700);
  }
  keptOrMade(app, 'jwt-secret', () => randomBytes(48).toString('base64url'));
  moved(app, seal, 'seal-key');
  moved(app, admin, 'admin-password');
  keptOrMade(seal, 'seal-key', () => randomBytes(32).toString('base64url'));
  keptOrMade(codes, 'access-codes-key', () => randomBytes(32).toString('base64url'));
  keptOrMade(mongo, 'keyfile', () => randomBytes(756).toString('base64'));
  const rootPassword = keptOrMade(mongo, 'root-password', password);
  const appPassword = keptOrMade(mongo, 'app-password', password);
  following(app, 'mongodb-url', mongoUrl('zakup', appPassword, 'zakup'));
  following(test, 'mongodb-url', mongoUrl('root', rootPassword, 'zakup'));
  // KurrentDB makes its two users with these when it has none.
  const eventsPassword = keptOrMade(events, 'admin-password', password);
  keptOrMade(events, 'ops-password', password);
  following(app, 'eventstoredb-url', eventsUrl(eventsPassword));
  following(test, 'eventstoredb-url', eventsUrl(eventsPassword));
  makeCertificates();

  if (command === 'new-admin-password') {
    rmSync(join(admin.path, 'shown'), { force: true });
    put(admin, 'admin-password', password());
    made.push('admin-password');
  } else keptOrMade(admin, 'admin-password', password);
};

const doorLines = () => {
  const [address, login] = [given('PUBLIC_URL', 'http://localhost:3000'), given('ADMIN_LOGIN', 'admin')];
  return ['Вход администратора:', `  адрес    ${address.replace(/\/+$/u, '')}/admin`, `  логин    ${login}`];
};
const show = () => {
  if (kept(admin, 'shown') !== null) {
    process.stderr.write('Пароль уже показан. Новый: docker compose run --rm init new-admin-password\n');
    process.exitCode = 3;
    return;
  }
  put(admin, 'shown', new Date(now).toISOString());
  const lines = [...doorLines(), `  пароль   ${kept(admin, 'admin-password')} (показан один раз)`];
  process.stdout.write(`${lines.join('\n')}\n`);
};
const announce = () => {
  const lines = made.includes('admin-password')
    ? ['Секреты созданы.', ...doorLines(), '  пароль   docker compose run --rm init admin-password (покажет один раз)']
    : [made.length === 0 ? 'Секреты на месте.' : `Созданы недостающие секреты: ${made.join(', ')}.`];
  process.stdout.write(`${lines.join('\n')}\n`);
};

const commands = ['missing', 'admin-password', 'new-admin-password'];
const [command = 'missing'] = process.argv.slice(2);
if (!commands.includes(command)) {
  process.stderr.write(`Неизвестная команда ${command}. Есть две: admin-password, new-admin-password\n`);
  process.exitCode = 2;
} else {
  try {
    makeSecrets(command);
    if (command === 'missing') announce();
    else show();
  } catch (error) {
    process.stderr.write(`Секреты не созданы: ${error.message}\n`);
    process.exitCode = 1;
  }
}
