import { commandApp } from '@zakup/command/app';
import { type CommandService, commandService } from '@zakup/command/testing/command-service';
import type { CodeCipher } from '@zakup/credentials/code-cipher';
import { gatewayApp } from '@zakup/gateway/app';
import type { GatewayDeps } from '@zakup/gateway/deps';
import { readGuard } from '@zakup/gateway/http/limits/read-guard';
import { snapshotCache } from '@zakup/gateway/time-travel/snapshot-cache';
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
  /** What the gateway was given, for another one on the same stores. */
  readonly gateway: GatewayDeps;
  /** Resolves when everything that the log holds now is in the read models. */
  readonly followed: () => Promise<void>;
}

/** Command and gateway behind the front of every process, and a projector, on in-memory stores, with a clock that tests move. */
export const wholeApi = async (codes?: CodeCipher): Promise<WholeApi> => {
  const partition = 'all';
  const seals = inMemorySealStore();
  let mounted: Pick<WholeApi, 'routers' | 'gateway'> | null = null;
  const service = await commandService(
    (deps, eventStore) => {
      const { log, metrics } = deps;
      const gateway: GatewayDeps = {
        ...deps,
        eventStore,
        codes: deps.cache.codes,
        past: snapshotCache({ eventStore }),
        guard: readGuard(),
        seals,
        partition,
        positionsCountEvents: true,
        version: '1',
        patience: 2_000,
      };
      const routers = { command: commandApp(deps), gateway: gatewayApp(gateway) };
      mounted = { routers, gateway };
      const front = httpFront({
        config: { trustProxy: 0, publicHttps: false, metrics: 'open' },
        readiness: readiness({}),
        log,
        metrics,
      });
      front.open([routers.command, routers.gateway]);
      return front.app;
    },
    undefined,
    codes,
  );
  if (mounted === null) throw new Error('Nothing was mounted');
  const { eventStore, readStore } = service;
  const { signal } = new AbortController();
  const projector = runProjector({ eventStore, readStore, partition, fence: 1, signal, now: Date.now, spacing: 0 });
  await projector.caughtUp;
  return {
    ...service,
    ...(mounted as Pick<WholeApi, 'routers' | 'gateway'>),
    seals,
    followed: async () => projector.waitFor(await eventStore.head()),
    async close() {
      await projector.stop();
      await service.close();
    },
  };
};
