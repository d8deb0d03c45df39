import { ServerRefused } from './opening.ts';
import { serverAddress, withoutSecrets } from './server-address.ts';

/** Tells the operator about an error it knows; null for another. */
export type Teller = (error: Error) => string | null;

const textOf = (error: object, member: string): string => {
  const value: unknown = Reflect.get(error, member);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Of a log that is behind. Known by its name: the room of the log is not one that every process may import. */
export const behindText: Teller = (error) => {
  if (error.name !== 'LogBehind') return null;
  const [where, head, bound, source] = ['where', 'head', 'knownBound', 'boundSource'].map((name) =>
    textOf(error, name),
  );
  const is = head === '0' ? `Журнала ${where} нет или он пуст` : `Журнал ${where} заканчивается на позиции ${head}`;
  return `${is}, а по ${source} он доходил до ${bound}: похоже, на его месте старая копия или другой журнал.`;
};

/** Of read models that were folded from another log; known by its name too. */
const foreignLog: Teller = ({ name }) =>
  name === 'ForeignLog'
    ? 'Модели чтения собраны по другому журналу. Проверьте EVENTSTOREDB_URL, EVENTSTOREDB_NAMESPACE, MONGODB_URL и DATA_DIR. Чтобы собрать их по этому журналу: npm run rebuild -- all'
    : null;

/** Of codes that were hidden with another key; known by its name too. */
const otherCodesKey: Teller = ({ name }) =>
  name === 'CodeNotReadable'
    ? 'Коды доступа и ключи лицензий зашифрованы другим ключом. Верните прежний ACCESS_CODES_KEY, а если он не задан, файл keys/access-codes-key в DATA_DIR или, на серверах, JWT_SECRET: без него по кодам не войти.'
    : null;

/** Of seals that are not those which are known elsewhere; known by its name as well. */
export const replacedSealsText: Teller = (error) => {
  if (error.name !== 'SealsReplaced') return null;
  const [kind, licenceId, number, where] = ['kind', 'licenceId', 'number', 'where'].map((name) => textOf(error, name));
  const seal = `Печать № ${number} лицензии ${licenceId}`;
  return kind === 'behind'
    ? `${seal} пропала, а по ${where} она была: похоже, печати удалены или на их месте старая копия. Верните печати из копии.`
    : `${seal} не та, что известна по ${where}: похоже, историю запечатали заново. Верните печати из копии.`;
};

/** Of a log in whose place another one was noticed while the process runs. */
export const wrongLogText = (error: Error): string =>
  `${behindText(error) ?? foreignLog(error) ?? error.message} Пока не вернётся прежний журнал, изменения не принимаются.`;

/** Of a log that does not tell whether it is the right one. */
export const unknownLogText = 'Журнал не удаётся сверить с моделями чтения.';

/** Of a password for the admin that may not be set; known by its name too. */
const adminPassword: Teller = ({ name }) =>
  name === 'AdminPasswordRefused'
    ? 'ADMIN_PASSWORD: этот пароль есть среди самых частых или состоит из логина, а служба доступна с других машин. Придумайте другой.'
    : null;

const listen =
  (port: number): Teller =>
  (error) => {
    if (textOf(error, 'syscall') !== 'listen') return null;
    if (textOf(error, 'code') === 'EADDRINUSE') return `PORT: порт ${port} занят другой программой`;
    return textOf(error, 'code') === 'EACCES' ? `PORT: порт ${port} не дают открыть` : null;
  };

const chain = (error: unknown): readonly Error[] => (error instanceof Error ? [error, ...chain(error.cause)] : []);

/** MongoDB's codes of Unauthorized and AuthenticationFailed. */
const refusedCodes: readonly string[] = ['13', '18'];

/** Errors of adapters, by what is known of them. */
const serverFaults: readonly (readonly [(error: Error) => boolean, (setting: string, host: string) => string])[] = [
  [
    (error) =>
      /Denied|Credentials/u.test(error.name) ||
      (error.name === 'MongoServerError' && refusedCodes.includes(textOf(error, 'code'))),
    (setting, host) => `${setting}: сервер ${host} не принял имя или пароль. Проверьте их в ${setting}.`,
  ],
  [
    ({ message }) => message.includes('newer version'),
    (setting, host) => `${setting}: данные на ${host} записаны более новой версией программы. Обновите программу.`,
  ],
];

const serverText: Teller = (error) => {
  if (!(error instanceof ServerRefused)) return null;
  const { setting, url } = error.server;
  const causes = chain(error.cause);
  const log = causes.map(behindText).find((text) => text !== null);
  if (log !== undefined) return `${log} Проверьте ${setting}.`;
  const replaced = causes.map(replacedSealsText).find((text) => text !== null);
  if (replaced !== undefined) return replaced;
  const foreign = causes.map(foreignLog).find((text) => text !== null);
  if (foreign !== undefined) return foreign;
  const codes = causes.map(otherCodesKey).find((text) => text !== null);
  if (codes !== undefined) return codes;
  const fault = serverFaults.find(([isIt]) => causes.some(isIt));
  if (fault !== undefined) return fault[1](setting, serverAddress(url));
  const reason = causes.map(({ message }) => message).join(': ');
  return `${setting}: ${serverAddress(url)} не удаётся использовать (${withoutSecrets(reason, url)}).`;
};

/** Why it does not start: one text for the operator. The outermost error that is known decides; `tellers` know those of the process's own stores. */
export const refusalText = (error: unknown, port: number, tellers: readonly Teller[] = []): string => {
  if (!(error instanceof Error)) return `Непредвиденная ошибка: ${String(error)}`;
  for (const one of chain(error))
    for (const tell of [
      serverText,
      ...tellers,
      behindText,
      replacedSealsText,
      foreignLog,
      adminPassword,
      otherCodesKey,
      listen(port),
    ]) {
      const text = tell(one);
      if (text !== null) return text;
    }
  return `Непредвиденная ошибка: ${chain(error).at(-1)?.message ?? error.message}`;
};
