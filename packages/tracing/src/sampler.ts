import { trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { beginsTrace } from '@zakup/contracts/trace-context';
import type { TraceSampler } from './tracer.ts';

/** `ratio`: from 0 to 1, for those that have one. */
const samplers: Readonly<Record<TraceSampler, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

/**
 * The sampler of this name. A trace that begins with a click has no parent that anybody recorded: it is judged as one without, by its id, so
 * that all services judge alike.
 */
export const samplerOf = (name: TraceSampler, ratio: number): Sampler => {
  const inner = samplers[name](ratio);
  return {
    shouldSample(context, ...about) {
      const parent = trace.getSpanContext(context);
      const isWithout = parent !== undefined && beginsTrace(parent);
      return inner.shouldSample(isWithout ? trace.deleteSpan(context) : context, ...about);
    },
    toString: () => inner.toString(),
  };
};
