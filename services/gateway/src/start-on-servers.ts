import { codeCipher } from '@zakup/credentials/code-cipher';
import type { ServiceServers } from '@zakup/service-kit/run-main';
import type { Service, ServiceStart } from '@zakup/service-kit/service';
import { measureService } from '@zakup/service-kit/service-figures';
import { openProcessRegistry } from '@zakup/service-kit/stores/process-registry';
import {
  knownBounds,
  openCredentials,
  openEventStore,
  openReadStore,
  openSeals,
} from '@zakup/service-kit/stores/server-stores';
import { serversReadingThread, type ServersReadingOptions } from './reading-thread/servers-reading-thread.ts';
import { type GatewayProcessSettings, startGateway } from './start-gateway.ts';

/** `onWorker`: told of each thread that makes costly answers. */
export interface OnServersOptions extends Pick<ServersReadingOptions, 'onWorker'> {
  /** Whether a thread makes what is costly; default true. */
  readonly readsBeside?: boolean;
}

/** The gateway of the full system: stores on servers, and a thread that makes costly answers from connections of its own. */
export const startOnServers = (
  start: ServiceStart,
  { events, documents, jwtSecret, accessCodesKey, credentialsKey }: Omit<ServiceServers, 'sealKey' | 'print'>,
  { readsBeside = true, onWorker }: OnServersOptions = {},
): Promise<Service> => {
  const servers = { eventStore: events, readStore: documents };
  const readingThread: GatewayProcessSettings['readingThread'] = (context, { readStore }) =>
    serversReadingThread(context, { servers, accessCodesKey, readStore, onWorker });
  return startGateway(
    start,
    {
      jwtSecret,
      codes: codeCipher(accessCodesKey),
      adminEmails: start.config.adminEmails,
      adminSecondFactor: start.config.adminSecondFactor,
      ...(readsBeside && { readingThread }),
    },
    servers,
    async (context) => {
      const readStore = await openReadStore(context, documents);
      const credentials = await openCredentials(context, documents, credentialsKey);
      const services = await openProcessRegistry(context, documents, 'gateway', measureService(context, 'gateway'));
      const seals = await openSeals(context, documents);
      const bounds = await knownBounds(context, documents, { readStore, seals });
      const eventStore = await openEventStore(context, events, { bounds });
      return { eventStore, readStore, credentials, services, seals };
    },
  );
};
