import type { Teller } from '@zakup/service-kit/refusal-text';
import { runMain } from '@zakup/service-kit/run-main';
import { fileTellers } from '../file-tellers.ts';
import { stopOnSignals } from '../tools/stop-on-signals.ts';
import { isRight, verifiedText, verifyStores } from './verify-stores.ts';

const [healing, late, forgetting] = ['--heal', '--late-seals', '--forget-seals'];
const wishesKnown: readonly string[] = [healing, late, forgetting];

/** The command line says something else. */
class UnknownWish extends Error {
  override readonly name = 'UnknownWish';
}

const wanted: Teller = (error) =>
  error instanceof UnknownWish
    ? 'npm run verify сравнивает, npm run verify -- --heal ещё и исправляет; --late-seals: о печатях, сделанных с опозданием, известно; --forget-seals: забыть прежние печати, если они потеряны'
    : null;
const brokenOff: Teller = (error) => (error.name === 'AbortError' ? 'Прервано.' : null);

await runMain({
  process,
  refusal: 'Проверка не закончена.',
  tellers: [wanted, brokenOff, ...fileTellers],
  async start({ config, log, exit }, print) {
    const wishes = process.argv.slice(2);
    if (wishes.some((wish) => !wishesKnown.includes(wish))) throw new UnknownWish(wishes.join(' '));
    const signal = stopOnSignals(process, exit);
    const verified = await verifyStores({
      config,
      log,
      print,
      signal,
      heal: wishes.includes(healing),
      forgetsSeals: wishes.includes(forgetting),
      lateIsKnown: wishes.includes(late),
    });
    for (const line of verifiedText(verified)) print(line);
    exit(isRight(verified) ? 0 : 1);
  },
});
