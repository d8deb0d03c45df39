import { createRequire } from 'node:module';
import codePb from '@eventstore/db-client/generated/code_pb.js';
import type { Code } from '@eventstore/db-client/generated/code_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import type { Answered, Expected, LoggedEvent, ProposedEvent } from './stand-in-log.ts';

type Any = NonNullable<ReturnType<Status['getDetails']>>;
/** The client's own copy: its generated messages check nothing else. */
const { Any: AnyMessage } = createRequire(createRequire(import.meta.url).resolve('@eventstore/db-client'))(
  'google-protobuf/google/protobuf/any_pb.js',
) as { Any: new () => Any };

/** Bytes of data, metadata and type names in one append. */
export const maxAppendSize = 1024 * 1024;

/** A `ReadResp` already in bytes. */
export type ReadAnswer = Buffer;

const answer = (fill: (response: InstanceType<typeof streamsPb.ReadResp>) => void): ReadAnswer => {
  const response = new streamsPb.ReadResp();
  fill(response);
  return Buffer.from(response.serializeBinary());
};

const identifierOf = (stream: string): StreamIdentifier => {
  const identifier = new sharedPb.StreamIdentifier();
  identifier.setStreamName(Uint8Array.from(Buffer.from(stream, 'utf8')));
  return identifier;
};

const encoded = new WeakMap<LoggedEvent, ReadAnswer>();

export const eventAnswer = (event: LoggedEvent): ReadAnswer => {
  const known = encoded.get(event);
  if (known !== undefined) return known;
  const made = answer((response) => {
    const recorded = new streamsPb.ReadResp.ReadEvent.RecordedEvent();
    const id = new sharedPb.UUID();
    id.setString(event.id);
    recorded.setId(id);
    recorded.setStreamIdentifier(identifierOf(event.stream));
    recorded.setStreamRevision(String(event.revision));
    recorded.setCommitPosition(String(event.position));
    recorded.setPreparePosition(String(event.position));
    const properties = recorded.getMetadataMap();
    properties.set('type', event.type);
    properties.set('content-type', event.contentType);
    // Ticks of 100 ns.
    properties.set('created', String(BigInt(event.created) * 10_000n));
    recorded.setData(event.data);
    recorded.setCustomMetadata(event.metadata);
    const read = new streamsPb.ReadResp.ReadEvent();
    read.setEvent(recorded);
    read.setCommitPosition(String(event.position));
    response.setEvent(read);
  });
  encoded.set(event, made);
  return made;
};

export const confirmationAnswer = (subscriptionId: string): ReadAnswer =>
  answer((response) => {
    const confirmation = new streamsPb.ReadResp.SubscriptionConfirmation();
    confirmation.setSubscriptionId(subscriptionId);
    response.setConfirmation(confirmation);
  });

export const checkpointAnswer = (position: number): ReadAnswer =>
  answer((response) => {
    const checkpoint = new streamsPb.ReadResp.Checkpoint();
    checkpoint.setCommitPosition(String(position));
    checkpoint.setPreparePosition(String(position));
    response.setCheckpoint(checkpoint);
  });

export const caughtUpAnswer: ReadAnswer = answer((response) => response.setCaughtUp(new streamsPb.ReadResp.CaughtUp()));
export const fellBehindAnswer: ReadAnswer = answer((response) =>
  response.setFellBehind(new streamsPb.ReadResp.FellBehind()),
);

export const streamNotFoundAnswer = (stream: string): ReadAnswer =>
  answer((response) => {
    const notFound = new streamsPb.ReadResp.StreamNotFound();
    notFound.setStreamIdentifier(identifierOf(stream));
    response.setStreamNotFound(notFound);
  });

export const streamNameOf = (identifier: StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');

const uuidOf = (uuid: UUID | undefined): string => {
  const structured = uuid?.getStructured();
  if (structured === undefined) return uuid?.getString() ?? '';
  const half = (bits: string): string => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');
  const hex = half(structured.getMostSignificantBits()) + half(structured.getLeastSignificantBits());
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** Null when the message lacks its type or content type. */
export const proposedOf = (
  message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage,
): ProposedEvent | null => {
  const type = message.getMetadataMap().get('type');
  const contentType = message.getMetadataMap().get('content-type');
  if (type === undefined || contentType === undefined) return null;
  return {
    id: uuidOf(message.getId()),
    type,
    contentType: contentType === 'application/json' ? contentType : 'application/octet-stream',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
};

/** As the server counts it against its limit. */
export const sizeOf = ({ type, data, metadata }: ProposedEvent): number =>
  2 * type.length + data.length + metadata.length;

interface ExpectedOption {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}
const expectedOf = (option: ExpectedOption, revision: string): Expected => {
  if (option.hasAny()) return 'any';
  if (option.hasNoStream()) return 'no_stream';
  if (option.hasStreamExists()) return 'stream_exists';
  return Number(revision);
};
export const expectedOfAppend = (options: AppendReq.Options): Expected => expectedOf(options, options.getRevision());
export const expectedOfBatch = (options: BatchAppendReq.Options): Expected =>
  expectedOf(options, options.getStreamPosition());

export const appendAnswer = (result: Answered, expected: Expected): AppendResp => {
  const response = new streamsPb.AppendResp();
  if (result.kind === 'appended') {
    const success = new streamsPb.AppendResp.Success();
    if (result.revision < 0) success.setNoStream(new sharedPb.Empty());
    else success.setCurrentRevision(String(result.revision));
    if (result.position === null) success.setNoPosition(new sharedPb.Empty());
    else {
      const position = new streamsPb.AppendResp.Position();
      position.setCommitPosition(String(result.position));
      position.setPreparePosition(String(result.position));
      success.setPosition(position);
    }
    response.setSuccess(success);
    return response;
  }
  const wrong = new streamsPb.AppendResp.WrongExpectedVersion();
  if (result.current < 0) wrong.setCurrentNoStream(new sharedPb.Empty());
  else wrong.setCurrentRevision(String(result.current));
  if (expected === 'any') wrong.setExpectedAny(new sharedPb.Empty());
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new sharedPb.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new sharedPb.Empty());
  else wrong.setExpectedRevision(String(expected));
  response.setWrongExpectedVersion(wrong);
  return response;
};

const errorStatus = (code: Code, message: string, typeName: string, details: Uint8Array): Status => {
  const any = new AnyMessage();
  any.pack(details, typeName);
  const made = new statusPb.Status();
  made.setCode(code);
  made.setMessage(message);
  made.setDetails(any);
  return made;
};

const wrongRevisionStatus = (current: number, expected: Expected): Status => {
  const wrong = new sharedPb.WrongExpectedVersion();
  if (current < 0) wrong.setCurrentNoStream(new sharedPb.Empty());
  else wrong.setCurrentStreamRevision(String(current));
  if (expected === 'any') wrong.setExpectedAny(new sharedPb.Empty());
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new sharedPb.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new sharedPb.Empty());
  else wrong.setExpectedStreamPosition(String(expected));
  return errorStatus(
    codePb.Code.ALREADY_EXISTS,
    'WrongExpectedVersion',
    'event_store.client.WrongExpectedVersion',
    wrong.serializeBinary(),
  );
};

/** Why one append of a batch stream failed while the stream goes on. */
export const batchErrors = {
  timeout: (): Status =>
    errorStatus(
      codePb.Code.DEADLINE_EXCEEDED,
      'Timeout',
      'event_store.client.Timeout',
      new sharedPb.Timeout().serializeBinary(),
    ),
  tooLarge: (): Status => {
    const exceeded = new sharedPb.MaximumAppendSizeExceeded();
    exceeded.setMaxappendsize(maxAppendSize);
    return errorStatus(
      codePb.Code.INVALID_ARGUMENT,
      'MaximumAppendSizeExceeded',
      'event_store.client.MaximumAppendSizeExceeded',
      exceeded.serializeBinary(),
    );
  },
  accessDenied: (): Status =>
    errorStatus(
      codePb.Code.PERMISSION_DENIED,
      'AccessDenied',
      'event_store.client.AccessDenied',
      new sharedPb.AccessDenied().serializeBinary(),
    ),
  badRequest: (message: string): Status => {
    const bad = new sharedPb.BadRequest();
    bad.setMessage(message);
    return errorStatus(codePb.Code.INVALID_ARGUMENT, message, 'event_store.client.BadRequest', bad.serializeBinary());
  },
  notReady: (): Status =>
    errorStatus(codePb.Code.OK, 'Server Is Not Ready', 'google.protobuf.Empty', new sharedPb.Empty().serializeBinary()),
};

/** The answer to one append of a batch stream. */
export const batchAnswer = (
  correlation: UUID,
  stream: string,
  expected: Expected,
  result: Answered | Status,
): BatchAppendResp => {
  const response = new streamsPb.BatchAppendResp();
  response.setCorrelationId(correlation);
  response.setStreamIdentifier(identifierOf(stream));
  if (!('kind' in result)) {
    response.setError(result);
    return response;
  }
  if (result.kind === 'wrong_revision') {
    response.setError(wrongRevisionStatus(result.current, expected));
    return response;
  }
  const success = new streamsPb.BatchAppendResp.Success();
  if (result.revision < 0) success.setNoStream(new sharedPb.Empty());
  else success.setCurrentRevision(String(result.revision));
  if (result.position === null) success.setNoPosition(new sharedPb.Empty());
  else {
    const position = new sharedPb.AllStreamPosition();
    position.setCommitPosition(String(result.position));
    position.setPreparePosition(String(result.position));
    success.setPosition(position);
  }
  response.setSuccess(success);
  return response;
};

const callError = (code: status, details: string, trailers: Record<string, string> = {}): ServiceError => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value);
  return Object.assign(new Error(details), { code, details, metadata });
};

/** Why a whole call failed, with the trailers that the client tells errors apart by. */
export const callErrors = {
  unavailable: (): ServiceError => callError(status.UNAVAILABLE, 'Server Is Not Ready'),
  unauthenticated: (): ServiceError => callError(status.UNAUTHENTICATED, 'Unauthenticated'),
  accessDenied: (): ServiceError =>
    callError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }),
  timeout: (): ServiceError => callError(status.ABORTED, 'Operation timed out'),
  tooLarge: (): ServiceError =>
    callError(status.INVALID_ARGUMENT, `Maximum Append Size of ${maxAppendSize} Exceeded.`, {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': String(maxAppendSize),
    }),
  missingProperty: (): ServiceError =>
    callError(status.INVALID_ARGUMENT, 'A required metadata property is missing', {
      exception: 'missing-required-metadata-property',
      'required-metadata-properties': 'type,content-type',
    }),
  invalid: (details: string): ServiceError => callError(status.INVALID_ARGUMENT, details),
  unimplemented: (details: string): ServiceError => callError(status.UNIMPLEMENTED, details),
};
