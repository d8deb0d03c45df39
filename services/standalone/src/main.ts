import { fileURLToPath } from 'node:url';
import { readConfig } from '@zakup/service-kit/config';
import { jsonLog } from '@zakup/service-kit/log';
import { refusalText } from './refusal-text.ts';
import { type Standalone, startStandalone } from './standalone.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const refuse = (lines: readonly string[]): never => {
  process.stderr.write(`Zakup не запущен.\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
  process.exit(1);
};

const checked = readConfig(process.env);
if (checked.kind === 'invalid') refuse(checked.problems);
else {
  const { config, warnings } = checked;
  if (config.eventStoreDbUrl !== null || config.mongoDbUrl !== null)
    refuse([
      'EVENTSTOREDB_URL, MONGODB_URL: эта версия работает только на встроенных хранилищах, уберите обе настройки',
    ]);
  for (const warning of warnings) print(warning);
  const log = jsonLog({ level: config.logLevel });
  try {
    const standalone = await startStandalone({
      config,
      log,
      webDist: fileURLToPath(new URL('../../../web/dist', import.meta.url)),
      signals: process,
      exit: (code) => process.exit(code),
    });
    announceAdmin(standalone, config.adminLogin);
    await standalone.ready;
    announce(standalone);
  } catch (error) {
    refuse([refusalText(error, config.port)]);
  }
}

/** At once, before anything else can go wrong: a made password is shown this one time. */
function announceAdmin({ address, madeAdminPassword }: Standalone, adminLogin: string): void {
  print(`Администратор: ${address}/admin, логин ${adminLogin}`);
  if (madeAdminPassword !== null) print(`  пароль           ${madeAdminPassword} (показан один раз)`);
}

function announce({ address, stores }: Standalone): void {
  print(`\nZakup готов: ${address}`);
  print(`  журнал событий   ${stores.events} (встроенный SQLite)`);
  print(`  модели чтения    ${stores.readModels} (встроенный SQLite)`);
  print(`  доступы          ${stores.credentials} (встроенный SQLite)`);
  print('');
}
