import { ProjectorEnded } from '@zakup/projector/run-projector';
import { LeaseLost } from '@zakup/projections/projection';
import { StoppedOpening } from '@zakup/service-kit/opening';
import type { Teller } from '@zakup/service-kit/refusal-text';
import { runMain } from '@zakup/service-kit/run-main';
import { fileTellers } from '../file-tellers.ts';
import { rebuildStores } from './rebuild-stores.ts';

const brokenOff: Teller = (error) => {
  if (error instanceof LeaseLost) return 'Модели чтения взял другой процесс. Остановите его и повторите сборку.';
  return error instanceof ProjectorEnded || error instanceof StoppedOpening
    ? 'Прервано. Оставшееся догонит projector (или npm start), либо повторите сборку: она начнётся сначала.'
    : null;
};
const wanted: Teller = (error) =>
  error.name === 'UnknownProjection' ? 'Что собрать заново? Сейчас умеем всё сразу: npm run rebuild -- all' : null;

/** The command line names something else than `all`. */
class UnknownProjection extends Error {
  override readonly name = 'UnknownProjection';
}

await runMain({
  process,
  refusal: 'Модели чтения не собраны.',
  tellers: [brokenOff, wanted, ...fileTellers],
  async start({ config, log, exit }, print) {
    const [, , what] = process.argv;
    if (what !== 'all') throw new UnknownProjection(what);
    const stop = new AbortController();
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        if (stop.signal.aborted) exit(1);
        stop.abort();
      });
    }
    const { events, milliseconds } = await rebuildStores({ config, log, print, signal: stop.signal });
    print(`Модели чтения собраны заново: событий ${events}, ${(milliseconds / 1000).toFixed(1)} с`);
    exit(0);
  },
});
