import type { NamedServer } from '../opening.ts';
import type { ServiceContext } from '../service.ts';
import { type ServiceFigures, sumFigures } from '../service-figures.ts';
import { type ServiceName, serviceNames } from '../service-names.ts';
import { openProcesses } from './server-stores.ts';

/** How a service is, whichever of its processes serves. */
export interface ServiceState extends ServiceFigures {
  readonly name: ServiceName;
  /** A process of it was ready within the last seconds. */
  readonly ok: boolean;
}

/** Milliseconds between two times that a process tells of itself, and after which it counts as gone. */
const tellEvery = 2_000;
const longestSilence = 10_000;

/** From now on this process tells the others of itself and its figures, as long as it runs. Answers with how to ask how all of them are. */
export const openProcessRegistry = async (
  { opened, atEnd, readiness, log }: Pick<ServiceContext, 'opened' | 'atEnd' | 'readiness' | 'log'>,
  server: NamedServer,
  service: ServiceName,
  figures: () => Promise<ServiceFigures> = async () => ({}),
): Promise<() => Promise<readonly ServiceState[]>> => {
  const roster = await openProcesses({ opened }, server, service);
  const isReady = (): boolean => readiness.state().kind === 'ready';
  const tellNow = async (): Promise<void> => roster.tell(isReady(), { ...(await figures()) });
  const tell = (): void => {
    tellNow().catch((error: unknown) => log.debug({ err: error }, 'Not told how this process is'));
  };
  tell();
  void readiness.ready().then(tell);
  const timer = setInterval(tell, tellEvery).unref();
  atEnd({ name: 'roster', run: () => clearInterval(timer) });
  return async () => {
    const seen = await roster.seen(isReady(), { ...(await figures()) });
    return serviceNames.map((name) => {
      const those = seen.filter((one) => one.service === name && one.age <= longestSilence);
      return { name, ok: those.some(({ ready }) => ready), ...sumFigures(those.map((one) => one.figures)) };
    });
  };
};
