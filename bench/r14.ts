import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { addPlacement, call, Refused, type Team, team } from '../tests/support/api.ts';
import { type Edition, oneProcess, threeProcesses } from '../tests/support/editions.ts';
import { serversKind } from '../tests/support/test-servers.ts';
import type { Attack, Done, Wanted } from './load/greedy-load.ts';
import { type Measured, report, type Slice } from './world/figure.ts';
import { quantile } from './world/statistics.ts';

// R14: what another team's changes and reads take while one team does its worst, beside the same while it does nothing. Each by both
// editions: one process, and three with servers.

const sliceCount = Number(process.env['BENCH_SLICES'] ?? 5);
const perSlice = 100;
const rows = Number(process.env['BENCH_ROWS'] ?? 10_000);
const perBatch = 500;
/** Milliseconds between two changes, so that what the greedy team asks for is answered many times in a slice. */
const between = 100;
const every: readonly Attack[] = ['lineage', 'xlsx', 'earnings', 'sockets', 'bundle', 'past'];

interface Times {
  readonly writes: readonly number[];
  readonly reads: readonly number[];
}

/** A campaign that is long enough for every answer of it to be costly; resolves with the position behind it. */
const fill = async (address: string, { campaign, owner, buyers }: Team): Promise<number> => {
  let position = 0;
  for (let from = 0; from < rows; from += perBatch) {
    const items = Array.from({ length: perBatch }, (_, index) => ({
      op: 'add',
      campaignId: campaign.id,
      buyerId: buyers[index % 2 === 0 ? 0 : 1].userId,
      contractor: `@kitchen_${(from + index) % 500}`,
      category: 'Кулинария',
      price: 1_000 + ((from + index) % 5_000),
      leads: (from + index) % 40,
    }));
    ({ position } = await call(address, 'POST', '/placements/batch', { items }, { token: owner.token }));
  }
  return position;
};

/** Resolves when the read models are as far. */
const shown = async (address: string, token: string, position: number): Promise<void> => {
  for (;;) {
    try {
      await call(address, 'GET', `/campaigns?after=${position}`, undefined, { token });
      return;
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 503) throw error;
    }
  }
};

const greedy = () => {
  const child = fork(fileURLToPath(new URL('./greedy-load.js', import.meta.url)), { execArgv: [] });
  const ask = async (wanted: Wanted): Promise<Done> => {
    child.send(wanted);
    const [done] = (await once(child, 'message')) as [Done];
    return done;
  };
  return { ask, close: () => child.disconnect() };
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

let price = 1_000;
/** A change and two reads at a time, as somebody with an open dashboard makes them. */
const measured = async (address: string, { buyers, campaign }: Team, placementId: string): Promise<Times> => {
  const { token } = buyers[0];
  const [writes, reads]: [number[], number[]] = [[], []];
  const get = (path: string) => timed(() => call(address, 'GET', path, undefined, { token }));
  for (let index = 0; index < perSlice; index += 1) {
    price += 1;
    writes.push(await timed(() => call(address, 'PATCH', `/placements/${placementId}`, { price }, { token })));
    reads.push(await get(`/campaigns/${campaign.id}/placements`));
    reads.push(await get(`/campaigns/${campaign.id}/analytics`));
    await pause(between);
  }
  return { writes, reads };
};

interface Outcome {
  readonly slices: readonly { readonly ours: Times; readonly beside: Times }[];
  readonly notes: Readonly<Record<string, unknown>>;
}

const played = async (edition: Edition): Promise<Outcome> => {
  const zakup = await edition.install();
  await zakup.start();
  const { address } = zakup;
  const victim = await team(address);
  const attacker = await team(address);
  const placement = { campaignId: victim.campaign.id, contractor: '@kitchen_ads', price };
  const added = await addPlacement(address, victim.buyers[0], placement);
  const placementId = added.data.placement.id;
  const to = await fill(address, attacker);
  await shown(address, attacker.owner.token, to);
  const load = greedy();
  const { token } = attacker.owner;
  await load.ask({ kind: 'begin', address, token, campaignId: attacker.campaign.id, from: added.position, to });
  const attacked = async (attacks: readonly Attack[]) => {
    await load.ask({ kind: 'attack', attacks });
    const times = await measured(address, victim, placementId);
    const done = await load.ask({ kind: 'rest' });
    return { times, answers: done.kind === 'rested' ? done.answers : {} };
  };
  await measured(address, victim, placementId);
  const notes: Record<string, unknown> = {};
  for (const attack of process.env['BENCH_EACH'] === undefined ? [] : every) {
    const { times, answers } = await attacked([attack]);
    notes[attack] = { write: quantile(times.writes, 0.99), read: quantile(times.reads, 0.99), answers };
  }
  const slices: { ours: Times; beside: Times }[] = [];
  for (let slice = 0; slice < sliceCount; slice += 1) {
    const beside = await measured(address, victim, placementId);
    const { times, answers } = await attacked(every);
    notes['all'] = answers;
    slices.push({ ours: times, beside });
  }
  load.close();
  await zakup.remove();
  await edition.end();
  return { slices, notes };
};

const rowsOf = (name: string, { slices }: Outcome, on?: typeof serversKind): readonly Measured[] =>
  (['writes', 'reads'] as const).flatMap((of) =>
    [0.5, 0.99].map(
      (share): Measured => ({
        row: `R14 ${name}${of} p${share * 100}`,
        kind: 'time',
        unit: 'ms',
        ...(on !== undefined && { on }),
        slices: slices.map(
          (slice): Slice => ({ ours: quantile(slice.ours[of], share), beside: quantile(slice.beside[of], share) }),
        ),
      }),
    ),
  );

const one = process.env['BENCH_THREE'] === undefined ? await played(oneProcess) : null;
const three = process.env['BENCH_ONE'] === undefined ? await played(threeProcesses()) : null;
report([...(one === null ? [] : rowsOf('', one)), ...(three === null ? [] : rowsOf('three ', three, serversKind))], {
  one: one?.notes,
  three: three?.notes,
});
process.exit(0);
