import type { Teller } from '@zakup/service-kit/refusal-text';
import { runMain } from '@zakup/service-kit/run-main';
import { BackupRefused } from '../backup/manifest.ts';
import { fileTellers } from '../file-tellers.ts';
import { refuseServers } from '../tools/embedded-only.ts';
import { stopOnSignals } from '../tools/stop-on-signals.ts';
import { damageText } from './damage-text.ts';
import { recoverLog } from './recover-log.ts';

const brokenOff: Teller = (error) => (error.name === 'AbortError' ? 'Прервано. Повторите команду.' : null);
const agreed = '--yes';

await runMain({
  process,
  refusal: 'Журнал не восстановлен.',
  tellers: [brokenOff, ...fileTellers],
  async start({ config, log, exit }, print) {
    const wishes = process.argv.slice(2);
    if (wishes.some((wish) => wish !== agreed))
      throw new BackupRefused(
        'npm run recover говорит, что потеряно; npm run recover -- --yes продолжает с тем, что цело',
      );
    refuseServers(config);
    const writes = wishes.includes(agreed);
    const signal = stopOnSignals(process, exit);
    const damage = await recoverLog({ config, log, print, signal }, { writes, now: Date.now() });
    if (damage === null) {
      print('Журнал цел.');
      return exit(0);
    }
    for (const line of damageText(damage)) print(line);
    if (!writes) {
      print('Ничего не изменено. Если есть копия, в которой больше: npm run restore -- <копия> в другую DATA_DIR.');
      print('Продолжить с тем, что цело: npm run recover -- --yes');
      return exit(2);
    }
    print('Журнал восстановлен с тем, что цело. Повреждённые файлы лежат рядом: <имя>.damaged-<время>.');
    print('Проверьте: npm run verify. Запускайте: npm start');
    exit(0);
  },
});
