/**
 * Makes the secrets of the full system that are missing, each in a file of its reader's, and prints the administrator's login when its
 * password is made. What is there is never changed, except by `new-admin-password`.
 *
 * `APP_SECRETS`, `MONGO_SECRETS`, `TEST_SECRETS`: the folders. `PUBLIC_URL`, `ADMIN_LOGIN`: only to be printed.
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

const given = (name, otherwise) => {
  const value = process.env[name]?.trim();
  return value === undefined || value === '' ? otherwise : value;
};

/** Users of the images: `node` in ours, `mongodb` in MongoDB's. */
const node = 1000;
const mongodb = 999;
const app = { path: given('APP_SECRETS', '/secrets/app'), owner: node };
const mongo = { path: given('MONGO_SECRETS', '/secrets/mongo'), owner: mongodb };
const test = { path: given('TEST_SECRETS', '/secrets/test'), owner: node };

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
  `mongodb://${user}:${encodeURIComponent(secret)}@mongo:27017/${database}?replicaSet=rs0&authSource=admin`;

const makeSecrets = (command) => {
  for (const folder of [app, mongo, test]) {
    mkdirSync(folder.path, { recursive: true });
    own(folder.path, folder.owner, 0o700);
  }
  keptOrMade(app, 'jwt-secret', () => randomBytes(48).toString('base64url'));
  keptOrMade(app, 'seal-key', () => randomBytes(32).toString('base64url'));
  keptOrMade(mongo, 'keyfile', () => randomBytes(756).toString('base64'));
  const rootPassword = keptOrMade(mongo, 'root-password', password);
  const appPassword = keptOrMade(mongo, 'app-password', password);
  following(app, 'mongodb-url', mongoUrl('zakup', appPassword, 'zakup'));
  following(test, 'mongodb-url', mongoUrl('root', rootPassword, 'zakup'));

  if (command === 'new-admin-password') {
    put(app, 'admin-password', password());
    made.push('admin-password');
  } else keptOrMade(app, 'admin-password', password);
};

const announce = () => {
  const [address, login] = [given('PUBLIC_URL', 'http://localhost:3000'), given('ADMIN_LOGIN', 'admin')];
  const lines = made.includes('admin-password')
    ? [
        'Секреты созданы. Вход администратора:',
        `  адрес    ${address.replace(/\/+$/u, '')}/admin`,
        `  логин    ${login}`,
        `  пароль   ${kept(app, 'admin-password')} (показан один раз)`,
      ]
    : [made.length === 0 ? 'Секреты на месте.' : `Созданы недостающие секреты: ${made.join(', ')}.`];
  process.stdout.write(`${lines.join('\n')}\n`);
};

const [command = 'missing'] = process.argv.slice(2);
if (command !== 'missing' && command !== 'new-admin-password') {
  process.stderr.write(`Неизвестная команда ${command}. Есть одна: new-admin-password\n`);
  process.exitCode = 2;
} else {
  try {
    makeSecrets(command);
    announce();
  } catch (error) {
    process.stderr.write(`Секреты не созданы: ${error.message}\n`);
    process.exitCode = 1;
  }
}
