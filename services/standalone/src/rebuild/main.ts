import { ProjectorEnded } from '@zakup/projector/run-projector';
import { LeaseLost } from '@zakup/projections/fenced-store';
import { StoppedOpening } from '@zakup/service-kit/opening';
import type { Teller } from '@zakup/service-kit/refusal-text';
import { runMain } from '@zakup/service-kit/run-main';
import { DataDirInUse } from '../data-dir/data-dir-refused.ts';
import { fileTellers } from '../file-tellers.ts';
import { stopOnSignals } from '../tools/stop-on-signals.ts';
import { verifiedText, verifyStores } from '../verify/verify-stores.ts';
import { askServer, ServerNotAsked } from './ask-server.ts';
import { rebuildStores } from './rebuild-stores.ts';

const brokenOff: Teller = (error) => {
  if (error instanceof LeaseLost) return 'Модели чтения взял другой процесс. Остановите его и повторите сборку.';
  return error instanceof ProjectorEnded || error instanceof StoppedOpening || error.name === 'AbortError'
    ? 'Прервано. Читаются прежние модели; повторите команду или запустите сервер: сборка продолжится с того же места.'
    : null;
};
const notAsked: Teller = (error) => (error instanceof ServerNotAsked ? error.message : null);
const wanted: Teller = (error) =>
  error.name === 'UnknownProjection'
    ? 'Что собрать заново? Всё: npm run rebuild -- all, или одну лицензию по её id'
    : null;

/** The command line names neither `all` nor a licence. */
class UnknownProjection extends Error {
  override readonly name = 'UnknownProjection';
}

await runMain({
  process,
  refusal: 'Модели чтения не собраны.',
  tellers: [brokenOff, wanted, notAsked, ...fileTellers],
  async start({ config, log, exit }, print) {
    const [, , what = ''] = process.argv;
    if (!/^(?:all|[0-9a-f]{4,})$/u.test(what)) throw new UnknownProjection(what);
    const options = { config, log, print, signal: stopOnSignals(process, exit) };
    try {
      if (what === 'all') {
        const { events, milliseconds } = await rebuildStores(options);
        print(`Модели чтения собраны заново: событий ${events}, ${(milliseconds / 1000).toFixed(1)} с`);
      } else {
        for (const line of verifiedText(await verifyStores({ ...options, licences: [what], heal: true }))) print(line);
      }
    } catch (error) {
      if (!(error instanceof DataDirInUse) || what !== 'all') throw error;
      await askServer(options);
      print('Модели чтения собраны заново');
    }
    exit(0);
  },
});
