import { randomBytes } from 'node:crypto';
import type { EventStore } from '@zakup/event-store/event-store';
import type { Leases } from '@zakup/read-store/leases';
import type { ReadStore } from '@zakup/read-store/read-store';
import { sealKeyOf } from '@zakup/seals/seal';
import type { SealHeads } from '@zakup/seals/seal-heads';
import type { SealStore } from '@zakup/seals/seal-store';
import type { Metrics } from '@zakup/service-kit/metrics';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import { witnessOf } from './sealing/seal-witness.ts';
import { preciseNow, type Steps } from '@zakup/service-kit/steps';
import { type LeasedProjector, type LeasedProjectorOptions, leasedProjector } from './leased-projector.ts';

export interface ProjectorStores {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly leases: Leases;
  readonly seals: SealStore;
  /** Where the last seals are kept, too. */
  readonly heads: readonly SealHeads[];
}

export interface ProjectorSettings {
  /** 32 secret bytes in base64url; who signs is told by the fingerprint. */
  readonly sealKey: string;
  /** The log as sealing follows it; absent = as the read models do. */
  readonly sealed?: EventStore | undefined;
  /** A path or an address that is told of every seal. */
  readonly witness?: string | null;
}

/** Figures of the metrics, as projecting tells them. */
export type ProjectorFigure =
  /** From an event to its committed read models. */
  | { readonly of: 'lag'; readonly seconds: number }
  /** Licences `checked` and `doubted`, documents `different` and `healed`. */
  | {
      readonly of: 'self_check';
      readonly outcome: 'checked' | 'different' | 'healed' | 'doubted';
      readonly count: number;
    }
  /** What somebody may wait for is committed, since when and until when in UTC milliseconds; told only where it is asked for. */
  | {
      readonly of: 'projected';
      readonly commandIds: readonly string[];
      readonly began: number;
      readonly ended: number;
      readonly position: number;
      readonly events: number;
      readonly docs: number;
    }
  /** `over`: somebody else tells the witness from now on. */
  | { readonly of: 'witness'; readonly outcome: 'told' | 'failed' | 'over' };

export const countIn =
  ({
    projectionLag,
    selfChecks,
    sealWitness,
    sealWitnessFailing,
  }: Pick<Metrics, 'projectionLag' | 'selfChecks' | 'sealWitness' | 'sealWitnessFailing'>) =>
  (figure: ProjectorFigure): void => {
    switch (figure.of) {
      case 'lag':
        return projectionLag.observe(figure.seconds);
      case 'self_check':
        return selfChecks.inc({ outcome: figure.outcome }, figure.count);
      case 'projected':
        return;
      case 'witness':
        sealWitnessFailing.set(figure.outcome === 'failed' ? 1 : 0);
        return figure.outcome === 'over' ? undefined : sealWitness.inc({ outcome: figure.outcome });
    }
  };

/** Counts figures, and tells what was projected. */
export const tellFigures = (metrics: Parameters<typeof countIn>[0], steps: Steps) => {
  const count = countIn(metrics);
  return (figure: ProjectorFigure): void => {
    if (figure.of !== 'projected') return count(figure);
    const { of: _, commandIds, began, ended, ...facts } = figure;
    steps.ofCommands({ name: 'project', commandIds, began, ended, facts });
  };
};

/** Commands of one batch that are told of; more at once are an import. */
const mostTold = 100;

export interface ProjectorSurroundings {
  readonly log: NonNullable<LeasedProjectorOptions['log']>;
  readonly onFigure: (figure: ProjectorFigure) => void;
  /** Whether it is told what was projected. */
  readonly tellsSteps: boolean;
  /** As `LeasedProjectorOptions.onDoubts`. */
  readonly onDoubts?: LeasedProjectorOptions['onDoubts'];
}

/** Projects on these stores and seals the history from now on, until it is stopped. */
export const project = (
  { log, onFigure, tellsSteps, onDoubts }: ProjectorSurroundings,
  { seals, heads, ...stores }: ProjectorStores,
  { sealKey, sealed, witness = null }: ProjectorSettings,
): LeasedProjector => {
  const key = sealKeyOf(sealKey);
  log.info({ fingerprint: key.fingerprint }, 'Seals are signed with the key of this fingerprint');
  return leasedProjector({
    ...stores,
    sealing: {
      ...(witness !== null && { witness: witnessOf(witness) }),
      onWitness: (isTaken) => onFigure({ of: 'witness', outcome: isTaken ? 'told' : 'failed' }),
      onWitnessOver: () => onFigure({ of: 'witness', outcome: 'over' }),
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
    onBatch({ lagMilliseconds, commands, milliseconds, position, events, docs }) {
      onFigure({ of: 'lag', seconds: lagMilliseconds / 1000 });
      if (!tellsSteps || commands.size === 0) return;
      const [ended, commandIds] = [preciseNow(), [...commands].slice(0, mostTold)];
      onFigure({ of: 'projected', commandIds, began: ended - milliseconds, ended, position, events, docs });
    },
    onDoubted: () => onFigure({ of: 'self_check', outcome: 'doubted', count: 1 }),
    ...(onDoubts && { onDoubts }),
    onChecked: ({ differences, healed }) => {
      onFigure({ of: 'self_check', outcome: 'checked', count: 1 });
      onFigure({ of: 'self_check', outcome: 'different', count: differences });
      onFigure({ of: 'self_check', outcome: 'healed', count: healed });
    },
  });
};

/** What `/readyz` says beside the state: the others' work goes on, so the process is ready all the same. */
export const historyAlarm = (
  projector: Pick<LeasedProjector, 'doubted' | 'witnessFails'> | null,
): Readonly<Record<string, string>> => {
  const doubted = projector?.doubted() ?? [];
  const witness: Readonly<Record<string, string>> =
    projector?.witnessFails() === true ? { witness: 'свидетель печатей (SEAL_WITNESS) не принимает их' } : {};
  return doubted.length === 0
    ? witness
    : {
        ...witness,
        history: `журнал не сходится с печатями, или они повреждены; остановлены лицензии: ${doubted.slice(0, 20).join(', ')}`,
      };
};
