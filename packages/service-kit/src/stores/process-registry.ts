import type { NamedServer } from '../opening.ts';
import type { ServiceContext } from '../service.ts';
import { type ServiceName, serviceNames } from '../service-names.ts';
import { openProcesses } from './server-stores.ts';

/** How a service is, whichever of its processes serves. */
export interface ServiceState {
  readonly name: ServiceName;
  /** A process of it was ready within the last seconds. */
  readonly ok: boolean;
}

/** Milliseconds between two times that a process tells of itself, and after which it counts as gone. */
const tellEvery = 2_000;
const longestSilence = 10_000;

/** From now on this process tells the others of itself, as long as it runs. Answers with how to ask how all of them are. */
export const openProcessRegistry = async (
  { opened, atEnd, readiness, log }: Pick<ServiceContext, 'opened' | 'atEnd' | 'readiness' | 'log'>,
  server: NamedServer,
  service: ServiceName,
): Promise<() => Promise<readonly ServiceState[]>> => {
  const roster = await openProcesses({ opened }, server, service);
  const isReady = (): boolean => readiness.state().kind === 'ready';
  const tell = (): void => {
    roster.tell(isReady()).catch((error: unknown) => log.debug({ err: error }, 'Not told how this process is'));
  };
  tell();
  void readiness.ready().then(tell);
  const timer = setInterval(tell, tellEvery).unref();
  atEnd({ name: 'roster', run: () => clearInterval(timer) });
  return async () => {
    const seen = await roster.seen(isReady());
    const isOk = (name: ServiceName): boolean =>
      seen.some((one) => one.service === name && one.ready && one.age <= longestSilence);
    return serviceNames.map((name) => ({ name, ok: isOk(name) }));
  };
};
