import { fileURLToPath } from 'node:url';
import { runMain } from '@zakup/service-kit/run-main';
import { fileTellers } from './file-tellers.ts';
import { startStandalone } from './standalone.ts';

await runMain({
  process,
  refusal: 'Zakup не запущен.',
  tellers: fileTellers,
  async start(start, print) {
    let madeAdminPassword: string | null = null;
    const { address, opened, ready, stores } = await startStandalone({
      ...start,
      webDist: fileURLToPath(new URL('../../../web/dist', import.meta.url)),
      onMadeAdmin: (password) => {
        madeAdminPassword = password;
      },
    });
    await opened;
    // At once, before anything else can go wrong: a made password is shown this one time.
    print(`Администратор: ${address}/admin, логин ${start.config.adminLogin}`);
    if (madeAdminPassword !== null) print(`  пароль           ${String(madeAdminPassword)} (показан один раз)`);
    await ready;
    print(`\nZakup готов: ${address}`);
    print(`  журнал событий   ${stores.events}`);
    print(`  модели чтения    ${stores.readModels}`);
    print(`  доступы          ${stores.credentials}`);
    print('  другие хранилища: EVENTSTOREDB_URL и MONGODB_URL, см. README');
    print('');
  },
});
