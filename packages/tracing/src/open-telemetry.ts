import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { TraceContext } from '@zakup/contracts/trace-context';
import { samplerOf } from './sampler.ts';
import type { Tracer, TracerOptions } from './tracer.ts';

const within = (parent: TraceContext | null): Context => {
  if (parent === null) return ROOT_CONTEXT;
  const { traceId, spanId, sampled } = parent;
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
};

/** Where several addresses were tried, as of a name with an IPv4 and an IPv6 one, the error has a code alone. */
const reasonOf = (error: Error): string => error.message || ('code' in error && String(error.code)) || error.name;

/** Tells of spans that were not taken. */
const telling = (exporter: SpanExporter, onFailure: (reason: string) => void): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.error !== undefined) onFailure(reasonOf(result.error));
      done(result);
    }),
  forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  shutdown: () => exporter.shutdown(),
});

/** Milliseconds that the end of the process waits for what is left to be taken. */
const patience = 2_000;

/** Spans by OpenTelemetry. This module is loaded only where somebody asks for them. */
export const openTelemetryTracer = ({ endpoint, service, sampler, ratio, onFailure }: TracerOptions): Tracer => {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    sampler: samplerOf(sampler, ratio),
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': service })),
    spanProcessors: [new BatchSpanProcessor({ exporter: telling(exporter, onFailure) })],
  });
  const tracer = provider.getTracer('zakup');
  return {
    begin({ name, kind, parent, at, attributes }) {
      const span = tracer.startSpan(
        name,
        { kind: kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL, startTime: at, attributes: { ...attributes } },
        within(parent),
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        context: { traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 },
        end(end) {
          if (end.name !== undefined) span.updateName(end.name);
          span.setAttributes({ ...end.attributes });
          if (end.failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end(end.at);
        },
      };
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patience);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
};
