import type { Teller } from '@zakup/service-kit/refusal-text';
import { runMain } from '@zakup/service-kit/run-main';
import { BackupRefused } from '../backup/manifest.ts';
import { fileTellers } from '../file-tellers.ts';
import { rebuildStores } from '../rebuild/rebuild-stores.ts';
import { refuseServers } from '../tools/embedded-only.ts';
import { stopOnSignals } from '../tools/stop-on-signals.ts';
import { restoreBackup } from './restore-backup.ts';

const brokenOff: Teller = (error) => (error.name === 'AbortError' ? 'Прервано. Папка данных прежняя.' : null);

await runMain({
  process,
  refusal: 'Копия не возвращена.',
  tellers: [brokenOff, ...fileTellers],
  async start({ config, log, exit }, print) {
    const [from = '', ...others] = process.argv.slice(2);
    if (from === '' || others.length > 0)
      throw new BackupRefused(
        'Какую копию вернуть? Например: npm run restore -- /mnt/backups/zakup-2026-11-28T03-00-00Z',
      );
    refuseServers(config);
    const signal = stopOnSignals(process, exit);
    print('Проверяю копию…');
    const { path, head, next, createdAt } = await restoreBackup({
      from,
      dataDir: config.dataDir,
      now: Date.now(),
      signal,
      onFile: ({ path: file }) => print(`  ${file}`),
    });
    print(`Копия от ${createdAt} возвращена в ${path}`);
    print(`  позиция журнала  ${head}, новые события пойдут с ${next + 1}`);
    try {
      const { events } = await rebuildStores({ config, log, print, signal });
      print(`Модели чтения собраны: событий ${events}. Запускайте: npm start`);
    } catch (error) {
      // They are collected at the next start, too.
      log.warn({ err: error }, 'The read models were not built');
      print('Модели чтения не собраны: они соберутся при запуске. Запускайте: npm start');
    }
    exit(0);
  },
});
