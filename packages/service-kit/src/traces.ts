import type { Tracer } from '@zakup/tracing/tracer';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import type { ServiceName } from './service-names.ts';

/** Milliseconds between two lines about spans that nobody took. */
const tellEvery = 60_000;

/** Records traces where the settings name somebody who takes them. Otherwise nothing of it is loaded, and nothing is sent. */
export const tracerOf = async (
  { config: { traces }, log }: { readonly config: Pick<Config, 'traces'>; readonly log: Pick<Log, 'warn'> },
  services: readonly ServiceName[] = [],
): Promise<Tracer | null> => {
  if (traces === null) return null;
  const { openTelemetryTracer } = await import('@zakup/tracing/open-telemetry');
  let toldAt = Number.NEGATIVE_INFINITY;
  return openTelemetryTracer({
    ...traces,
    service: traces.service ?? (services.length === 1 ? `zakup-${services[0]}` : 'zakup'),
    onFailure(reason) {
      if (performance.now() - toldAt < tellEvery) return;
      toldAt = performance.now();
      log.warn({ reason: reason.slice(0, 500) }, 'Spans were not taken, and are lost');
    },
  });
};
