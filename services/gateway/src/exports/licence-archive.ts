import type { Readable } from 'node:stream';
import type { LicenceRow } from '@zakup/contracts/read-models';
import type { CodeCipher } from '@zakup/credentials/code-cipher';
import { showInstant } from '@zakup/domain/calendar';
import { codeMembers } from '@zakup/domain/catalog';
import { showCampaignName } from '@zakup/domain/topics';
import type { EventStore, JsonObject, Position } from '@zakup/event-store/event-store';
import type { ReadStore } from '@zakup/read-store/read-store';
import { licenceHistory } from '@zakup/seals/licence-history';
import { aliasesOf } from '../read-models/aliases.ts';
import { rowsOf } from '../read-models/rows.ts';
import { showLicense } from '../read-models/shown-codes.ts';
import { byteOrderMark, csvLine } from './csv.ts';
import { inChunks } from './in-chunks.ts';
import { licenceParts, type Names, type Part } from './licence-parts.ts';
import { zipOf } from './zip.ts';

export interface ArchiveSource {
  readonly readStore: ReadStore;
  readonly eventStore: Pick<EventStore, 'readLicence'>;
  readonly codes: CodeCipher;
}

export interface ArchiveSubject {
  readonly licence: LicenceRow;
  /** Everything up to here is in it. */
  readonly position: Position;
  /** UTC milliseconds. */
  readonly now: number;
}

/** A code is no history. */
const withoutCodes = (data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, codeMembers.has(name) ? null : value]));

const history = async function* (
  eventStore: ArchiveSource['eventStore'],
  { licence, position: to }: ArchiveSubject,
): AsyncGenerator<string, void, undefined> {
  for await (const events of licenceHistory(eventStore, licence.id, { to }))
    for (const { position, revision, stream, id, type, metadata, recordedAt, data } of events) {
      const { schemaVersion, at, actorId, commandId, source, reason, causedBy } = metadata;
      const who = { at, recordedAt, actorId, source, commandId, reason, causedBy };
      const event = { position, revision, stream, id, type, schemaVersion, ...who, data: withoutCodes(data) };
      yield `${JSON.stringify(event)}\n`;
    }
};

const namesOf = async (readStore: ReadStore, licenceId: string): Promise<Names> => {
  const named = async (kind: 'channel' | 'creative' | 'user') => {
    const names = new Map((await rowsOf(readStore, kind, licenceId)).map(({ id, name }) => [id, name]));
    return (id: string): string => names.get(id) ?? id;
  };
  const campaigns = new Map((await rowsOf(readStore, 'campaign', licenceId)).map(({ id, name }) => [id, name]));
  const contractors = new Map(
    (await rowsOf(readStore, 'contractor', licenceId)).map(({ id, adminUsername }) => [id, adminUsername]),
  );
  const { receiver } = await aliasesOf(readStore, licenceId);
  return {
    channel: await named('channel'),
    creative: await named('creative'),
    user: await named('user'),
    campaign: (id) => {
      const name = campaigns.get(id);
      return name === undefined ? id : showCampaignName(name);
    },
    contractor: (id) => contractors.get(receiver(id)) ?? id,
  };
};

const ndjson = async function* (
  { readStore }: ArchiveSource,
  licenceId: string,
  { rows, wire }: Part,
): AsyncGenerator<string, void, undefined> {
  for await (const row of rows(readStore, licenceId)) yield `${JSON.stringify(wire(row))}\n`;
};

const csv = async function* (
  { readStore }: ArchiveSource,
  licenceId: string,
  { rows, columns }: Part,
): AsyncGenerator<string, void, undefined> {
  const names = await namesOf(readStore, licenceId);
  yield byteOrderMark + csvLine(columns.map(([title]) => ({ kind: 'text', text: title })));
  for await (const row of rows(readStore, licenceId)) yield csvLine(columns.map(([, cell]) => cell(row, names)));
};

const readme = ({ licence, position, now }: ArchiveSubject): string => `Все данные лицензии «${licence.teamName}»

Составлено ${showInstant(new Date(now).toISOString())} (UTC+3). В архиве есть всё, что записано до позиции ${position} журнала; то, что меняли, пока архив
составлялся, может стоять в нём уже изменённым.

Каждый вид данных записан дважды:
${licenceParts.map(({ path, about }) => `- ${path}.ndjson и ${path}.csv: ${about}`).join('\n')}
- license.json: сама лицензия, ключ скрыт
- history.ndjson: вся история, событие за событием, в порядке журнала до позиции ${position}

NDJSON: UTF-8, одна запись на строку, каждая — объект JSON того же вида, в каком его отвечают вызовы (описание: /api/docs).
Деньги — рубли с копейками, дни — ГГГГ-ММ-ДД, моменты — UTC по ISO 8601.

CSV: UTF-8 с BOM, разделитель «;», десятичная запятая, дни ДД.ММ.ГГГГ — так его открывает русский Excel. Текст, который таблица приняла
бы за формулу (начинается с = + - @), стоит с апострофом впереди.

history.ndjson: position — место в журнале, stream и revision — у чего и какое по счёту изменение, type и data — что произошло (деньги
здесь в копейках), at — когда, actorId — кто (id из people; admin — администратор площадки, system — сам сервис), commandId — одной
командой сделанное вместе, reason — причина отмены. Удалённое есть только здесь: событие удаления и всё, что было до него.

Паролей в данных нет; коды доступа и ключ лицензии скрыты (null).
`;

/** Everything of a licence as a zip, made while it is taken: each kind of things as NDJSON and CSV, its whole history, and what is what. */
export const licenceArchive = (source: ArchiveSource, subject: ArchiveSubject): Readable => {
  const { licence, now } = subject;
  const at = new Date(now);
  const license = showLicense(source.codes, licence, { now: at.toISOString(), reveal: false });
  return zipOf(
    [
      { path: 'README.txt', content: () => inChunks([readme(subject)]) },
      { path: 'license.json', content: () => inChunks([`${JSON.stringify(license, null, 2)}\n`]) },
      ...licenceParts.flatMap((part) => [
        { path: `${part.path}.ndjson`, content: () => inChunks(ndjson(source, licence.id, part)) },
        { path: `${part.path}.csv`, content: () => inChunks(csv(source, licence.id, part)) },
      ]),
      { path: 'history.ndjson', content: () => inChunks(history(source.eventStore, subject)) },
    ],
    at,
  );
};
