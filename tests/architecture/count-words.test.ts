import { nbsp, plural } from '@zakup/domain/russian';
import { describe, expect, test } from 'vitest';
import { countWordsOf, type Spoken } from './count-words.ts';
import { repositoryFiles, textOf } from './repository-files.ts';

/** Whose texts stand on screens. */
const speaking = /^(?:web|domain|packages\/contracts|services\/(?:command|gateway|projector))\/src\/.+\.tsx?$/u;
const sources = repositoryFiles().filter((path) => speaking.test(path) && !/\.test\.tsx?$/u.test(path));
const found = sources.map((path) => countWordsOf(path, textOf(path)));

/** Words that are the same after every number. */
const unchanging = new Set(
  'без в вместо дешевле до ещё за и из или к меньше млн млрд мин мс на назад от по пока разм с сегодня снова теперь тоже тыс ч больше'.split(
    ' ',
  ),
);

/** What a word follows that is no number. */
const noNumbers: readonly string[] = [
  'adminUsername отключён',
  'code действует',
  'contractor.adminUsername больше',
  "context.ownerName === '' ? 'Код принят.' : `Код принят, ${context.ownerName}.` задайте",
  "completed > 0 && `Откройте завершённую через выбор канала${mayCreate ? ' или начните новую' : ''}. ` размещения",
  'detailsOf(useRouteError()) версия',
  // One amount beside another: «5 200 ₽ против 5 100 ₽».
  'formatRoubles(last.price) против',
  'into.adminUsername получит',
  'nick исчезнет',
  "nick ?? 'Контрагент' объединён",
  "open ? 'Скрыть' : 'Показать' код",
  'person.name перестанет',
  // A place in the log: «до позиции 7 журнала».
  'position журнала',
  'right доступен',
  // A share of a sum: «52,2 % всего».
  'share(first.spent, spent) всего',
  'showDate(end) расход',
  'titles[figure] размещения',
];

const line = ({ expression, word }: Spoken): string => `${expression} ${word}`;

const counts = [0, 1, 2, 5, 11, 21, 25, 101] as const;

/** Every word that is said with a number, after each of these numbers. */
const words: readonly string[] = [
  '0 ячеек, 1 ячейка, 2 ячейки, 5 ячеек, 11 ячеек, 21 ячейка, 25 ячеек, 101 ячейка',
  // After «в».
  '0 строк, 1 строка, 2 строки, 5 строк, 11 строк, 21 строка, 25 строк, 101 строка',
  '0 строках, 1 строке, 2 строках, 5 строках, 11 строках, 21 строке, 25 строках, 101 строке',
  '0 размещений, 1 размещение, 2 размещения, 5 размещений, 11 размещений, 21 размещение, 25 размещений, 101 размещение',
  '0 событий, 1 событие, 2 события, 5 событий, 11 событий, 21 событие, 25 событий, 101 событие',
  '0 изменений, 1 изменение, 2 изменения, 5 изменений, 11 изменений, 21 изменение, 25 изменений, 101 изменение',
  '0 лидов, 1 лид, 2 лида, 5 лидов, 11 лидов, 21 лид, 25 лидов, 101 лид',
  '0 ошибок, 1 ошибка, 2 ошибки, 5 ошибок, 11 ошибок, 21 ошибка, 25 ошибок, 101 ошибка',
  '0 дней, 1 день, 2 дня, 5 дней, 11 дней, 21 день, 25 дней, 101 день',
  '0 лет, 1 год, 2 года, 5 лет, 11 лет, 21 год, 25 лет, 101 год',
  // After «больше».
  '0 лет, 1 года, 2 лет, 5 лет, 11 лет, 21 года, 25 лет, 101 года',
  '0 кампаний, 1 кампания, 2 кампании, 5 кампаний, 11 кампаний, 21 кампания, 25 кампаний, 101 кампания',
  '0 участников, 1 участник, 2 участника, 5 участников, 11 участников, 21 участник, 25 участников, 101 участник',
  '0 документов, 1 документ, 2 документа, 5 документов, 11 документов, 21 документ, 25 документов, 101 документ',
  '0 подключений, 1 подключение, 2 подключения, 5 подключений, 11 подключений, 21 подключение, 25 подключений, 101 подключение',
  '0 попыток, 1 попытка, 2 попытки, 5 попыток, 11 попыток, 21 попытка, 25 попыток, 101 попытка',
  // Of what was taken along or given more than once.
  '0 раз, 1 раз, 2 раза, 5 раз, 11 раз, 21 раз, 25 раз, 101 раз',
  '0 черновиков, 1 черновик, 2 черновика, 5 черновиков, 11 черновиков, 21 черновик, 25 черновиков, 101 черновик',
  // Moved with a merge: «получит 1 заметку».
  '0 заметок, 1 заметку, 2 заметки, 5 заметок, 11 заметок, 21 заметку, 25 заметок, 101 заметку',
  // Of the bell: «уведомления: 2 непрочитанных».
  '0 непрочитанных, 1 непрочитанное, 2 непрочитанных, 5 непрочитанных, 11 непрочитанных, 21 непрочитанное, 25 непрочитанных, 101 непрочитанное',
  // After «из» and «не меньше».
  '0 контрагентов, 1 контрагента, 2 контрагентов, 5 контрагентов, 11 контрагентов, 21 контрагента, 25 контрагентов, 101 контрагента',
  '0 событий, 1 события, 2 событий, 5 событий, 11 событий, 21 события, 25 событий, 101 события',
  // Of campaigns.
  '0 завершено, 1 завершена, 2 завершены, 5 завершено, 11 завершено, 21 завершена, 25 завершено, 101 завершена',
  // Of days, before the number.
  '0 осталось, 1 остался, 2 осталось, 5 осталось, 11 осталось, 21 остался, 25 осталось, 101 остался',
  // Of a figure: «с 2 неотправленными», «подтверждено, без 2 неотправленных».
  '0 неотправленными, 1 неотправленной, 2 неотправленными, 5 неотправленными, 11 неотправленными, 21 неотправленной, 25 неотправленными, 101 неотправленной',
  // Of unsent changes.
  '0 ждут отправки и уйдут сами, 1 ждёт отправки и уйдёт само, 2 ждут отправки и уйдут сами, 5 ждут отправки и уйдут сами, 11 ждут отправки и уйдут сами, 21 ждёт отправки и уйдёт само, 25 ждут отправки и уйдут сами, 101 ждёт отправки и уйдёт само',
  '0 неотправленных, 1 неотправленной, 2 неотправленных, 5 неотправленных, 11 неотправленных, 21 неотправленной, 25 неотправленных, 101 неотправленной',
];

const said = ([one, few, many]: readonly [string, string, string]): string =>
  counts.map((count) => `${count} ${plural(count, one, few, many)}`).join(', ');

describe('numbers and their words', () => {
  test('RU-5 no number stands before a word that would have to follow it: those take `plural`', () => {
    const bare = found.flatMap(({ spoken }) => spoken).filter(({ word }) => !unchanging.has(word));
    expect(bare.map(line).filter((one) => !noNumbers.includes(one))).toEqual([]);
  });

  test('RU-6 nothing is excused that is not there any more', () => {
    const all = new Set(found.flatMap(({ spoken }) => spoken).map(line));
    expect(noNumbers.filter((one) => !all.has(one))).toEqual([]);
  });

  test('RU-7 every word that is said with a number is right after 0, 1, 2, 5, 11, 21, 25 and 101', () => {
    const forms = found.flatMap((one) => one.forms);
    expect(forms.length).toBeGreaterThan(20);
    expect(forms, 'forms are plain texts').not.toContain(null);
    const texts = new Set(forms.flatMap((one) => (one === null ? [] : [said(one)])));
    expect([...texts].filter((text) => !words.includes(text))).toEqual([]);
    expect(
      words.filter((text) => !texts.has(text)),
      'a word that is not said any more',
    ).toEqual([]);
  });

  test.each([
    ['const a = `${count} событий`;', 'count событий'],
    [`const a = \`\${list.length}${nbsp}лидов\`;`, 'list.length лидов'],
    ["const a = count + ' строк';", 'count строк'],
    ['const a = <p>Показано {count} событий</p>;', 'count событий'],
    ["const a = <p>{count}{' '}\n  событий</p>;", 'count событий'],
    ['const a = <p>Показано <b>{count}</b> событий</p>;', 'count событий'],
  ])('RU-8 a number before a bare word is found in %s', (source, expected) => {
    expect(countWordsOf('a.tsx', source).spoken.map(line)).toEqual([expected]);
  });

  test('RU-9 a word that follows its number is no bare word', () => {
    const source = "const a = `${count} ${plural(count, 'лид', 'лида', 'лидов')}`;";
    expect(countWordsOf('a.tsx', source)).toEqual({ spoken: [], forms: [['лид', 'лида', 'лидов']] });
  });
});
