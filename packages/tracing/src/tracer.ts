import type { TraceContext } from '@zakup/contracts/trace-context';

/** Numbers, words and random ids: never a name, a text or a sum of a person. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  readonly name: string;
  /** Whose answer it is; `internal` = work of the process. */
  readonly kind: 'server' | 'internal';
  /** Null: it begins a trace of its own. */
  readonly parent: TraceContext | null;
  /** UTC milliseconds, with fractions. */
  readonly at: number;
  readonly attributes: SpanAttributes;
}

export interface SpanEnd {
  /** As at its start. */
  readonly at: number;
  readonly attributes: SpanAttributes;
  readonly failed: boolean;
  /** Where it is known only now. */
  readonly name?: string;
}

export interface OpenSpan {
  /** For the spans within it. */
  readonly context: TraceContext;
  end(end: SpanEnd): void;
}

/** Records spans and sends them to whoever was named. */
export interface Tracer {
  begin(span: SpanStart): OpenSpan;
  /** Sends what is left; resolves also when nobody takes it. */
  close(): Promise<void>;
}

export const traceSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type TraceSampler = (typeof traceSamplers)[number];

export interface TracerOptions {
  /** Where spans go by OTLP over HTTP, without `/v1/traces`. */
  readonly endpoint: string;
  /** `service.name`. */
  readonly service: string;
  /** As `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`. */
  readonly sampler: TraceSampler;
  readonly ratio: number;
  /** Told why spans were not taken; they are lost then. */
  readonly onFailure: (reason: string) => void;
}
