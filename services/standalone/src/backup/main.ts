import { join, resolve } from 'node:path';
import type { Teller } from '@zakup/service-kit/refusal-text';
import { runMain } from '@zakup/service-kit/run-main';
import { checkFile } from '@zakup/sqlite/check-file';
import { fileTellers } from '../file-tellers.ts';
import { keysElsewhere, refuseServers } from '../tools/embedded-only.ts';
import { progressLine } from '../tools/progress-line.ts';
import { stopOnSignals } from '../tools/stop-on-signals.ts';
import { backupParts, BackupRefused } from './manifest.ts';
import { takeBackup } from './take-backup.ts';

const whole = new Intl.NumberFormat('ru-RU');
const megabytes = (bytes: number): string => `${whole.format(Math.ceil(bytes / 1_000_000))} МБ`;

const brokenOff: Teller = (error) => (error.name === 'AbortError' ? 'Прервано. Неполная копия удалена.' : null);

await runMain({
  process,
  refusal: 'Копия не сделана.',
  tellers: [brokenOff, ...fileTellers],
  async start({ config, exit }, print) {
    const [target = '', ...others] = process.argv.slice(2);
    if (target === '' || others.length > 0)
      throw new BackupRefused('Куда копировать? Например: npm run backup -- /mnt/backups');
    refuseServers(config);
    const dataDir = resolve(config.dataDir);
    // Not while this process has the files open: that would free its locks on them.
    for (const path of backupParts.stores) checkFile(join(dataDir, path));
    const progress = progressLine(process.stdout);
    try {
      const { path, head, bytes } = await takeBackup({
        dataDir,
        target,
        now: Date.now(),
        signal: stopOnSignals(process, exit),
        onProgress: (done) =>
          progress.show(`Копирую: ${megabytes(done.bytes)} из ${megabytes(done.of)}`, done.bytes >= done.of),
      });
      progress.end();
      print(`Копия сделана: ${path}`);
      print(`  позиция журнала  ${head}`);
      print(`  размер           ${megabytes(bytes)}`);
      const elsewhere = keysElsewhere(config);
      if (elsewhere.length > 0) print(`  ключей из настроек в ней нет, сохраните их отдельно: ${elsewhere.join(', ')}`);
      print('В копии пароли и ключи: храните её там, куда нет доступа посторонним.');
    } finally {
      progress.end();
    }
    exit(0);
  },
});
