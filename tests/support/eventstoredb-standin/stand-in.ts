import featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type sendUnaryData, Server, ServerCredentials } from '@grpc/grpc-js';
import { appendCall, batchAppendCall } from './appends.ts';
import { type Credentials, doorman } from './credentials.ts';
import { type FaultGate, faultBox, type Faults } from './faults.ts';
import { openPort } from './port.ts';
import { readCall, type Traffic } from './reads.ts';
import { type StandInLog, standInLog } from './stand-in-log.ts';
import type { ReadAnswer } from './wire.ts';

export interface StandInOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** Default: a new one in memory. A given one is not closed by `stop()`. */
  readonly log?: StandInLog;
  /** The one user who may append and read; needs `tls`, for the client sends none over a plain connection. Absent: everyone may. */
  readonly credentials?: Credentials;
  /** PEM. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/** A running stand-in. */
export interface EventStoreDbStandIn {
  /** Connection string, without credentials and certificate. */
  readonly url: string;
  readonly port: number;
  readonly faults: Faults;
  readonly log: StandInLog;
  readonly traffic: Readonly<Traffic>;
  /** Closes the port and cuts every connection. */
  stop(): Promise<void>;
}

const version = '26.1.0';
const served = ['append', 'batchappend', 'read'];
const streamsService = 'event_store.client.streams.streams';

const supportedMethods =
  (gate: FaultGate) =>
  (_call: unknown, callback: sendUnaryData<SupportedMethods>): void => {
    const methods = new featuresPb.SupportedMethods();
    methods.setEventStoreServerVersion(version);
    for (const name of served) {
      const method = new featuresPb.SupportedMethod();
      method.setServiceName(streamsService);
      method.setMethodName(name);
      methods.addMethods(method);
    }
    setTimeout(() => {
      gate.sent();
      callback(null, methods);
    }, gate.delayed());
  };

/** Read answers leave as the bytes that were made once for all readers. */
const servedStreams = {
  ...streamsGrpc.StreamsService,
  read: { ...streamsGrpc.StreamsService.read, responseSerialize: (bytes: ReadAnswer) => bytes },
};

/** Starts the stand-in on 127.0.0.1; resolves when it listens. */
export const startEventStoreDbStandIn = async ({
  port: wanted = 0,
  log = standInLog(),
  credentials,
  tls,
}: StandInOptions = {}): Promise<EventStoreDbStandIn> => {
  const server = new Server({
    // As wide as the server's largest record.
    'grpc.max_receive_message_length': 17 * 1024 * 1024,
  });
  const injector = server.createConnectionInjector(
    tls === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [
          { cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.key) },
        ]),
  );
  const port = await openPort(wanted, injector);
  const { faults, gate } = faultBox(port);
  const traffic: Traffic = { reads: 0, readsNow: 0, readsAtOnce: 0, eventsRead: 0, searches: 0, considered: 0 };
  const services = { log, gate, doorman: doorman(credentials ?? null), traffic };
  server.addService(featuresGrpc.ServerFeaturesService, { getSupportedMethods: supportedMethods(gate) });
  server.addService(servedStreams, {
    read: readCall(services),
    append: appendCall(services),
    batchAppend: batchAppendCall(services),
  });
  return {
    url: `esdb://${tls === undefined ? '127.0.0.1' : 'localhost'}:${port.number}?tls=${tls !== undefined}`,
    port: port.number,
    faults,
    log,
    traffic,
    stop: async () => {
      await port.close();
      faults.allow();
      injector.destroy();
      server.forceShutdown();
    },
  };
};
