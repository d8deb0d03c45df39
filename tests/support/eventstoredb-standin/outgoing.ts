import type { ServiceError } from '@grpc/grpc-js';
import type { FaultGate } from './faults.ts';

/** What the streaming calls of grpc-js have in common here. */
export interface StreamingCall<Message> {
  readonly cancelled: boolean;
  write(message: Message): boolean;
  end(): void;
  emit(event: 'error', error: ServiceError): boolean;
  once(event: 'drain' | 'cancelled', listener: () => void): unknown;
}

/** The server's half of a streaming call: in order, late when so ordered, no faster than the client takes it. */
export interface Outgoing<Message> {
  /** Null: it has left. Otherwise resolves when the next message may follow. */
  send(message: Message): Promise<void> | null;
  /** Ends the call after what was sent; with an error or without. */
  end(error?: ServiceError): void;
  /** The call is over for either side. */
  readonly over: boolean;
  /** Called once when the call is over. */
  onOver(listener: () => void): void;
}

export const outgoing = <Message>(call: StreamingCall<Message>, gate: FaultGate): Outgoing<Message> => {
  let over = call.cancelled;
  let queue: Promise<void> = Promise.resolve();
  let queued = 0;
  let due = 0;
  const listeners: (() => void)[] = [];

  const finish = (): void => {
    over = true;
    for (const listener of listeners.splice(0)) listener();
  };
  call.once('cancelled', finish);

  const room = (): Promise<void> =>
    new Promise((resolve) => {
      call.once('drain', resolve);
      listeners.push(resolve);
    });

  const write = (message: Message): Promise<void> | null => {
    if (over || call.cancelled) return null;
    gate.sent();
    return call.write(message) ? null : room();
  };

  const later = (work: () => void): Promise<void> => {
    due = Math.max(due, Date.now() + gate.delayed());
    const at = due;
    const previous = queue;
    queued += 1;
    const waited = new Promise<void>((resolve) => {
      setTimeout(resolve, Math.max(0, at - Date.now()));
    });
    queue = (async () => {
      await previous;
      await waited;
      work();
      queued -= 1;
    })();
    return queue;
  };

  return {
    send: (message) => {
      if (over) return null;
      if (gate.delayed() === 0 && queued === 0) return write(message);
      return later(() => void write(message));
    },
    end: (error) => {
      const close = (): void => {
        if (over) return;
        finish();
        if (error === undefined) call.end();
        else call.emit('error', error);
      };
      if (gate.delayed() === 0 && queued === 0) close();
      else void later(close);
    },
    get over() {
      return over;
    },
    onOver: (listener) => {
      if (over) listener();
      else listeners.push(listener);
    },
  };
};
