import { traceOf, type TraceContext } from '@zakup/contracts/trace-context';
import type { OpenSpan, SpanAttributes, Tracer } from '@zakup/tracing/tracer';
import type { CorrelationIds } from './correlation.ts';
import type { Log } from './log.ts';

/** The stages of a change, from the call to the screens of others. */
export type StepName = 'command' | 'append' | 'project' | 'push' | 'deliver';

/** Numbers, fixed words and random ids, by the names that lines of the log have. */
export type StepFacts = SpanAttributes;

export interface OpenStep {
  /** A part of it ended just now and took so many milliseconds. */
  part(name: StepName, milliseconds: number, facts?: StepFacts): void;
  end(facts?: StepFacts, failed?: boolean): void;
}

/** What was done for commands, from when until when, in UTC milliseconds. */
export interface StepOfCommands {
  readonly name: StepName;
  readonly commandIds: Iterable<string>;
  readonly began: number;
  readonly ended: number;
  readonly facts: StepFacts;
}

/** Tells of the steps of changes: a line of the log each at the level `debug`, and a span where traces are asked for. */
export interface Steps {
  /** Whether anybody looks; what takes time to find out is not found out otherwise. */
  readonly areWatched: boolean;
  readonly tracer: Tracer | null;
  /** Begins a step within a request's span. */
  begin(name: StepName, ids: CorrelationIds, within: TraceContext | null): OpenStep;
  /** Of each command one, in the trace that its id names. */
  ofCommands(step: StepOfCommands): void;
}

/** UTC milliseconds with fractions, which do not go back while the process runs. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();

const silent: OpenStep = { part: () => undefined, end: () => undefined };

/** Tells nobody. */
export const noSteps: Steps = {
  areWatched: false,
  tracer: null,
  begin: () => silent,
  ofCommands: () => undefined,
};

const attributesOf = ({ correlationId, commandId }: CorrelationIds, facts: StepFacts): SpanAttributes => ({
  ...Object.fromEntries(Object.entries(facts).map(([name, value]) => [`zakup.${name}`, value])),
  'zakup.correlationId': correlationId,
  ...(commandId !== undefined && { 'zakup.commandId': commandId }),
});

class WatchedSteps implements Steps {
  readonly areWatched = true;
  readonly tracer: Tracer | null;
  readonly #log: Pick<Log, 'debug'>;

  constructor(log: Pick<Log, 'debug'>, tracer: Tracer | null) {
    this.#log = log;
    this.tracer = tracer;
  }

  begin(name: StepName, ids: CorrelationIds, within: TraceContext | null): OpenStep {
    const began = preciseNow();
    const span = this.#span(name, within, began);
    return {
      part: (part, milliseconds, facts = {}) => {
        const ended = preciseNow();
        const partSpan = this.#span(part, span?.context ?? null, ended - milliseconds);
        this.#over(part, ids, partSpan, { began: ended - milliseconds, ended, facts, failed: false });
      },
      end: (facts = {}, failed = false) => this.#over(name, ids, span, { began, ended: preciseNow(), facts, failed }),
    };
  }

  ofCommands({ name, commandIds, began, ended, facts }: StepOfCommands): void {
    for (const commandId of commandIds) {
      const span = this.#span(name, traceOf(commandId), began);
      this.#over(name, { correlationId: commandId, commandId }, span, { began, ended, facts, failed: false });
    }
  }

  #span(name: StepName, parent: TraceContext | null, at: number): OpenSpan | undefined {
    return this.tracer?.begin({ name, kind: 'internal', parent, at, attributes: {} });
  }

  #over(
    step: StepName,
    ids: CorrelationIds,
    span: OpenSpan | undefined,
    how: Pick<StepOfCommands, 'began' | 'ended' | 'facts'> & { readonly failed: boolean },
  ): void {
    const { began, ended, facts, failed } = how;
    const milliseconds = Math.round((ended - began) * 1000) / 1000;
    this.#log.debug({ step, ...ids, milliseconds, ...facts, ...(failed && { failed }) }, 'A step of a change is done');
    span?.end({ at: ended, attributes: attributesOf(ids, facts), failed });
  }
}

/** Where neither the log nor a tracer takes them, steps cost nothing. */
export const watchedSteps = (log: Log, tracer: Tracer | null): Steps =>
  tracer === null && !log.isLevelEnabled('debug') ? noSteps : new WatchedSteps(log, tracer);
