import type { Histogram } from 'prom-client';
import type { Metrics } from './metrics.ts';
import type { ServiceContext } from './service.ts';
import type { ServiceName } from './service-names.ts';

/** What a service has done lately, over all of its processes. What is absent is not measured by it, or not known. */
export interface ServiceFigures {
  /** Appends to the log in the last minute: of the command side. */
  readonly changesPerMinute?: number;
  /**
   * Of the last five minutes, estimated from the buckets of the histogram; of several processes that of the slowest. Of the command side the
   * time until an append is durable, of the gateway the time from a commit of read models to the sockets.
   */
  readonly p99Milliseconds?: number;
  /** Open sockets: of the gateway. */
  readonly connections?: number;
  /** Whether a Telegram bot is set up: of the command side. */
  readonly telegramBot?: boolean;
}

/** Figures of several processes of a service as those of one. */
export const sumFigures = (all: readonly ServiceFigures[]): ServiceFigures => {
  const known = (name: 'changesPerMinute' | 'p99Milliseconds' | 'connections'): readonly number[] =>
    all.flatMap((one) => one[name] ?? []);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  const [changes, slowest, connections] = [known('changesPerMinute'), known('p99Milliseconds'), known('connections')];
  const bots = all.flatMap(({ telegramBot }) => telegramBot ?? []);
  return {
    ...(changes.length > 0 && { changesPerMinute: sum(changes) }),
    ...(slowest.length > 0 && { p99Milliseconds: Math.max(...slowest) }),
    ...(connections.length > 0 && { connections: sum(connections) }),
    ...(bots.length > 0 && { telegramBot: bots.includes(true) }),
  };
};

/** Observations up to each bound in seconds, the last of which is infinite; cumulative. */
type Buckets = ReadonlyMap<number, number>;

const bucketsOf = async (histogram: Pick<Histogram, 'get'>): Promise<Buckets> => {
  const buckets = new Map<number, number>();
  for (const { metricName, labels, value } of (await histogram.get()).values) {
    const { le } = labels as { readonly le?: number | string };
    if (le === undefined || metricName?.endsWith('_bucket') === false) continue;
    const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
    buckets.set(bound, (buckets.get(bound) ?? 0) + value);
  }
  return buckets;
};

const totalOf = (buckets: Buckets): number => Math.max(0, ...buckets.values());

/** Seconds below which the share of the observations lies, evenly spread within a bucket; the last finite bound where it lies beyond. */
const quantileOf = (buckets: Buckets, before: Buckets, share: number): number => {
  const rank = (totalOf(buckets) - totalOf(before)) * share;
  let [lower, below] = [0, 0];
  for (const [bound, count] of [...buckets].toSorted(([a], [b]) => a - b)) {
    const upTo = count - (before.get(bound) ?? 0);
    if (upTo >= rank)
      return Number.isFinite(bound) ? lower + ((bound - lower) * (rank - below)) / (upTo - below) : lower;
    [lower, below] = [bound, upTo];
  }
  return lower;
};

const [minute, longest] = [60_000, 5 * 60_000];
/** Milliseconds between two looks at a histogram. */
export const lookEvery = 10_000;

/** What a histogram was given within the last minutes: it is looked at now and then, and compared with what it was. */
export class RecentObservations {
  readonly #histogram: Pick<Histogram, 'get'>;
  readonly #now: () => number;
  /** Oldest first. */
  #looks: readonly { readonly at: number; readonly buckets: Buckets }[];

  /** `now`: milliseconds that never go back. The histogram is empty yet. */
  constructor(histogram: Pick<Histogram, 'get'>, now: () => number) {
    this.#histogram = histogram;
    this.#now = now;
    this.#looks = [{ at: now(), buckets: new Map() }];
  }

  /** To be called every `lookEvery`. */
  async look(): Promise<void> {
    const buckets = await bucketsOf(this.#histogram);
    const at = this.#now();
    const over = this.#looks.findLastIndex((one) => at - one.at >= longest);
    this.#looks = [...this.#looks.slice(Math.max(0, over)), { at, buckets }];
  }

  /** `p99`: milliseconds; null = there was nothing. */
  async figures(): Promise<{ readonly lastMinute: number; readonly p99: number | null }> {
    const buckets = await bucketsOf(this.#histogram);
    const [aMinuteAgo, before] = [this.#before(minute), this.#before(longest)];
    return {
      lastMinute: totalOf(buckets) - totalOf(aMinuteAgo),
      p99: totalOf(buckets) === totalOf(before) ? null : quantileOf(buckets, before, 0.99) * 1_000,
    };
  }

  /** As it was so long ago, or as long as it is known. */
  #before(milliseconds: number): Buckets {
    const at = this.#now() - milliseconds;
    return (this.#looks.findLast((one) => one.at <= at) ?? this.#looks[0])?.buckets ?? new Map<number, number>();
  }
}

const p99Of = (p99: number | null): Pick<ServiceFigures, 'p99Milliseconds'> =>
  p99 === null ? {} : { p99Milliseconds: Math.round(p99 * 10) / 10 };

const latency: Readonly<Partial<Record<ServiceName, (metrics: Metrics) => Histogram>>> = {
  command: ({ appendLatency }) => appendLatency,
  gateway: ({ fanOut }) => fanOut,
};

/** Measures what this process does as a service, from now until it ends. Answers with how to ask for it. */
export const measureService = (
  { metrics, config, atEnd }: Pick<ServiceContext, 'metrics' | 'config' | 'atEnd'>,
  service: ServiceName,
): (() => Promise<ServiceFigures>) => {
  const histogram = latency[service]?.(metrics);
  if (histogram === undefined) return async () => ({});
  const recent = new RecentObservations(histogram, () => performance.now());
  const timer = setInterval(() => void recent.look(), lookEvery).unref();
  atEnd({ name: 'figures', run: async () => clearInterval(timer) });
  return async () => {
    const { lastMinute, p99 } = await recent.figures();
    if (service === 'command')
      return { changesPerMinute: lastMinute, ...p99Of(p99), telegramBot: config.telegramBotToken !== null };
    const { values } = await metrics.sockets.get();
    return { connections: values[0]?.value ?? 0, ...p99Of(p99) };
  };
};
