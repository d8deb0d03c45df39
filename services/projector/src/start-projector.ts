import { randomBytes } from 'node:crypto';
import type { EventStore } from '@zakup/event-store/event-store';
import type { Leases } from '@zakup/read-store/leases';
import type { ReadStore } from '@zakup/read-store/read-store';
import { sealKeyOf } from '@zakup/seals/seal';
import type { SealHeads } from '@zakup/seals/seal-heads';
import type { SealStore } from '@zakup/seals/seal-store';
import type { NamedServer } from '@zakup/service-kit/opening';
import { type Service, type ServiceContext, type ServiceStart, startService } from '@zakup/service-kit/service';
import { onServers } from '@zakup/service-kit/stores/on-servers';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import { witnessOf } from './sealing/seal-witness.ts';
import { type LeasedProjector, leasedProjector } from './leased-projector.ts';

export interface ProjectorServers {
  readonly eventStore: NamedServer;
  readonly readStore: NamedServer;
}

export interface ProjectorStores {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly leases: Leases;
  readonly seals: SealStore;
  /** Where the last seals are kept, too. */
  readonly heads: readonly SealHeads[];
}

/**
 * Projects on these stores and seals the history from now on, and ends with the process. `sealKey`: 32 secret bytes in base64url; who signs
 * is told by the fingerprint. `witness`: a path or an address that is told of every seal. `sealed`: the log as sealing follows it; absent = as the read models do.
 */
export const project = (
  { log, metrics, atEnd }: Pick<ServiceContext, 'log' | 'metrics' | 'atEnd'>,
  { seals, heads, ...stores }: ProjectorStores,
  {
    sealKey,
    sealed,
    witness = null,
  }: { readonly sealKey: string; readonly sealed?: EventStore | undefined; readonly witness?: string | null },
): LeasedProjector => {
  const key = sealKeyOf(sealKey);
  log.info({ fingerprint: key.fingerprint }, 'Seals are signed with the key of this fingerprint');
  const projector = leasedProjector({
    ...stores,
    sealing: {
      ...(witness !== null && { witness: witnessOf(witness) }),
      onWitness: (isTaken) => metrics.sealWitness.inc({ outcome: isTaken ? 'told' : 'failed' }),
      seals,
      heads,
      key,
      elapsed: () => performance.now(),
      random: (bytes) => randomBytes(bytes),
      ...(sealed && { eventStore: sealed }),
    },
    partition: allPartitions,
    now: Date.now,
    log,
    onBatch: ({ lagMilliseconds }) => metrics.projectionLag.observe(lagMilliseconds / 1000),
    onDoubted: () => metrics.selfChecks.inc({ outcome: 'doubted' }),
    onChecked: ({ differences, healed }) => {
      metrics.selfChecks.inc({ outcome: 'checked' });
      metrics.selfChecks.inc({ outcome: 'different' }, differences);
      metrics.selfChecks.inc({ outcome: 'healed' }, healed);
    },
  });
  atEnd({ name: 'projector', run: () => projector.stop() });
  return projector;
};

/** What `/readyz` says beside the state: the others' work goes on, so the process is ready all the same. */
export const historyAlarm = (projector: Pick<LeasedProjector, 'doubted'> | null): Readonly<Record<string, string>> => {
  const doubted = projector?.doubted() ?? [];
  return doubted.length === 0
    ? {}
    : { history: `журнал не тот, что запечатан; остановлены лицензии: ${doubted.slice(0, 20).join(', ')}` };
};

/**
 * The projector as a process of its own. Ready: the stores answer, and the read models follow the log, whether this copy projects or
 * another one does and this one stands by.
 */
export const startProjector = (
  start: ServiceStart,
  settings: { readonly sealKey: string; readonly witness?: string | null },
  servers: ProjectorServers,
  open: (context: ServiceContext) => Promise<ProjectorStores>,
): Promise<Service> => {
  let projector: LeasedProjector | null = null;
  return startService({
    ...start,
    services: ['projector'],
    about: () => ({ projector: projector?.role() ?? 'standby', ...historyAlarm(projector) }),
    async begin(context) {
      const { stores, watch } = await onServers(context, servers, await open(context), { models: true });
      projector = project(context, stores, settings);
      await watch();
      return [];
    },
  });
};
