import type { Teller } from '@zakup/service-kit/refusal-text';
import { runMain } from '@zakup/service-kit/run-main';
import { BackupRefused } from '../backup/manifest.ts';
import { keyFiles } from '../data-dir/data-dir-secrets.ts';
import { fileTellers } from '../file-tellers.ts';
import { progressLine } from '../tools/progress-line.ts';
import { stopOnSignals } from '../tools/stop-on-signals.ts';
import { type Migrated, migrate } from './migrate.ts';
import { sealFaultText } from '../verify/verify-seals.ts';
import { openSource } from './source.ts';
import { openTarget } from './target.ts';

const usage =
  'Откуда перенести? Например: npm run migrate -- --from ./data (и EVENTSTOREDB_URL с MONGODB_URL, куда). --dry-run: только проверить.';

const wishesOf = (words: readonly string[]): { readonly from: string; readonly dryRun: boolean } => {
  const left = words.filter((word) => word !== '--dry-run');
  const [option, from, ...others] = left;
  if (option !== '--from' || from === undefined || from.startsWith('--') || others.length > 0)
    throw new BackupRefused(usage);
  return { from, dryRun: left.length < words.length };
};

const brokenOff: Teller = (error) =>
  error.name === 'AbortError' ? 'Прервано. Запустите ту же команду: перенос продолжится.' : null;

const stepText = { checked: 'Проверено', moved: 'Перенесено', compared: 'Сверено' } as const;

const settingsText = (path: string): readonly string[] => {
  const files = keyFiles(path);
  return [
    'Службам нужны ключи источника (скопируйте файлы и назовите их в настройках):',
    `  JWT_SECRET_FILE        ${files.jwtSecret}`,
    `  CREDENTIALS_KEY_FILE   ${files.credentialsKey}`,
    `  ACCESS_CODES_KEY_FILE  ${files.accessCodesKey}`,
    `  SEAL_KEY_FILE          ${files.sealKey}`,
    'Ключ, который источнику задавали настройкой, задайте той же настройкой.',
  ];
};

const faultTexts = (faults: Migrated['faults']): readonly string[] =>
  faults.length === 0
    ? []
    : [
        ...faults.map(sealFaultText),
        'История перенесена такой, какой была в папке: её меняли до переноса. Сначала разберитесь, что в ней не то.',
      ];

const resultText = (
  { kind, events, streams, commands, credentials, seals, difference, doneAt, faults }: Migrated,
  path: string,
) => {
  const amounts = `событий ${events}, потоков ${streams}, команд ${commands}`;
  switch (kind) {
    case 'planned':
      return [`Будет перенесено: ${amounts}. Ничего не записано.`];
    case 'before':
      return [`Эта папка уже перенесена ${doneAt}: ${amounts}. Ничего не записано.`, ...faultTexts(faults)];
    case 'different':
      return [`НЕ СОШЛОСЬ: ${difference}`, 'Перенос не закончен, источник прежний. Начните на пустых серверах.'];
    case 'done':
      return [
        `Перенесено и сверено: ${amounts}, строк учётных данных ${credentials}, печатей ${seals}.`,
        ...faultTexts(faults),
        ...settingsText(path),
        faults.length === 0
          ? 'Запустите службы: модели чтения соберутся сами. Папку источника больше не запускайте.'
          : 'Пока не разобрались, служб не запускайте, и папку источника тоже.',
      ];
  }
};

await runMain({
  process,
  refusal: 'Перенос не закончен.',
  tellers: [brokenOff, ...fileTellers],
  async start({ config, exit }, print) {
    const { from, dryRun } = wishesOf(process.argv.slice(2));
    const { eventStoreDbUrl, eventStoreDbNamespace, mongoDbUrl } = config;
    if (eventStoreDbUrl === null || mongoDbUrl === null)
      throw new BackupRefused('Куда перенести? Задайте EVENTSTOREDB_URL и MONGODB_URL.');
    const signal = stopOnSignals(process, exit);
    const source = await openSource(from);
    const line = progressLine(process.stdout);
    let code = 0;
    try {
      const target = await openTarget({
        eventStoreDbUrl,
        eventStoreDbNamespace: eventStoreDbNamespace ?? undefined,
        mongoDbUrl,
      });
      try {
        const began = performance.now();
        const migrated = await migrate({
          source,
          target,
          now: Date.now(),
          signal,
          dryRun,
          onProgress: (step, events, of) => {
            const rate = Math.round(events / ((performance.now() - began) / 1_000));
            line.show(`${stepText[step]} событий: ${events} из ${of}, с начала ${rate} в секунду`);
          },
        });
        line.end();
        if (migrated.wentOnFrom !== null && migrated.kind !== 'before')
          print(`Продолжено с позиции источника ${migrated.wentOnFrom}.`);
        for (const text of resultText(migrated, source.path)) print(text);
        code = migrated.kind === 'different' ? 2 : migrated.faults.length > 0 ? 3 : 0;
      } finally {
        await target.close();
      }
    } finally {
      line.end();
      await source.close();
    }
    exit(code);
  },
});
