import { readFileSync } from 'node:fs';
import { type TraceSampler, traceSamplers } from '@zakup/tracing/tracer';
import { z } from 'zod';
import { type LogLevel, logLevels } from './log.ts';
import type { MetricsAccess } from './metrics.ts';
import { serverAddress } from './server-address.ts';

/** What `.env.example` shows of a setting. */
interface SettingNote {
  /** One or two sentences for the operator, in Russian. */
  readonly note: string;
  /** The value used when the setting is absent; null = none. */
  readonly preset: string | null;
  /** May also come from the file that `<NAME>_FILE` names; never printed. */
  readonly secret: boolean;
}

const notes = z.registry<SettingNote>();

const wholeNumber = (least: number, most: number) => {
  const error = `нужно целое число от ${least} до ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((value) => value >= least && value <= most, error);
};

const beginsWith = (schemes: readonly string[]): string =>
  `нужен адрес, который начинается с ${schemes.map((scheme) => `${scheme}://`).join(' или ')}`;

const address = (schemes: readonly string[]) =>
  z
    .string()
    .refine(
      (value) => schemes.some((scheme) => value.startsWith(`${scheme}://`)) && URL.canParse(value),
      beginsWith(schemes),
    );

/** A connection string: it may name several hosts, which an address of the web cannot. */
const connectionString = (schemes: readonly string[]) =>
  z.string().refine(
    (value) =>
      schemes.some((scheme) => value.startsWith(`${scheme}://`)) &&
      serverAddress(value)
        .split(',')
        .every((host) => URL.canParse(`http://${host}`)),
    beginsWith(schemes),
  );

/** Without a name of a database it is `zakup`; who signs in is then still looked for where MongoDB looks without one. */
const withDatabase = (url: string): string => {
  const [, servers = url, name = '', options = ''] = /^([^/]+\/\/[^/?]*)\/?([^/?]*)(?:\?(.*))?$/u.exec(url) ?? [];
  if (name !== '') return url;
  const signsIn = servers.includes('@') && !/(?:^|&)authSource=/iu.test(options);
  const all = [options, signsIn ? 'authSource=admin' : ''].filter((option) => option !== '').join('&');
  return `${servers}/zakup${all === '' ? '' : `?${all}`}`;
};

/** By the letter of a duration. */
const milliseconds: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Every setting of the product; the only description of the environment. */
const settingsSchema = z.object({
  PORT: wholeNumber(0, 65_535).default(3000).register(notes, {
    note: 'Порт HTTP. 0: любой свободный, он будет напечатан при запуске.',
    preset: '3000',
    secret: false,
  }),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'нужен IP-адрес или имя узла')
    .default('127.0.0.1')
    .register(notes, {
      note: 'Адрес, на котором слушать. Открывать наружу (0.0.0.0) стоит только за HTTPS, см. PUBLIC_URL.',
      preset: '127.0.0.1',
      secret: false,
    }),
  DATA_DIR: z.string().default('./data').register(notes, {
    note: 'Папка с данными: журнал событий, модели чтения, учётные данные, ключи.',
    preset: './data',
    secret: false,
  }),
  EVENTSTOREDB_URL: connectionString(['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover'])
    .refine(
      (value) => !/[?&]tlsVerifyCert=false/iu.test(value) || /[?&]tls=false/iu.test(value),
      'уберите tlsVerifyCert=false: сертификат проверяется всегда, свой удостоверяющий центр назовите в tlsCAFile',
    )
    .optional()
    .register(notes, {
      note: 'Внешний EventStoreDB вместо встроенного журнала, например esdb://localhost:2113?tls=false',
      preset: null,
      secret: true,
    }),
  EVENTSTOREDB_NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,31}$/, 'нужны строчные латинские буквы и цифры, не больше 32, первая буква')
    .optional()
    .register(notes, {
      note: 'Приставка имён потоков, когда одним EventStoreDB пользуются несколько установок.',
      preset: null,
      secret: false,
    }),
  MONGODB_URL: connectionString(['mongodb', 'mongodb+srv']).transform(withDatabase).optional().register(notes, {
    note: 'Внешний MongoDB (набор реплик) вместо встроенных моделей чтения и учётных данных, например mongodb://localhost:27017/zakup?replicaSet=rs0',
    preset: null,
    secret: true,
  }),
  JWT_SECRET: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 32, 'нужно не меньше 32 байт')
    .optional()
    .register(notes, {
      note: 'Ключ подписи токенов, не меньше 32 байт. В одном процессе создаётся сам и хранится в DATA_DIR; отдельным службам обязателен и одинаков у всех.',
      preset: null,
      secret: true,
    }),
  SEAL_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'нужны 32 случайных байта в base64url, это 43 знака')
    .optional()
    .register(notes, {
      note: 'Закрытый ключ, которым подписываются печати истории: 32 случайных байта в base64url. В одном процессе создаётся сам и хранится в DATA_DIR; отдельной службе projector обязателен, другим не нужен. Сменить ключ: docs/how-to/verify-history.md',
      preset: null,
      secret: true,
    }),
  ACCESS_CODES_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'нужны 32 случайных байта в base64url, это 43 знака')
    .transform((value): Uint8Array => Buffer.from(value, 'base64url'))
    .optional()
    .register(notes, {
      note: 'Ключ, которым в журнале и моделях чтения зашифрованы коды доступа и ключи лицензий: 32 случайных байта в base64url. Не задан: на встроенных хранилищах создаётся сам и хранится в DATA_DIR, на серверах выводится из JWT_SECRET, который тогда нельзя сменить. У служб command и gateway одинаков. Без него по кодам не войти: храните копию и не меняйте.',
      preset: null,
      secret: true,
    }),
  CREDENTIALS_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'нужны 32 случайных байта в base64url, это 43 знака')
    .transform((value): Uint8Array => Buffer.from(value, 'base64url'))
    .optional()
    .register(notes, {
      note: 'Ключ, которым в учётных данных зашифрованы вторые факторы и коды активации: 32 байта в base64url. Не задан: на встроенных хранилищах создаётся сам и хранится в DATA_DIR, на серверах выводится из JWT_SECRET. Задаётся после npm run migrate. У служб command и gateway одинаков.',
      preset: null,
      secret: true,
    }),
  SEAL_WITNESS: z
    .string()
    .refine((value) => !/^https?:/iu.test(value) || URL.canParse(value), 'нужен путь к файлу или адрес http(s)')
    .optional()
    .register(notes, {
      note: 'Куда ещё записывать номер и хеш каждой печати истории: путь к файлу или адрес (POST, JSON), лучше на другой машине. Там их не подменить вместе с данными. Нужна службе projector.',
      preset: null,
      secret: true,
    }),
  BACKUP_DIR: z.string().optional().register(notes, {
    note: 'Папка, куда сервер на встроенных хранилищах сам кладёт резервные копии (zakup-<время UTC>), лучше на другом диске. Не задана: копии делает только npm run backup.',
    preset: null,
    secret: false,
  }),
  BACKUP_EVERY: z
    .string()
    .regex(/^[1-9]\d{0,5}[smhd]$/u, 'нужно целое число с буквой s, m, h или d, например 24h')
    .transform((value) => Number(value.slice(0, -1)) * (milliseconds[value.slice(-1)] ?? 0))
    .default(24 * 3_600_000)
    .register(notes, {
      note: 'Как часто делать копии в BACKUP_DIR: число и s, m, h или d (секунды, минуты, часы, дни).',
      preset: '24h',
      secret: false,
    }),
  BACKUP_KEEP: wholeNumber(1, 10_000).default(7).register(notes, {
    note: 'Сколько последних копий этой установки хранить в BACKUP_DIR; более старые удаляются после удачной новой.',
    preset: '7',
    secret: false,
  }),
  ADMIN_LOGIN: z
    .string()
    .max(120, 'не длиннее 120 знаков')
    .default('admin')
    .register(notes, { note: 'Логин администратора площадки (/admin).', preset: 'admin', secret: false }),
  ADMIN_PASSWORD: z.string().min(8, 'нужно не меньше 8 знаков').optional().register(notes, {
    note: 'Пароль администратора, не меньше 8 знаков. Где до службы доходят с других машин, новым не станет ни один из самых частых. Не задан: при первом запуске создаётся и печатается один раз.',
    preset: null,
    secret: true,
  }),
  ADMIN_SECOND_FACTOR: z.enum(['asked', 'required'], 'нужно asked или required').default('asked').register(notes, {
    note: 'Второй фактор администратора, когда сервер открыт другим машинам (HOST, PUBLIC_URL или TRUST_PROXY): asked просит включить его, required не впускает без него.',
    preset: 'asked',
    secret: false,
  }),
  ADMIN_EMAILS: z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((email) => email.trim().toLowerCase())
        .filter((email) => email !== ''),
    )
    .pipe(z.array(z.email('нужны адреса почты через запятую')))
    .default([])
    .register(notes, {
      note: 'Адреса почты через запятую: эти люди видят ссылку ADMIN на управление своей лицензией. Владелец узнаётся по почте лицензии. Не задано: не видит никто.',
      preset: '',
      secret: false,
    }),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{20,}$/, 'нужен токен вида 123456:буквы-и-цифры, его выдаёт @BotFather')
    .optional()
    .register(notes, {
      note: 'Токен бота Telegram, который присылает владельцу код активации. Не задан: код показывает администратор.',
      preset: null,
      secret: true,
    }),
  WEBHOOK_PRIVATE: z.enum(['allow', 'refuse'], 'нужно allow или refuse').default('refuse').register(notes, {
    note: 'Можно ли вебхукам обращаться к адресам внутренних сетей (127.0.0.1, 10.x, 192.168.x и подобным): allow разрешает. Не включайте там, где владельцам лицензий нет дела до вашей сети.',
    preset: 'refuse',
    secret: false,
  }),
  LOG_LEVEL: z
    .enum(logLevels, { error: `нужно одно из: ${logLevels.join(', ')}` })
    .default('info')
    .register(notes, { note: `Подробность журнала работы: ${logLevels.join(', ')}.`, preset: 'info', secret: false }),
  TRUST_PROXY: wholeNumber(0, 10).default(0).register(notes, {
    note: 'Сколько обратных прокси стоит перед службой; от этого зависит, какой адрес считать адресом человека.',
    preset: '0',
    secret: false,
  }),
  SESSION_IDLE_HOURS: wholeNumber(1, 168).default(12).register(notes, {
    note: 'Через сколько часов без действий сеанс заканчивается. Открытая страница держит его; 24 часа от входа он не переживёт в любом случае (7 дней, если вошли по ключу лицензии).',
    preset: '12',
    secret: false,
  }),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, 'нужно не меньше 16 знаков без пробелов')
    .optional()
    .register(notes, {
      note: 'С ним показатели (/metrics) отдаются тому, кто пришлёт его: Authorization: Bearer. Без него их видит только тот, кто на этой же машине и не через прокси; когда служба слушает другой адрес, пути /metrics нет.',
      preset: null,
      secret: true,
    }),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(['https', 'http']).optional().register(notes, {
    note: 'Куда отправлять трассы (OpenTelemetry, OTLP по HTTP), без /v1/traces на конце. Не задан: трасс нет и ничего не отправляется.',
    preset: null,
    secret: true,
  }),
  OTEL_SDK_DISABLED: z.string().optional().register(notes, {
    note: 'true: трассы выключены, что бы ни стояло в остальных OTEL_.',
    preset: null,
    secret: false,
  }),
  OTEL_TRACES_EXPORTER: z.string().optional().register(notes, {
    note: 'none: трассы выключены, что бы ни стояло в остальных OTEL_. Иначе они уходят по OTLP.',
    preset: null,
    secret: false,
  }),
  OTEL_SERVICE_NAME: z.string().max(100, 'нужно не больше 100 знаков').optional().register(notes, {
    note: 'Имя службы в трассах. Не задано: zakup, у отдельных служб zakup-command, zakup-projector, zakup-gateway.',
    preset: null,
    secret: false,
  }),
  OTEL_TRACES_SAMPLER: z
    .enum(traceSamplers, { error: `нужно одно из: ${traceSamplers.join(', ')}` })
    .default('parentbased_always_on')
    .register(notes, {
      note: `Какие трассы записывать: ${traceSamplers.join(', ')}.`,
      preset: 'parentbased_always_on',
      secret: false,
    }),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/, 'нужно число от 0 до 1')
    .transform(Number)
    .default(1)
    .register(notes, {
      note: 'Какую долю трасс записывать, где в OTEL_TRACES_SAMPLER стоит traceidratio: от 0 до 1.',
      preset: '1',
      secret: false,
    }),
  PUBLIC_URL: address(['https', 'http'])
    .transform((value) => value.replace(/\/+$/, ''))
    .optional()
    .register(notes, {
      note: 'Адрес, по которому открывают браузером. С https включаются HSTS и защищённые cookie.',
      preset: null,
      secret: false,
    }),
});

type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;

/** Settings after checking. `null` = not set. */
export interface Config {
  /** 0 = any free port. */
  readonly port: number;
  readonly host: string;
  /** As given; relative to the working folder. */
  readonly dataDir: string;
  readonly eventStoreDbUrl: string | null;
  /** What stands, with an underscore, before the names of this installation's streams. */
  readonly eventStoreDbNamespace: string | null;
  readonly mongoDbUrl: string | null;
  /** At least 32 bytes. */
  readonly jwtSecret: string | null;
  /** 32 bytes in base64url. */
  readonly sealKey: string | null;
  /** 32 bytes. */
  readonly accessCodesKey: Uint8Array | null;
  /** 32 bytes. */
  readonly credentialsKey: Uint8Array | null;
  /** A path or an address that is told of every seal. */
  readonly sealWitness: string | null;
  /** Backups that the server makes by itself; null = it makes none. */
  readonly backups: {
    readonly dir: string;
    /** Milliseconds between two. */
    readonly every: number;
    /** How many are kept. */
    readonly keep: number;
  } | null;
  readonly adminLogin: string;
  readonly adminPassword: string | null;
  /** Other machines come to it, by themselves or through a proxy. */
  readonly reachable: boolean;
  /** Where only this machine reaches the service nobody is asked for it. */
  readonly adminSecondFactor: 'optional' | 'asked' | 'required';
  /** Lower case. */
  readonly adminEmails: readonly string[];
  readonly telegramBotToken: string | null;
  /** Webhooks may call addresses of private networks. */
  readonly webhookPrivate: boolean;
  readonly logLevel: LogLevel;
  /** Number of reverse proxies in front. */
  readonly trustProxy: number;
  /** Milliseconds without a use after which a person's session is over. */
  readonly sessionIdle: number;
  /** Who may read `/metrics`. */
  readonly metrics: MetricsAccess;
  /** Who is sent traces of what is done, and of how much of it; null = nobody. */
  readonly traces: {
    readonly endpoint: string;
    /** Name of the service in them; null = its own. */
    readonly service: string | null;
    readonly sampler: TraceSampler;
    /** From 0 to 1. */
    readonly ratio: number;
  } | null;
  /** Without a slash at its end. */
  readonly publicUrl: string | null;
  /** Browsers come by https: secure cookies, HSTS. */
  readonly publicHttps: boolean;
}

export type ConfigResult =
  /** `warnings`: sentences for the operator, to be printed at start. */
  | { readonly kind: 'ok'; readonly config: Config; readonly warnings: readonly string[] }
  /** One sentence per wrong setting, each beginning with its name; no secret value in any. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

export interface ReadConfigOptions {
  /** `service`: a separate service, which needs both servers and a shared key. Default `single-process`. */
  readonly edition?: 'single-process' | 'service';
  /** What this process cannot do without, beside what its edition needs. */
  readonly needs?: readonly SettingName[];
  /** Reads the file that a `*_FILE` setting names; throws when it cannot. */
  readonly readText?: (path: string) => string;
}

export const settingNames = Object.keys(settingsSchema.shape) as SettingName[];
/** Settings as they stand in the environment or in files. */
type Given = Partial<Record<SettingName, string>>;

/** Whether a setting, or the name of its file, is about traces. */
const isOfTraces = (name: string): boolean => name.startsWith('OTEL_');

const localHosts = new Set(['127.0.0.1', 'localhost', '::1']);
const neededByServices: readonly SettingName[] = ['EVENTSTOREDB_URL', 'MONGODB_URL', 'JWT_SECRET'];

function noteOf(name: SettingName): SettingNote {
  const note = notes.get(settingsSchema.shape[name]);
  if (note === undefined) throw new Error(`Setting ${name} has no note`);
  return note;
}

/** Whether traces are switched off, or nobody is named who takes them. */
function areTracesOff(
  { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_ENDPOINT }: Given,
  problems: ReadonlyMap<string, string>,
): boolean {
  if (OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER?.toLowerCase() === 'none') return true;
  return OTEL_EXPORTER_OTLP_ENDPOINT === undefined && ![...problems.keys()].some(isOfTraces);
}

/**
 * Checks all settings at once. Empty and blank values count as absent; members that are no settings are ignored. So are those of traces (`OTEL_…`),
 * which other programs of a machine may share, where no traces are sent.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  { edition = 'single-process', needs = [], readText = (path) => readFileSync(path, 'utf8') }: ReadConfigOptions = {},
): ConfigResult {
  const given: Given = {};
  const problems = new Map<string, string>();
  for (const name of settingNames) {
    const value = env[name]?.trim();
    if (value !== undefined && value !== '') given[name] = value;
    const file = noteOf(name).secret ? env[`${name}_FILE`]?.trim() : undefined;
    if (file === undefined || file === '') continue;
    if (given[name] !== undefined) {
      problems.set(name, `задайте либо ${name}, либо ${name}_FILE, но не оба`);
      continue;
    }
    try {
      const text = readText(file).trim();
      if (text === '') problems.set(`${name}_FILE`, `файл ${file} пуст`);
      else given[name] = text;
    } catch {
      problems.set(`${name}_FILE`, `не удалось прочитать файл ${file}`);
    }
  }
  if (areTracesOff(given, problems)) {
    for (const name of settingNames.filter(isOfTraces)) delete given[name];
    for (const name of [...problems.keys()].filter(isOfTraces)) problems.delete(name);
  }
  const parsed = settingsSchema.safeParse(given);
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]) as SettingName;
    const shown = noteOf(name).secret ? '' : `, получено «${given[name] ?? ''}»`;
    if (!problems.has(name)) problems.set(name, `${issue.message}${shown}`);
  }
  for (const name of [...(edition === 'service' ? neededByServices : []), ...needs]) {
    if (given[name] === undefined && !problems.has(name) && !problems.has(`${name}_FILE`)) {
      problems.set(name, 'обязателен, когда службы запускаются отдельно');
    }
  }
  if (!parsed.success || problems.size > 0) {
    return { kind: 'invalid', problems: [...problems].map(([name, text]) => `${name}: ${text}`) };
  }
  const config = toConfig(parsed.data);
  return { kind: 'ok', config, warnings: warningsOf(config) };
}

function toConfig(settings: Settings): Config {
  const publicUrl = settings.PUBLIC_URL ?? null;
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir: settings.DATA_DIR,
    eventStoreDbUrl: settings.EVENTSTOREDB_URL ?? null,
    eventStoreDbNamespace: settings.EVENTSTOREDB_NAMESPACE ?? null,
    mongoDbUrl: settings.MONGODB_URL ?? null,
    jwtSecret: settings.JWT_SECRET ?? null,
    sealKey: settings.SEAL_KEY ?? null,
    accessCodesKey: settings.ACCESS_CODES_KEY ?? null,
    credentialsKey: settings.CREDENTIALS_KEY ?? null,
    sealWitness: settings.SEAL_WITNESS ?? null,
    backups:
      settings.BACKUP_DIR === undefined
        ? null
        : { dir: settings.BACKUP_DIR, every: settings.BACKUP_EVERY, keep: settings.BACKUP_KEEP },
    adminLogin: settings.ADMIN_LOGIN,
    adminPassword: settings.ADMIN_PASSWORD ?? null,
    reachable: isReachable(settings),
    adminSecondFactor: isReachable(settings) ? settings.ADMIN_SECOND_FACTOR : 'optional',
    adminEmails: settings.ADMIN_EMAILS,
    telegramBotToken: settings.TELEGRAM_BOT_TOKEN ?? null,
    webhookPrivate: settings.WEBHOOK_PRIVATE === 'allow',
    logLevel: settings.LOG_LEVEL,
    trustProxy: settings.TRUST_PROXY,
    sessionIdle: settings.SESSION_IDLE_HOURS * 60 * 60 * 1000,
    metrics: metricsAccess(settings),
    traces:
      settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
            service: settings.OTEL_SERVICE_NAME ?? null,
            sampler: settings.OTEL_TRACES_SAMPLER,
            ratio: settings.OTEL_TRACES_SAMPLER_ARG,
          },
    publicUrl,
    publicHttps: publicUrl?.toLowerCase().startsWith('https://') ?? false,
  };
}

/** Through a proxy of which it was not told everybody seems to come from this machine: there only a token tells who may. */
function metricsAccess({ METRICS_TOKEN: token, HOST, PUBLIC_URL, TRUST_PROXY }: Settings): MetricsAccess {
  if (token !== undefined) return { token };
  const proxyUntold = PUBLIC_URL !== undefined && TRUST_PROXY === 0;
  return localHosts.has(HOST) && !proxyUntold ? 'open' : 'closed';
}

/** Whether other machines come to it, by themselves or through a proxy. */
function isReachable({ HOST, PUBLIC_URL, TRUST_PROXY }: Settings): boolean {
  if (!localHosts.has(HOST)) return true;
  if (PUBLIC_URL === undefined) return TRUST_PROXY > 0;
  return !localHosts.has(new URL(PUBLIC_URL).hostname.replace(/^\[(.*)\]$/, '$1'));
}

function warningsOf(config: Config): readonly string[] {
  if (localHosts.has(config.host) || config.publicHttps) return [];
  return [
    `HOST: служба слушает ${config.host}, а PUBLIC_URL не начинается с https. Пароли и токены пойдут по сети открытым текстом: поставьте перед службой HTTPS-прокси и задайте PUBLIC_URL.`,
  ];
}

/** The text of `.env.example`: every setting with its note; what has a default shows it, commented out. */
export function envExample(): string {
  const blocks = settingNames.map((name) => {
    const { note, preset, secret } = noteOf(name);
    return [`# ${note}`, `# ${name}=${preset ?? ''}`, ...(secret ? [`# ${name}_FILE=`] : [])].join('\n');
  });
  return [
    '# Настройки Zakup. Создано командой npm run env:example из схемы настроек; правьте схему, а не этот файл.',
    '# Скопируйте в .env и снимите комментарий с того, что меняете. У секретов есть вариант *_FILE: путь к файлу со значением.',
    '',
    ...blocks.flatMap((block) => [block, '']),
  ].join('\n');
}
