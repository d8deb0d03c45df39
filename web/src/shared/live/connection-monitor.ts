import { createActor } from 'xstate';
import { connectionMachine } from './connection.machine.ts';

export type ConnectionState = 'online' | 'catching_up' | 'offline';

export interface ConnectionStatus {
  readonly state: ConnectionState;
  /** True when the lost line is worth telling (after two seconds). */
  readonly announced: boolean;
  /** When what is painted was last known to be whole, milliseconds since the epoch; `null` before the first time. */
  readonly dataAt: number | null;
  /** What the server says of a line that it does not open for now, as it has too many of this person. */
  readonly refused?: string;
  /** When the next attempt begins, milliseconds since the epoch; absent while one is under way, and while there is a line. */
  readonly retryAt?: number;
}

export interface ConnectionMonitorDeps {
  readonly clock: {
    readonly setTimeout: (run: () => void, ms: number) => unknown;
    readonly clearTimeout: (handle: unknown) => void;
    /** Milliseconds since the epoch. */
    readonly now: () => number;
  };
  /** When the next attempt begins; null = none waits. */
  readonly retryAt: () => number | null;
  readonly onChange: () => void;
}

const isAlike = (a: ConnectionStatus, b: ConnectionStatus): boolean =>
  a.state === b.state &&
  a.announced === b.announced &&
  a.dataAt === b.dataAt &&
  a.refused === b.refused &&
  a.retryAt === b.retryAt;

const machineOf = ({ setTimeout, clearTimeout }: ConnectionMonitorDeps['clock']) =>
  createActor(connectionMachine, { clock: { setTimeout, clearTimeout } });

/** How the line stands, as a person is told of it. */
export class ConnectionMonitor {
  readonly #deps: ConnectionMonitorDeps;
  readonly #machine: ReturnType<typeof machineOf>;
  #dataAt: number | null = null;
  #refused: string | null = null;
  #status: ConnectionStatus = { state: 'offline', announced: false, dataAt: null };

  constructor(deps: ConnectionMonitorDeps) {
    this.#deps = deps;
    this.#machine = machineOf(deps.clock);
    this.#machine.subscribe(() => this.refresh());
  }

  /** The same object while nothing of it changed. */
  get status(): ConnectionStatus {
    return this.#status;
  }

  start(): void {
    this.#machine.start();
  }

  stop(): void {
    this.#machine.stop();
  }

  connected(): void {
    this.#refused = null;
    this.#machine.send({ type: 'CONNECTED' });
  }

  caughtUp(): void {
    this.#machine.send({ type: 'CAUGHT_UP' });
  }

  disconnected(): void {
    this.#dataAt = this.#deps.clock.now();
    this.#machine.send({ type: 'DISCONNECTED' });
    this.refresh();
  }

  /** An attempt failed; `refusal` = what the server says when it has too many lines of this person, else null. */
  failed(refusal: string | null): void {
    this.#refused = refusal;
    this.refresh();
  }

  /** Looks anew at the machine and at when the next attempt is. */
  refresh(): void {
    const snapshot = this.#machine.getSnapshot();
    const { value } = snapshot;
    const retryAt = this.#deps.retryAt();
    const next: ConnectionStatus = {
      state: value === 'online' || value === 'catching_up' ? value : 'offline',
      announced: snapshot.matches({ offline: 'announced' }),
      dataAt: this.#dataAt,
      ...(this.#refused !== null && { refused: this.#refused }),
      ...(retryAt !== null && { retryAt }),
    };
    if (!isAlike(this.#status, next)) this.#status = next;
    this.#deps.onChange();
  }
}
