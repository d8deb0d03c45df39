import type { Teller } from '@zakup/service-kit/refusal-text';
import { runMain } from '@zakup/service-kit/run-main';
import { fileTellers } from '../file-tellers.ts';
import { AdminNotReset, resetAdmin } from './reset-admin.ts';

const notReset: Teller = (error) => (error instanceof AdminNotReset ? error.message : null);

await runMain({
  process,
  refusal: 'Пароль администратора не сменён.',
  tellers: [notReset, ...fileTellers],
  async start({ config, log, exit }, print) {
    const password = await resetAdmin(config, log);
    print(`Администратор: логин ${config.adminLogin}, новый пароль ${password} (показан один раз)`);
    exit(0);
  },
});
