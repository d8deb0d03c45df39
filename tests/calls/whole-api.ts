import { commandApp } from '@zakup/command/app';
import { type CommandService, commandService } from '@zakup/command/testing/command-service';
import { gatewayApp } from '@zakup/gateway/app';
import { runProjector } from '@zakup/projector/run-projector';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import type { SealStore } from '@zakup/seals/seal-store';
import { readiness } from '@zakup/service-kit/health';
import { httpFront } from '@zakup/service-kit/http-front';
import type { Router } from 'express';

export interface WholeApi extends CommandService {
  /** What each service mounts under `/api`. */
  readonly routers: Readonly<Record<'command' | 'gateway', Router>>;
  /** Empty until a test seals. */
  readonly seals: SealStore;
}

/** Command and gateway behind the front of every process, and a projector, on in-memory stores, with a clock that tests move. */
export const wholeApi = async (): Promise<WholeApi> => {
  const partition = 'all';
  const seals = inMemorySealStore();
  let routers: WholeApi['routers'] | null = null;
  const service = await commandService((deps) => {
    const { log, metrics } = deps;
    routers = {
      command: commandApp(deps),
      gateway: gatewayApp({
        ...deps,
        seals,
        partition,
        positionsCountEvents: true,
        version: '1',
        patience: 2_000,
      }),
    };
    const front = httpFront({ config: { trustProxy: 0, publicHttps: false }, readiness: readiness({}), log, metrics });
    front.open([routers.command, routers.gateway]);
    return front.app;
  });
  if (routers === null) throw new Error('Nothing was mounted');
  const { eventStore, readStore } = service;
  const { signal } = new AbortController();
  const projector = runProjector({ eventStore, readStore, partition, fence: 1, signal, now: Date.now, spacing: 0 });
  await projector.caughtUp;
  return {
    ...service,
    routers,
    seals,
    async close() {
      await projector.stop();
      await service.close();
    },
  };
};
