import { arch, availableParallelism, freemem, loadavg, platform, release, totalmem } from 'node:os';
import { projectionVersion } from '@zakup/projections/version';
import type { Config, SettingName } from '@zakup/service-kit/config';
import { serverAddress } from '@zakup/service-kit/server-address';
import { availableBytes } from '../data-dir/disk-space.ts';
import { storeFiles } from '../data-dir/store-files.ts';
import { storeFigures } from './store-figures.ts';

/** Settings that are a number or one of a few words, where they are in use: nobody's name, address or path can stand in them. */
const toldSettings: readonly SettingName[] = [
  'PORT',
  'BACKUP_EVERY',
  'BACKUP_KEEP',
  'ADMIN_SECOND_FACTOR',
  'WEBHOOK_PRIVATE',
  'LOG_LEVEL',
  'TRUST_PROXY',
  'SESSION_IDLE_HOURS',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
];

export interface SupportReportOptions {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: readonly SettingName[];
  /** UTC milliseconds. */
  readonly now: number;
  /** Asks the process that runs with these settings; throws where nothing answers. */
  readonly ask?: (path: string, token: string | null) => Promise<{ readonly status: number; readonly body: string }>;
}

const patience = 5_000;

const overHttp = ({ host, port }: Config): NonNullable<SupportReportOptions['ask']> => {
  const at = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return async (path, token) => {
    const answer = await fetch(`http://${at.includes(':') ? `[${at}]` : at}:${port}${path}`, {
      signal: AbortSignal.timeout(patience),
      ...(token !== null && { headers: { authorization: `Bearer ${token}` } }),
    });
    return { status: answer.status, body: await answer.text() };
  };
};

/**
 * What somebody who helps needs to know of an installation, and nothing of the people in it: no name, login, address, code, key, text or sum.
 * Ids of licences, which are random, stand in it. What cannot be found out is told as such.
 */
export const supportReport = async ({ config, env, settings, now, ask = overHttp(config) }: SupportReportOptions) => {
  const servers = [config.eventStoreDbUrl, config.mongoDbUrl]
    .flatMap((url) => (url === null ? [] : [serverAddress(url), ...serverAddress(url).split(',')]))
    .filter((address) => address !== '');
  const answer = async (path: string, token: string | null = null) => {
    const { status, body } = await ask(path, token).catch(() => ({ status: 0, body: 'не отвечает' }));
    return { status, body: servers.reduce((text, address) => text.replaceAll(address, '…'), body) };
  };
  const token = typeof config.metrics === 'object' ? config.metrics.token : null;
  const isEmbedded = config.eventStoreDbUrl === null && config.mongoDbUrl === null;
  const [ready, metrics] = await Promise.all([answer('/readyz'), answer('/metrics', token)]);
  const isTold = (name: SettingName): boolean =>
    toldSettings.includes(name) && (config.traces !== null || !name.startsWith('OTEL_'));
  return {
    form: 1,
    madeAt: new Date(now).toISOString(),
    projections: projectionVersion,
    machine: {
      node: process.version,
      platform: `${platform()} ${arch()} ${release()}`,
      processors: availableParallelism(),
      memory: { all: totalmem(), free: freemem() },
      load: loadavg(),
      freeDisk: isEmbedded ? await availableBytes(config.dataDir).catch(() => null) : null,
    },
    settings: Object.fromEntries(
      settings.map((name) => {
        const value = env[name]?.trim() || env[`${name}_FILE`]?.trim();
        return [name, !value ? null : isTold(name) ? value : 'задано'];
      }),
    ),
    reachable: config.reachable,
    publicHttps: config.publicHttps,
    stores: isEmbedded ? await storeFigures(storeFiles(config.dataDir)) : 'на серверах',
    server: { ready, metrics: { status: metrics.status, text: metrics.body.split('\n') } },
  };
};
