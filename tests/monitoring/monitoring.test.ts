import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { appMetrics } from '@zakup/service-kit/metrics';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot, textOf } from '../architecture/repository-files.ts';
import { hasPromtool, said } from './promtool.ts';

interface Board {
  readonly panels: readonly {
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly networks: readonly string[];
        readonly ports?: readonly string[];
        readonly volumes?: readonly string[];
        readonly read_only?: boolean;
        readonly secrets?: readonly object[];
      }
    >
  >;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

const board = JSON.parse(textOf('deploy/monitoring/dashboard.json')) as Board;
const rules = parse(textOf('deploy/monitoring/alerts.yml')) as {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
};
const compose = parse(textOf('deploy/monitoring/compose.yml'), { merge: true }) as Compose;

const boardExprs = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const exprs = [...boardExprs, ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr))];

/** Names that a process shows, as queries name them, with the labels of each. */
const shownNames = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const described = await appMetrics({ runtime: true }).registry.getMetricsAsJSON();
  const labels = new Map<string, readonly string[]>([['up', ['job']]]);
  for (const { name, type } of described) {
    const text = textOf('docs/reference/metrics.md');
    const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
    const own = [...(row.split('|')[3] ?? '').matchAll(/`(\w+)`/gu)].map(([, label = '']) => label);
    const ends = String(type) === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const end of ends) labels.set(name + end, [...own, 'job', 'instance', ...(end === '_bucket' ? ['le'] : [])]);
  }
  return labels;
};

it('MON-3405 alerts and board ask for figures that there are, by labels that these have', async () => {
  const shown = await shownNames();
  const asked = exprs.flatMap((expr) => [
    ...expr.matchAll(/\b(zakup_\w+|nodejs_\w+|process_\w+|up)\b(?:\{([^}]*)\})?/gu),
  ]);
  expect(asked.length).toBeGreaterThanOrEqual(exprs.length);
  const wrong = asked.filter(([, name = '', filter = '']) => {
    const labels = shown.get(name);
    return labels === undefined || [...filter.matchAll(/(\w+)=/gu)].some(([, label = '']) => !labels.includes(label));
  });
  expect(wrong.map(([text]) => text)).toEqual([]);
});

it('MON-3406 no panel of the board lies on another, and each has a name of its own', () => {
  const places = board.panels.map(({ title, gridPos }) => ({ title, ...gridPos }));
  const lies = places.filter((one, index) =>
    places
      .slice(0, index)
      .some(
        (other) =>
          one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h,
      ),
  );
  expect(lies).toEqual([]);
  expect(new Set(places.map(({ title }) => title)).size).toBe(places.length);
});

it('MON-3407 the second compose file gives no service a way out, mounts what is there, and is reached from this machine alone', () => {
  const main = parse(textOf('docker-compose.yml'), { merge: true }) as Compose;
  const networks = { ...main.networks, ...compose.networks };
  const open = Object.keys(networks).filter((name) => networks[name]?.internal !== true);
  for (const [name, { networks: given }] of Object.entries(compose.services)) {
    const before = main.services[name];
    if (before === undefined) continue;
    expect(given.filter((one) => open.includes(one))).toEqual(before.networks.filter((one) => open.includes(one)));
    expect(given).toEqual([...before.networks, 'watch']);
  }
  const files = Object.values(compose.services)
    .flatMap(({ volumes = [] }) => volumes)
    .flatMap((volume) => /^\.\/([^:]+):[^:]+:ro$/u.exec(volume)?.[1] ?? []);
  expect(files.map((file) => [file, existsSync(join(repositoryRoot, file))])).toEqual(
    files.map((file) => [file, true]),
  );
  expect(files).toHaveLength(5);
  const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);
  expect(ports.map((port) => port.split(':')[0])).toEqual(['127.0.0.1', '127.0.0.1']);
  // Compose cannot put what a variable holds into a container that is read-only.
  const closed = Object.entries(compose.services).filter(([, service]) => service.read_only === true);
  expect(closed.map(([name, service]) => [name, service.secrets ?? []])).toEqual([['grafana', []]]);
  expect(textOf('docs/how-to/monitoring.md')).toContain('-f deploy/monitoring/compose.yml');
});

describe.skipIf(!hasPromtool)('queries of the board, by promtool', () => {
  it('MON-3408 are queries', async () => {
    const group = {
      name: 'board',
      rules: boardExprs.map((expr, index) => ({
        record: `panel_${index}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      })),
    };
    const text = await said(['check', 'rules', 'board.yml'], { 'board.yml': JSON.stringify({ groups: [group] }) });
    expect(text).toContain(`${boardExprs.length} rules found`);
  });

  it('MON-3409 the settings of Prometheus are settings', async () => {
    const config = textOf('deploy/monitoring/prometheus.yml')
      .replace('/etc/prometheus/alerts.yml', 'alerts.yml')
      .replace('/run/secrets/metrics-token', 'token');
    const files = { 'prometheus.yml': config, 'alerts.yml': textOf('deploy/monitoring/alerts.yml'), token: 'x' };
    expect(await said(['check', 'config', 'prometheus.yml'], files)).toContain('is valid prometheus config file');
  });
});
