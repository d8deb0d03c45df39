import type { NamedServer } from '@zakup/service-kit/opening';
import { type Service, type ServiceContext, type ServiceStart, startService } from '@zakup/service-kit/service';
import { onServers } from '@zakup/service-kit/stores/on-servers';
import type { LeasedProjector } from './leased-projector.ts';
import { historyAlarm, project, type ProjectorSettings, type ProjectorStores, tellFigures } from './project.ts';

export interface ProjectorServers {
  readonly eventStore: NamedServer;
  readonly readStore: NamedServer;
}

/** Projects on these stores from now on, with the process's log and metrics, and ends with the process. */
export const projectorOn = (
  { log, metrics, steps, atEnd }: Pick<ServiceContext, 'log' | 'metrics' | 'steps' | 'atEnd'>,
  stores: ProjectorStores,
  settings: ProjectorSettings,
): LeasedProjector => {
  const projector = project(
    { log, onFigure: tellFigures(metrics, steps), tellsSteps: steps.areWatched },
    stores,
    settings,
  );
  atEnd({ name: 'projector', run: () => projector.stop() });
  return projector;
};

/**
 * The projector as a process of its own. Ready: the stores answer, and the read models follow the log, whether this copy projects or
 * another one does and this one stands by.
 */
export const startProjector = (
  start: ServiceStart,
  settings: Pick<ProjectorSettings, 'sealKey' | 'witness'>,
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
      projector = projectorOn(context, stores, settings);
      await watch();
      return [];
    },
  });
};
