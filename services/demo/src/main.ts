import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runMain } from '@zakup/service-kit/run-main';
import { DataDirRefused } from '@zakup/standalone/data-dir/data-dir-refused';
import { fileTellers } from '@zakup/standalone/file-tellers';
import { startStandalone } from '@zakup/standalone/standalone';
import { demo } from './fill-demo.ts';
import { colleagues } from './live/colleagues.ts';
import { demoPassword, loginLines } from './logins.ts';
import { demoScale } from './story/story.ts';

const { values } = parseArgs({ options: { live: { type: 'boolean', default: false } } });
/** Some hours of work. */
const mostActs = 5_000;

const given = process.env['DATA_DIR'] ?? '';
process.env['DATA_DIR'] = given === '' ? './data-demo' : given;
// Colleagues call without end: a line for each would bury what is for people.
process.env['LOG_LEVEL'] ??= 'warn';

await runMain({
  process,
  refusal: 'Демо не запущено.',
  tellers: fileTellers,
  async start({ config, ...start }, print) {
    if (config.eventStoreDbUrl !== null || config.mongoDbUrl !== null) {
      throw new DataDirRefused(
        config.dataDir,
        'Демо хранит всё в своей папке: уберите EVENTSTOREDB_URL и MONGODB_URL.',
      );
    }
    const began = performance.now();
    let made = false;
    const { address, opened, ready } = await startStandalone({
      ...start,
      config: { ...config, adminPassword: config.adminPassword ?? demoPassword },
      webDist: fileURLToPath(new URL('../../../web/dist', import.meta.url)),
      demo: demo({
        scale: demoScale,
        now: Date.now,
        onProgress: (percent) => {
          if (!made) print('Первый запуск: собираю год работы демо-команды.');
          made = true;
          print(`  ${String(percent).padStart(3)} %${percent === 100 ? ', собираю модели чтения' : ''}`);
        },
      }),
    });
    await opened;
    await ready;
    if (made) print(`  готово за ${Math.ceil((performance.now() - began) / 1000)} с`);
    print(`\nДемо Zakup готово: ${address}`);
    print(`  данные           ${config.dataDir} (останутся до следующего запуска)`);
    for (const line of loginLines()) print(line);
    print(`  Администратор   ${address}/admin, логин ${config.adminLogin}`);
    if (config.host !== '127.0.0.1') print('Пароли демо известны всем: не открывайте его наружу.');
    print('');
    if (!values.live) return;
    const stopped = new AbortController();
    for (const signal of ['SIGTERM', 'SIGINT']) start.signals.once(signal, () => stopped.abort());
    print('Коллеги вышли на работу: размещения, лиды, оплаты и заметки появляются сами.');
    void colleagues({ address, seed: demoScale.seed, most: mostActs, signal: stopped.signal }).then(
      ({ acts }) => stopped.signal.aborted || print(`Коллеги закончили: действий ${acts}.`),
      (error: unknown) => print(`Коллеги остановились: ${error instanceof Error ? error.message : String(error)}`),
    );
  },
});
