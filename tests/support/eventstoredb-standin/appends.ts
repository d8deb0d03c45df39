import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { sendUnaryData, ServerDuplexStream, ServerReadableStream, ServiceError } from '@grpc/grpc-js';
import type { Doorman } from './credentials.ts';
import type { FaultGate } from './faults.ts';
import { outgoing } from './outgoing.ts';
import type { Answered, Expected, ProposedEvent, StandInLog } from './stand-in-log.ts';
import {
  appendAnswer,
  batchAnswer,
  batchErrors,
  callErrors,
  expectedOfAppend,
  expectedOfBatch,
  maxAppendSize,
  proposedOf,
  sizeOf,
  streamNameOf,
} from './wire.ts';

export interface AppendServices {
  readonly log: StandInLog;
  readonly gate: FaultGate;
  readonly doorman: Doorman;
}

/** Milliseconds that the server gives an append by itself. */
const writeTimeout = 2000;

/** Answers when the server would: at once, when what was appended is shown, or when its time for a dropped append is over. */
const answerInTime = (
  { log }: AppendServices,
  { stream, expected, events }: Gathering,
  answer: (result: Answered | 'timeout') => void,
): void => {
  const result = log.append(stream, expected, events);
  if (result.kind === 'dropped') {
    setTimeout(() => answer('timeout'), writeTimeout);
    return;
  }
  const shown = result.kind === 'appended' && result.position !== null ? log.whenShown(result.position) : null;
  if (shown === null) answer(result);
  else void shown.then(() => answer(result));
};

interface Gathering {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: ProposedEvent[];
  size: number;
}

/** `Append`: one stream's events in one call; the client takes it when credentials are given with the call. */
export const appendCall =
  (services: AppendServices) =>
  (call: ServerReadableStream<AppendReq, AppendResp>, callback: sendUnaryData<AppendResp>): void => {
    const { gate, doorman } = services;
    const refusal = doorman.refusal(call.metadata) ?? (gate.refusal() === null ? null : callErrors.unavailable());
    let gathering: Gathering | null = null;
    let fault: ServiceError | null = refusal;
    const answer = (error: ServiceError | null, response?: AppendResp): void => {
      const leave = (): void => {
        gate.sent();
        callback(error, response);
      };
      const delay = gate.delayed();
      if (delay === 0) leave();
      else setTimeout(leave, delay);
    };

    call.on('data', (request: AppendReq) => {
      const options = request.getOptions();
      if (options !== undefined) {
        gathering = {
          stream: streamNameOf(options.getStreamIdentifier()),
          expected: expectedOfAppend(options),
          events: [],
          size: 0,
        };
        return;
      }
      const message = request.getProposedMessage();
      if (message === undefined || gathering === null || fault !== null) return;
      const event = proposedOf(message);
      if (event === null) {
        fault = callErrors.missingProperty();
        return;
      }
      gathering.size += sizeOf(event);
      gathering.events.push(event);
      if (gathering.size > maxAppendSize) fault = callErrors.tooLarge();
    });
    call.on('end', () => {
      const whole = gathering;
      if (fault !== null || whole === null) {
        answer(fault ?? callErrors.invalid('The options are missing'));
        return;
      }
      const carryOut = (): void => {
        if (call.cancelled) return;
        answerInTime(services, whole, (result) => {
          const lost = gate.lost(whole.stream);
          if (lost === 'timeout' || (lost === null && result === 'timeout')) answer(callErrors.timeout());
          else if (lost === 'cut') gate.cut();
          else if (lost === null && result !== 'timeout') answer(null, appendAnswer(result, whole.expected));
        });
      };
      const held = gate.hold(whole.stream);
      if (held === null) carryOut();
      else void held.then(carryOut);
    });
    call.on('error', () => undefined);
  };

/** `BatchAppend`: many appends over one call, each answered by its correlation id. */
export const batchAppendCall =
  (services: AppendServices) =>
  (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void => {
    const { gate, doorman } = services;
    const out = outgoing<BatchAppendResp>(call, gate);
    const refusal = doorman.refusal(call.metadata);
    const anonymous = refusal !== null && doorman.anonymous(call.metadata);
    if (refusal !== null && !anonymous) {
      out.end(refusal);
      return;
    }
    const gatherings = new Map<string, Gathering & { readonly deadline: number }>();
    let ended = false;
    let pending = 0;

    const reply = (id: UUID, { stream, expected }: Gathering, result: Answered | Status): void => {
      void out.send(batchAnswer(id, stream, expected, result));
    };

    const carryOut = (id: UUID, whole: Gathering & { readonly deadline: number }): void => {
      if (out.over) return;
      const done = (): void => {
        pending -= 1;
        if (ended && pending === 0) out.end();
      };
      if (Date.now() >= whole.deadline) {
        reply(id, whole, batchErrors.timeout());
        done();
        return;
      }
      answerInTime(services, whole, (result) => {
        if (out.over) return;
        const lost = gate.lost(whole.stream);
        if (lost === null) reply(id, whole, result === 'timeout' ? batchErrors.timeout() : result);
        else if (lost === 'timeout') reply(id, whole, batchErrors.timeout());
        else if (lost === 'cut') gate.cut();
        done();
      });
    };

    const open = (key: string, id: UUID, options: BatchAppendReq.Options): void => {
      const gathering = {
        stream: streamNameOf(options.getStreamIdentifier()),
        expected: expectedOfBatch(options),
        events: [],
        size: 0,
        deadline: options.getDeadline()?.toDate().getTime() ?? Number.POSITIVE_INFINITY,
      };
      if (anonymous) reply(id, gathering, batchErrors.accessDenied());
      else if (Date.now() >= gathering.deadline) reply(id, gathering, batchErrors.timeout());
      else gatherings.set(key, gathering);
    };

    const gather = (whole: Gathering, messages: readonly BatchAppendReq.ProposedMessage[]): Status | null => {
      for (const message of messages) {
        const event = proposedOf(message);
        if (event === null) return batchErrors.badRequest('A required metadata property is missing');
        whole.size += sizeOf(event);
        whole.events.push(event);
        if (whole.size > maxAppendSize) return batchErrors.tooLarge();
      }
      return null;
    };

    call.on('data', (request: BatchAppendReq) => {
      const id = request.getCorrelationId();
      if (id === undefined || out.over) return;
      const refusing = gate.refusal();
      if (refusing === 'unavailable') {
        out.end(callErrors.unavailable());
        return;
      }
      const key = id.getString();
      const options = request.getOptions();
      if (options !== undefined) open(key, id, options);
      const whole = gatherings.get(key);
      if (whole === undefined) return;
      const fault = gather(whole, request.getProposedMessagesList());
      if (fault !== null) {
        gatherings.delete(key);
        reply(id, whole, fault);
        return;
      }
      if (!request.getIsFinal()) return;
      gatherings.delete(key);
      if (refusing === 'not-ready') {
        reply(id, whole, batchErrors.notReady());
        return;
      }
      pending += 1;
      const held = gate.hold(whole.stream);
      if (held === null) carryOut(id, whole);
      else void held.then(() => carryOut(id, whole));
    });
    call.on('end', () => {
      ended = true;
      if (pending === 0) out.end();
    });
    call.on('error', () => undefined);
  };
