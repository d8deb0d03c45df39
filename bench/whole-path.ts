import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { addPlacement, call, type Team, team } from '../tests/support/api.ts';
import { type Edition, type Installation, oneProcess, threeProcesses } from '../tests/support/editions.ts';
import { type LiveClient, liveClient } from '../tests/support/live-client.ts';
import { serversKind } from '../tests/support/test-servers.ts';
import { type Measured, report, type Slice } from './world/figure.ts';
import { quantile } from './world/statistics.ts';

// The whole path of a lone command, over HTTP to its acknowledgement and on to another client's socket: three processes on EventStoreDB
// and MongoDB, or what stands in for them, beside one process on embedded stores.

const sliceCount = 5;
const perSlice = 40;

interface Path {
  readonly edition: Edition;
  readonly zakup: Installation;
  readonly crew: Team;
  readonly watcher: LiveClient;
  readonly placementId: string;
}

interface Times {
  readonly acknowledged: readonly number[];
  readonly seen: readonly number[];
}

const opened = async (edition: Edition): Promise<Path> => {
  const zakup = await edition.install();
  await zakup.start();
  const crew = await team(zakup.address);
  const watcher = await liveClient(zakup.address, crew.buyers[1].token);
  await watcher.subscribe(`campaign:${crew.campaign.id}`);
  const placement = { campaignId: crew.campaign.id, contractor: '@kitchen_ads', price: 1 };
  const added = await addPlacement(zakup.address, crew.buyers[0], placement);
  return { edition, zakup, crew, watcher, placementId: added.data.placement.id };
};

let price = 1;
const measured = async ({ zakup, crew, watcher, placementId }: Path, count: number): Promise<Times> => {
  const [acknowledged, seen]: [number[], number[]] = [[], []];
  for (let index = 0; index < count; index += 1) {
    price += 1;
    const began = performance.now();
    const changed = await call<{ placement: PlacementWire }>(
      zakup.address,
      'PATCH',
      `/placements/${placementId}`,
      { price },
      { token: crew.buyers[0].token },
    );
    acknowledged.push(performance.now() - began);
    await watcher.reached(`campaign:${crew.campaign.id}`, changed.position);
    seen.push(performance.now() - began);
  }
  return { acknowledged, seen };
};

const closed = async ({ edition, zakup, watcher }: Path): Promise<void> => {
  watcher.close();
  await zakup.remove();
  await edition.end();
};

const ours = await opened(threeProcesses());
const beside = await opened(oneProcess);
await measured(ours, perSlice);
await measured(beside, perSlice);
const slices: { readonly ours: Times; readonly beside: Times }[] = [];
for (let index = 0; index < sliceCount; index += 1) {
  const our = await measured(ours, perSlice);
  slices.push({ ours: our, beside: await measured(beside, perSlice) });
}
const row = (name: string, of: keyof Times, share: number): Measured => ({
  row: `WP ${name}`,
  kind: 'time',
  unit: 'ms',
  on: serversKind,
  slices: slices.map(
    (slice): Slice => ({ ours: quantile(slice.ours[of], share), beside: quantile(slice.beside[of], share) }),
  ),
});
report([
  row('answered p50', 'acknowledged', 0.5),
  row('answered p99', 'acknowledged', 0.99),
  row('seen p50', 'seen', 0.5),
  row('seen p99', 'seen', 0.99),
]);
await closed(ours);
await closed(beside);
process.exit(0);
