import { inMemorySealStore } from '@zakup/seals/in-memory';
import { goingAway } from '@zakup/service-kit/testing/going-away';
import { testStart } from '@zakup/service-kit/testing/started';
import { afterEach, describe, expect, test } from 'vitest';
import { inProcessLeases } from './in-process-leases.ts';
import { projectorLease } from './leased-projector.ts';
import { historyAlarm } from './project.ts';
import { startProjector } from './start-projector.ts';
import { licenceId, licenceIssued, testLog, testReadStore } from '@zakup/projections/testing/given';

const servers = {
  eventStore: { setting: 'EVENTSTOREDB_URL', url: 'esdb://events:2113' },
  readStore: { setting: 'MONGODB_URL', url: 'mongodb://mongo/zakup' },
};
const sealKey = Buffer.alloc(32, 7).toString('base64url');
const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

const started = async (of = testLog(), leases = inProcessLeases({ fence: 1 })) => {
  const log = goingAway(of.eventStore);
  const readStore = testReadStore();
  const start = testStart();
  const service = await startProjector(start, { sealKey }, servers, async () => ({
    eventStore: log.store,
    readStore,
    leases,
    seals: inMemorySealStore(),
    heads: [],
  }));
  ended.push(() => service.shutdown.stop('the test ends'));
  const readyz = async () => {
    const answer = await fetch(`${service.address}/readyz`);
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  return { ...service, start, readStore, log, readyz };
};

describe('the projector as a process of its own', () => {
  test('SVC-1343 licences that stand still since their log is not what was sealed are told by /readyz beside the state', () => {
    expect([historyAlarm(null), historyAlarm({ doubted: () => [], witnessFails: () => false })]).toEqual([{}, {}]);
    expect(historyAlarm({ doubted: () => ['3f1', '4a1'], witnessFails: () => false })).toEqual({
      history: 'журнал не сходится с печатями, или они повреждены; остановлены лицензии: 3f1, 4a1',
    });
  });

  test('SVC-26 is ready, and says that it leads, once the read models have caught up', async () => {
    const log = testLog();
    const position = await log.append(['licence', licenceId, licenceIssued]);
    const projector = await started(log);
    await projector.ready;
    expect(await projector.readyz()).toEqual({ status: 'ready', projector: 'leading' });
    expect((await projector.readStore.checkpoint('all'))?.position).toBe(position);
    expect((await fetch(`${projector.address}/api/campaigns`)).status).toBe(404);
  });

  test('SVC-27 a copy that stands by is ready while the read models follow the log, and not before they do', async () => {
    const log = testLog();
    await log.append(['licence', licenceId, licenceIssued]);
    const leases = inProcessLeases({ fence: 1 });
    const other = await leases.acquire(projectorLease, new AbortController().signal);
    const standby = await started(log, leases);
    await standby.opened;
    await expect.poll(standby.readyz).toMatchObject({ status: 'not_ready', projector: 'standby' });
    const head = await log.eventStore.head();
    await standby.readStore.commit({ docs: [], checkpoint: { partition: 'all', position: head, fence: 1 } });
    await standby.ready;
    expect(await standby.readyz()).toEqual({ status: 'ready', projector: 'standby' });
    await other?.release();
    await expect.poll(standby.readyz).toEqual({ status: 'ready', projector: 'leading' });
  });

  test('SVC-28 while the log is away it says so, and then it catches up by itself', async () => {
    const log = testLog();
    const projector = await started(log);
    await projector.ready;
    projector.log.away = true;
    await expect.poll(projector.readyz).toMatchObject({
      status: 'not_ready',
      reasons: { EVENTSTOREDB_URL: 'EVENTSTOREDB_URL: сервер events:2113 не отвечает' },
    });
    const position = await log.append(['licence', licenceId, licenceIssued]);
    projector.log.away = false;
    await expect.poll(projector.readyz).toMatchObject({ status: 'ready' });
    await expect.poll(async () => (await projector.readStore.checkpoint('all'))?.position).toBe(position);
  });

  test('SVC-29 told to stop, it lets the lease go after its last commit and exits with 0', async () => {
    const leases = inProcessLeases({ fence: 1 });
    const projector = await started(testLog(), leases);
    await projector.ready;
    projector.start.signals.emit('SIGTERM');
    expect(await projector.start.exited).toBe(0);
    const next = await leases.acquire(projectorLease, new AbortController().signal);
    expect(next?.fence).toBe(2);
  });
});
