import { codeCipher } from '@zakup/credentials/code-cipher';
import { readiness } from '@zakup/service-kit/health';
import { jsonLog } from '@zakup/service-kit/log';
import { appMetrics } from '@zakup/service-kit/metrics';
import { withoutSecrets } from '@zakup/service-kit/server-address';
import { watchDependencies } from '@zakup/service-kit/dependency-health';
import { onServers } from '@zakup/service-kit/stores/on-servers';
import {
  knownBounds,
  openEventStore,
  openReadStore,
  openSeals,
  type StoresOpening,
} from '@zakup/service-kit/stores/server-stores';
import type { OpenedForReading } from './serve-port.ts';
import type { ServersReadingData } from './servers-data.ts';

/**
 * Connections of a thread's own, through which the log is read as long as it is the right one, as in the process that asks. Tries once:
 * throws when a server is away or refused, with no password in the message, and has closed everything then.
 */
export const openOnServers = async ({
  eventStore: events,
  readStore: documents,
  eventStoreDbNamespace,
  accessCodesKey,
  logLevel,
}: ServersReadingData): Promise<OpenedForReading> => {
  const log = jsonLog({ level: logLevel, bindings: { service: 'gateway', thread: 'reading' } });
  const closing: (() => unknown)[] = [];
  const close = () => Promise.allSettled(closing.toReversed().map(async (run) => run()));
  const context: StoresOpening = {
    log,
    metrics: appMetrics(),
    config: { eventStoreDbNamespace },
    whenThere: (_server, work) => work(),
    async opened(_server, open) {
      const store = await open();
      closing.push(() => store.close());
      return store;
    },
  };
  try {
    const readStore = await openReadStore(context, documents);
    const seals = await openSeals(context, documents);
    const bounds = await knownBounds(context, documents, { readStore, seals });
    const eventStore = await openEventStore(context, events, { bounds });
    const { stores, watch } = await onServers(
      {
        whenThere: context.whenThere,
        // The process that asks tells people what is away; here it is only to be known.
        async watch(watched) {
          const stop = await watchDependencies({ watched, readiness: readiness(), log: jsonLog({ level: 'silent' }) });
          closing.push(stop);
        },
      },
      { eventStore: events, readStore: documents },
      { eventStore, readStore },
      { models: false },
    );
    await watch();
    return { deps: { ...stores, seals, codes: codeCipher(accessCodesKey), log }, close };
  } catch (error) {
    await close();
    const said = error instanceof Error ? error.message : String(error);
    const reason = [events, documents].reduce((text, { url }) => withoutSecrets(text, url), said);
    throw new Error(`The stores cannot be opened where costly answers are made: ${reason}`, { cause: error });
  }
};
