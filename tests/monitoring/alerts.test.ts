import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { accessJournal } from '@zakup/command/auth/access-journal';
import { noticeNames } from '@zakup/contracts/notices';
import { declaredFields } from '@zakup/contracts/read-models';
import { showStatus } from '@zakup/gateway/read-models/status-metrics';
import { countIn } from '@zakup/projector/project';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { appMetrics, httpMetrics, type Metrics, metricsRoute, metricsText } from '@zakup/service-kit/metrics';
import express from 'express';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { textOf } from '../architecture/repository-files.ts';
import { hasPromtool, said } from './promtool.ts';
import { type Look, seriesOf } from './scraped.ts';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

const rulesText = textOf('deploy/monitoring/alerts.yml');
const exprs = new Map(
  (parse(rulesText) as Rules).groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
);
const alerts = [...exprs.keys()];

/** What goes on in a process. */
interface Trial {
  /** Each minute while all is well; default: nothing. */
  readonly calm?: () => unknown;
  /** Each minute once it is not. `minute`: from 0. */
  readonly bad: (minute: number) => unknown;
  /** What a look at its figures brings; default: their text. */
  readonly look?: () => Promise<Look>;
  readonly end?: () => unknown;
}

/** Minutes of both, and between two looks at the rules. */
interface Spans {
  readonly calm?: number;
  readonly bad?: number;
  readonly every?: number;
}

const pressing = (metrics: Metrics): Trial => {
  const app = express();
  let isBroken = false;
  let clock = 0;
  app.use(httpMetrics(metrics));
  app.get('/metrics', metricsRoute(metrics, { now: () => (clock += 60_000) }));
  app.get('/calls', (_, response) => void response.sendStatus(isBroken ? 500 : 200));
  const server = app.listen(0, '127.0.0.1');
  const begun = once(server, 'listening');
  const asked = async (path: string): Promise<Look> => {
    await begun;
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return answer.text();
  };
  /** Health checks of containers and looks at the figures, far more than a small team asks for. */
  const askedByWatchers = (): void => {
    for (let count = 0; count < 60; count += 1)
      metrics.httpDuration.observe({ method: 'GET', route: '/readyz', status: '200' }, 0.001);
  };
  return {
    calm: async () => {
      askedByWatchers();
      await asked('/calls');
    },
    bad: async () => {
      askedByWatchers();
      isBroken = true;
      await asked('/calls');
    },
    look: () => asked('/metrics'),
    end: () => server.close().closeAllConnections(),
  };
};

/** A process that is there, and is not. */
const ending = (metrics: Metrics): Trial => {
  const { end = () => undefined, look } = pressing(metrics);
  let isOver = false;
  return {
    bad: () => {
      if (!isOver) end();
      isOver = true;
    },
    look: async () => (await look?.().catch(() => null)) ?? null,
    end,
  };
};

/** What the projector notes for others, as the gateway shows it. */
const noted = (metrics: Metrics, note: (store: ReturnType<typeof inMemoryReadStore>) => Promise<void>): Trial => {
  const readStore = inMemoryReadStore({ declared: declaredFields });
  showStatus({ metrics, readStore, now: () => 0 });
  return { bad: () => note(readStore) };
};

const parked = {
  kind: 'parked',
  id: '3f',
  licenceId: '3f',
  scopes: [],
  left: [],
  position: 6,
  deleted: false,
  data: { position: 5, failedAt: 6, reason: 'Unknown event type X' },
};

/** At the first call alone. */
const first = (run: () => void): (() => void) => {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
};

/** The thread does nothing else for so many milliseconds. */
const hold = (milliseconds: number): void => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const trials: Readonly<Record<string, readonly [(metrics: Metrics) => Trial, Spans?]>> = {
  ZakupDown: [ending],
  ZakupErrors: [pressing],
  ZakupSlowWrites: [
    ({ appendLatency }) => ({
      calm: () => appendLatency.observe({ outcome: 'appended' }, 0.004),
      bad: () => appendLatency.observe({ outcome: 'appended' }, 0.8),
    }),
  ],
  ZakupReadingBehind: [
    (metrics) => {
      const count = countIn(metrics);
      return { calm: () => count({ of: 'lag', seconds: 0.02 }), bad: () => count({ of: 'lag', seconds: 3 }) };
    },
  ],
  ZakupHistoryRefused: [
    (metrics) =>
      noted(metrics, (store) =>
        store.note(noticeNames.sealing, { refused: [{ licenceId: '3f', number: 2, position: 7 }] }),
      ),
  ],
  ZakupWitnessFailing: [
    (metrics) => {
      const count = countIn(metrics);
      return {
        calm: () => count({ of: 'witness', outcome: 'told' }),
        bad: () => count({ of: 'witness', outcome: 'failed' }),
      };
    },
  ],
  ZakupLicenceParked: [
    (metrics) =>
      noted(metrics, (store) =>
        store.commit({ docs: [parked], checkpoint: { partition: 'all', position: 6, fence: 1 } }).then(() => undefined),
      ),
  ],
  ZakupFiguresDiffered: [
    (metrics) => {
      const count = countIn(metrics);
      return {
        calm: () => count({ of: 'self_check', outcome: 'checked', count: 1 }),
        bad: first(() => count({ of: 'self_check', outcome: 'different', count: 1 })),
      };
    },
  ],
  ZakupClockAhead: [({ clockAhead }) => ({ bad: () => clockAhead.set(1) })],
  ZakupBackupFailed: [
    ({ backupLast, backupOk }) => ({
      calm: () => [backupLast.set(60), backupOk.set(1)],
      bad: () => [backupLast.set(1800), backupOk.set(0)],
    }),
  ],
  ZakupBackupLate: [
    (metrics) => {
      // Somebody makes one by hand, and the process none by itself, until it is told to.
      metrics.backupLast.set(60);
      metrics.backupOk.set(1);
      let text = metricsText(metrics);
      return {
        bad(minute) {
          if (minute > 0) return;
          metrics.backupEvery.set(24 * 3600);
          text = metricsText(metrics);
        },
        look: () => text,
      };
    },
    { calm: 30 * 60 + 1, bad: 60, every: 30 },
  ],
  ZakupThreadEnded: [({ readingThreadEnds }) => ({ bad: first(() => readingThreadEnds.inc()) }), { bad: 5 }],
  ZakupAccessEntriesLost: [({ lostAccessEntries }) => ({ bad: first(() => lostAccessEntries.inc(3)) })],
  ZakupCommandsLost: [({ leftPlans }) => ({ bad: first(() => leftPlans.inc({ outcome: 'lost' })) })],
  ZakupWebhookFailing: [
    ({ webhooks }) => ({
      calm: () => [webhooks.set({ status: 'active' }, 1), webhooks.set({ status: 'failing' }, 0)],
      bad: () => [webhooks.set({ status: 'active' }, 0), webhooks.set({ status: 'failing' }, 1)],
    }),
  ],
  ZakupGuessing: [
    (metrics) => {
      const journal = accessJournal({
        metrics,
        now: () => 0,
        newId: randomUUID,
        readOnly: () => null,
        log: { error: () => undefined, warn: () => undefined, info: () => undefined },
        eventStore: { append: () => Promise.reject(new Error('nothing is written')) },
      } as never);
      const refuse = () =>
        journal.refused({ holder: null, door: 'employee', reason: 'wrong', network: '10.0.0.0/24' } as never);
      return {
        calm: refuse,
        bad: () => Array.from({ length: 60 }, refuse),
        end: () => journal.stop(),
      };
    },
  ],
  ZakupLoopHeld: [
    (metrics) => {
      let text: Look = null;
      return {
        bad: async (minute) => {
          if (minute > 0) return;
          // What is measured is the time from one turn of its own to the next.
          hold(50);
          await turn();
          await turn();
          hold(600);
          await turn();
          await turn();
          text = await metricsText(metrics);
        },
        look: async () => text,
      };
    },
    { calm: 0 },
  ],
};

/** In which every alert of the table comes by, unless it says otherwise. */
const spans = { calm: 10, bad: 40, every: 1 };

const looksOf = async ({ calm = () => undefined, bad, look }: Trial, minutes: Required<Spans>, metrics: Metrics) => {
  const looks: Look[] = [];
  for (let minute = 0; minute < minutes.calm + minutes.bad; minute += 1) {
    await (minute < minutes.calm ? calm() : bad(minute - minutes.calm));
    looks.push(await (look?.() ?? metricsText(metrics)));
  }
  return looks;
};

const firingOf = (alert: string): string => `count(ALERTS{alertname="${alert}",alertstate="firing"})`;

const testOf = async (alert: string) => {
  const [trialOf, own] = trials[alert] ?? [];
  if (trialOf === undefined) throw new Error(`no trial of ${alert}`);
  const minutes = { ...spans, ...own };
  const metrics = appMetrics({ runtime: alert === 'ZakupLoopHeld' });
  const trial = trialOf(metrics);
  return testText(alert, await looksOf(trial, minutes, metrics).finally(() => trial.end?.()), minutes);
};

/** Silent at the end of the calm minutes, firing at the end of the others. */
const testText = (alert: string, looks: readonly Look[], minutes: Required<Spans>): string => {
  const expr = firingOf(alert);
  const test = {
    interval: '1m',
    input_series: seriesOf(looks, (name) => exprs.get(alert)?.includes(name) === true),
    promql_expr_test: [
      ...(minutes.calm > 0 ? [{ expr, eval_time: `${minutes.calm - 1}m`, exp_samples: [] }] : []),
      { expr, eval_time: `${looks.length - 1}m`, exp_samples: [{ labels: '{}', value: 1 }] },
    ],
  };
  return JSON.stringify({ rule_files: ['alerts.yml'], evaluation_interval: `${minutes.every}m`, tests: [test] });
};

it('MON-3402 every alert has a trial that causes what it is for', () => {
  expect(alerts).toEqual(Object.keys(trials));
});

it('MON-3413 a witness of the seals fails no more where another process tells it', async () => {
  const metrics = appMetrics();
  const count = countIn(metrics);
  const failing = async () => (await metrics.sealWitnessFailing.get()).values[0]?.value;
  count({ of: 'witness', outcome: 'failed' });
  expect(await failing()).toBe(1);
  count({ of: 'witness', outcome: 'over' });
  expect(await failing()).toBe(0);
});

describe.skipIf(!hasPromtool)('alerts of Prometheus, by promtool', () => {
  /** What it says of all trials, made at once: it takes longer to start than to judge. */
  let judged = '';

  beforeAll(async () => {
    const files: Record<string, string> = { 'alerts.yml': rulesText };
    for (const alert of alerts) files[`${alert}.yml`] = await testOf(alert);
    const names = alerts.map((alert) => `${alert}.yml`);
    judged = await said(['test', 'rules', ...names], files).catch((error: unknown) => String(error));
  });

  it('MON-3412 ZakupDown fires as well where no copy of a service is found any more', async () => {
    const text = await metricsText(appMetrics());
    const looks = [...Array<Look>(spans.calm).fill(text), ...Array<Look>(spans.bad).fill(undefined)];
    const files = { 'alerts.yml': rulesText, 'gone.yml': testText('ZakupDown', looks, spans) };
    expect(await said(['test', 'rules', 'gone.yml'], files)).toContain('SUCCESS');
  });

  it('MON-3403 the rules are rules', async () => {
    expect(await said(['check', 'rules', 'alerts.yml'], { 'alerts.yml': rulesText })).toContain(
      `${alerts.length} rules`,
    );
  });

  it.each(alerts)('MON-3404 %s is silent while all is well, and fires once it is not', (alert) => {
    expect(judged).toContain(`Unit Testing:  ${alert}.yml\n  SUCCESS\n`);
  });
});
