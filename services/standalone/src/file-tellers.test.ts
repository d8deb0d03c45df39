import { CorruptEvent, EventStoreUnavailable, LogBehind } from '@zakup/event-store/event-store';
import { CorruptDocument } from '@zakup/read-store/read-store';
import { refusalText } from '@zakup/service-kit/refusal-text';
import { type FileFault, UnusableFile } from '@zakup/sqlite/unusable-file';
import { expect, test } from 'vitest';
import { DataDirRefused } from './data-dir/data-dir-refused.ts';
import { fileTellers } from './file-tellers.ts';

const said = (error: unknown): string => refusalText(error, 3000, fileTellers);
const system = (members: Readonly<Record<string, string>>): Error => Object.assign(new Error('system'), members);

test.each<FileFault>(['damaged', 'cut_off', 'foreign', 'newer', 'inaccessible', 'full', 'busy', 'other'])(
  'REF-1 a file that is %s is named in a Russian sentence, however deep the error lies',
  (fault) => {
    const cause = new UnusableFile('/data/events.db', fault, 'причина');
    const text = said(new EventStoreUnavailable('Event log', { cause }));
    expect(text).toContain('/data/events.db');
    const words = text
      .replaceAll(/\/data\/\S+/g, '')
      .replaceAll(/\(npm run \w+\)/g, '')
      .replaceAll('Zakup', '');
    expect(words).not.toMatch(/[a-z]/i);
  },
);

test('REF-2 it says what brings a file back: read models and head mark are made anew, the rest comes from a copy', () => {
  const damaged = (file: string): string => said(new UnusableFile(`/data/${file}`, 'damaged', ''));
  expect(damaged('read-models.db-wal')).toContain('соберутся заново');
  expect(damaged('events.db.head')).toContain('удалите этот файл');
  expect(damaged('credentials.db-wal')).toContain('из копии');
});

test('REF-3 a log that is behind is told with both positions and who knows better', () => {
  expect(said(new LogBehind('/data/events.db', 5, 8, '/data/events.db.head'))).toContain(
    'Журнал /data/events.db заканчивается на позиции 5, а по /data/events.db.head он доходил до 8',
  );
  expect(said(new LogBehind('/data/events.db', 0, 8, '/data/read-models.db'))).toContain('нет или он пуст');
});

test('REF-4 damaged events and documents are told with their place', () => {
  expect(said(new CorruptEvent('/data/events.db', 7))).toContain('Событие на позиции 7 в /data/events.db повреждено');
  expect(said(new CorruptDocument('/data/read-models.db', 'placement', 'p', '3f00'))).toContain('Документ placement/p');
});

test('REF-5 a port is only meant where listening failed', () => {
  expect(said(system({ code: 'EADDRINUSE', syscall: 'listen' }))).toBe('PORT: порт 3000 занят другой программой');
  expect(said(system({ code: 'EACCES', syscall: 'listen' }))).toBe('PORT: порт 3000 не дают открыть');
  expect(said(system({ code: 'EACCES', syscall: 'open', path: '/data/keys' }))).toBe(
    'Файл /data/keys недоступен (EACCES).',
  );
});

test('REF-6 a text for the operator stays as it is, and what nobody knows is told as it came', () => {
  expect(said(new DataDirRefused('/data', 'Занято.'))).toBe('Занято.');
  expect(said(new Error('odd'))).toBe('Непредвиденная ошибка: odd');
  expect(said('odd')).toBe('Непредвиденная ошибка: odd');
});
