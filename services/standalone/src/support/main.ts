import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { settingNames } from '@zakup/service-kit/config';
import { runMain } from '@zakup/service-kit/run-main';
import type { Teller } from '@zakup/service-kit/refusal-text';
import { fileTellers } from '../file-tellers.ts';
import { supportReport } from './support-report.ts';

/** The command line says something else. */
class UnknownWish extends Error {
  override readonly name = 'UnknownWish';
}

const wanted: Teller = (error) =>
  error instanceof UnknownWish ? 'Куда записать? Например: npm run support -- zakup-support.json' : null;
const isThere: Teller = (error) =>
  (error as { readonly code?: unknown }).code === 'EEXIST' ? 'Такой файл уже есть, назовите другой' : null;

await runMain({
  process,
  refusal: 'Файл для поддержки не записан.',
  tellers: [wanted, isThere, ...fileTellers],
  async start({ config, exit }, print) {
    const [named, ...others] = process.argv.slice(2);
    if (others.length > 0 || named?.startsWith('-') === true) throw new UnknownWish();
    const now = Date.now();
    const path = resolve(
      named ?? `zakup-support-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z.json`,
    );
    const report = await supportReport({ config, env: process.env, settings: settingNames, now });
    await writeFile(path, `${JSON.stringify(report, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    print(`Записано: ${path}`);
    print(
      'Имён, почты, ников, кодов, ключей и сумм в файле нет. Прочитайте его, прежде чем отправить, и приложите журнал работы за нужное время.',
    );
    exit(0);
  },
});
