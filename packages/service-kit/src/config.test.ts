import { describe, expect, test } from 'vitest';
import { readConfig, type Config } from './config.ts';

const secret = 's'.repeat(32);

function problems(env: Record<string, string>, options: Parameters<typeof readConfig>[1] = {}): readonly string[] {
  const result = readConfig(env, options);
  return result.kind === 'invalid' ? result.problems : [];
}

describe('settings', () => {
  test('CFG-1 an empty environment gives the single-process defaults', () => {
    const expected: Config = {
      port: 3000,
      host: '127.0.0.1',
      dataDir: './data',
      eventStoreDbUrl: null,
      eventStoreDbNamespace: null,
      mongoDbUrl: null,
      jwtSecret: null,
      sealKey: null,
      accessCodesKey: null,
      credentialsKey: null,
      sealWitness: null,
      backups: null,
      adminLogin: 'admin',
      adminPassword: null,
      reachable: false,
      adminSecondFactor: 'optional',
      adminEmails: [],
      telegramBotToken: null,
      webhookPrivate: false,
      logLevel: 'info',
      trustProxy: 0,
      sessionIdle: 12 * 60 * 60 * 1000,
      metrics: 'open',
      traces: null,
      publicUrl: null,
      publicHttps: false,
    };
    expect(readConfig({ PATH: '/bin', PORT: ' ', JWT_SECRET: '' })).toEqual({
      kind: 'ok',
      config: expected,
      warnings: [],
    });
  });

  test.each([
    [{}, 'open'],
    [{ HOST: '0.0.0.0' }, 'closed'],
    [{ TRUST_PROXY: '1', PUBLIC_URL: 'https://zakup.example.org' }, 'open'],
    [{ PUBLIC_URL: 'https://zakup.example.org' }, 'closed'],
    [{ HOST: '0.0.0.0', METRICS_TOKEN: 'a-long-enough-token' }, { token: 'a-long-enough-token' }],
  ] as const)('CFG-1060 with %j the figures of the process are %j', (env, metrics) => {
    expect(readConfig(env)).toMatchObject({ kind: 'ok', config: { metrics } });
    expect(problems({ METRICS_TOKEN: 'too short' })[0]).toContain('METRICS_TOKEN: нужно не меньше 16');
  });

  test('TRC-3624 traces go nowhere unless somebody is named, and then by the standard settings', () => {
    const endpoint = 'http://127.0.0.1:4318';
    const traces = (env: Readonly<Record<string, string>>) => {
      const result = readConfig(env);
      return result.kind === 'ok' ? result.config.traces : result.problems;
    };
    expect(traces({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' })).toBeNull();
    expect(traces({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toEqual({
      endpoint,
      service: null,
      sampler: 'parentbased_always_on',
      ratio: 1,
    });
    const all = { OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
    expect(traces({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...all })).toEqual({
      endpoint,
      service: 'x',
      sampler: 'traceidratio',
      ratio: 0.25,
    });
    expect(traces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://a', OTEL_TRACES_SAMPLER_ARG: '2' })).toHaveLength(2);
  });

  test('TRC-3703 what stands in OTEL_ settings for other programs refuses no start where nobody is named, and traces can be switched off', () => {
    const others = { OTEL_TRACES_SAMPLER: 'jaeger_remote', OTEL_TRACES_SAMPLER_ARG: 'endpoint=http://a:1' };
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    const none = { kind: 'ok', config: { traces: null } };
    expect(readConfig({ ...others, OTEL_SERVICE_NAME: 'x'.repeat(200) })).toMatchObject(none);
    expect(readConfig({ ...others, ...endpoint, OTEL_SDK_DISABLED: 'TRUE' })).toMatchObject(none);
    expect(readConfig({ ...others, ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toMatchObject(none);
    expect(readConfig({ ...endpoint, OTEL_SDK_DISABLED: 'false', OTEL_TRACES_EXPORTER: 'otlp' })).toMatchObject({
      kind: 'ok',
      config: { traces: { endpoint: endpoint.OTEL_EXPORTER_OTLP_ENDPOINT } },
    });
    expect(problems({ ...others, ...endpoint })).toHaveLength(2);
  });

  test('TRC-3704 the address that takes traces may hold a password: it is never printed, and may come from a file', () => {
    const found = problems({ OTEL_EXPORTER_OTLP_ENDPOINT: 'htp://zakup:hunter2@traces.example.org' });
    expect(found).toEqual(['OTEL_EXPORTER_OTLP_ENDPOINT: нужен адрес, который начинается с https:// или http://']);
    const endpoint = 'https://zakup:hunter2@traces.example.org';
    expect(
      readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT_FILE: '/run/traces' }, { readText: () => `${endpoint}\n` }),
    ).toMatchObject({ kind: 'ok', config: { traces: { endpoint } } });
    const unreadable = readConfig(
      { OTEL_EXPORTER_OTLP_ENDPOINT_FILE: '/run/traces' },
      {
        readText: () => {
          throw new Error('no such file');
        },
      },
    );
    expect(unreadable).toMatchObject({ problems: [expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT_FILE')] });
  });

  test('BAK-2795 backups are made by the server where a folder is named: once a day and seven, or as often and as many as is said', () => {
    const found = (env: Record<string, string>) => readConfig({ BACKUP_DIR: '/mnt/backups', ...env });
    const backups = (every: number, keep: number) => ({
      kind: 'ok',
      config: { backups: { dir: '/mnt/backups', every, keep } },
    });
    const hour = 3_600_000;
    expect(found({})).toMatchObject(backups(24 * hour, 7));
    expect(found({ BACKUP_EVERY: '90m', BACKUP_KEEP: '30' })).toMatchObject(backups(1.5 * hour, 30));
    expect(found({ BACKUP_EVERY: '2d' })).toMatchObject(backups(48 * hour, 7));
    expect(found({ BACKUP_EVERY: '5s' })).toMatchObject(backups(5_000, 7));
    for (const every of ['0h', '24', 'daily', '1.5h', '-1h'])
      expect(problems({ BACKUP_EVERY: every })[0]).toContain('BACKUP_EVERY: нужно целое число с буквой');
    expect(problems({ BACKUP_KEEP: '0' })[0]).toContain('BACKUP_KEEP: нужно целое число от 1');
  });

  test('CFG-1464 after how many hours without a use a session is over can be set, within a week', () => {
    const found = readConfig({ SESSION_IDLE_HOURS: '168' });
    expect(found).toMatchObject({ kind: 'ok', config: { sessionIdle: 168 * 60 * 60 * 1000 } });
    for (const hours of ['0', '169', '1.5', 'never'])
      expect(problems({ SESSION_IDLE_HOURS: hours })[0]).toContain('SESSION_IDLE_HOURS: нужно целое число от 1 до 168');
  });

  test('CFG-2 all wrong settings are named at once, one message each', () => {
    const found = problems({
      PORT: '70000',
      HOST: 'my host',
      EVENTSTOREDB_URL: 'http://localhost:2113',
      MONGODB_URL: 'localhost/zakup',
      JWT_SECRET: 'short',
      SEAL_KEY: 'short',
      ADMIN_PASSWORD: '1234567',
      ADMIN_SECOND_FACTOR: 'no',
      ADMIN_EMAILS: 'a@example.org, nobody',
      TELEGRAM_BOT_TOKEN: 'bot',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'true',
      PUBLIC_URL: 'zakup.example.org',
    });
    expect(found.map((problem) => problem.split(':')[0])).toEqual([
      'PORT',
      'HOST',
      'EVENTSTOREDB_URL',
      'MONGODB_URL',
      'JWT_SECRET',
      'SEAL_KEY',
      'ADMIN_PASSWORD',
      'ADMIN_SECOND_FACTOR',
      'ADMIN_EMAILS',
      'TELEGRAM_BOT_TOKEN',
      'LOG_LEVEL',
      'TRUST_PROXY',
      'PUBLIC_URL',
    ]);
    expect(found[0]).toBe('PORT: нужно целое число от 0 до 65535, получено «70000»');
  });

  test('CFG-1470 the admin is asked for a second factor where other machines reach the service, and must have one if it says so', () => {
    const of = (given: Record<string, string>): unknown => {
      const read = readConfig(given);
      return read.kind === 'ok' && read.config.adminSecondFactor;
    };
    const required = { ADMIN_SECOND_FACTOR: 'required' };
    expect([of({}), of(required), of({ ...required, PUBLIC_URL: 'http://localhost:3000' })]).toEqual(
      Array.from({ length: 3 }, () => 'optional'),
    );
    for (const reachable of [{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://zakup.example.org' }, { TRUST_PROXY: '1' }])
      expect([of(reachable), of({ ...reachable, ...required })]).toEqual(['asked', 'required']);
  });

  test.each(['-1', '80.5', '0x50', '1e3', 'http', '65536'])('CFG-3 PORT %s is refused', (PORT) => {
    expect(problems({ PORT })).toHaveLength(1);
  });

  test('CFG-4 a secret value never shows in a message', () => {
    for (const name of ['JWT_SECRET', 'SEAL_KEY', 'ADMIN_PASSWORD', 'TELEGRAM_BOT_TOKEN']) {
      const [problem] = problems({ [name]: 'hunter2' });
      expect(problem).toContain(name);
      expect(problem).not.toContain('hunter2');
    }
  });

  test('SVC-20 connection strings may name several hosts, come from files, and never show in a message', () => {
    const several = {
      EVENTSTOREDB_URL: 'esdb://admin:changeit@a:2113,b:2113,c:2113?tls=true',
      MONGODB_URL: 'mongodb://zakup:hunter2@a:27017,b:27017/zakup?replicaSet=rs0',
      JWT_SECRET: secret,
    };
    expect(readConfig(several, { edition: 'service' })).toMatchObject({
      kind: 'ok',
      config: { eventStoreDbUrl: several.EVENTSTOREDB_URL, mongoDbUrl: several.MONGODB_URL },
    });
    const readText = (): string => several.MONGODB_URL;
    expect(readConfig({ MONGODB_URL_FILE: '/run/mongo' }, { readText })).toMatchObject({
      config: { mongoDbUrl: several.MONGODB_URL },
    });
    const found = problems({ EVENTSTOREDB_URL: 'http://admin:changeit@a', MONGODB_URL: 'mongodb://u:hunter2@/zakup' });
    expect(found).toHaveLength(2);
    expect(found.join()).not.toMatch(/changeit|hunter2/u);
  });

  test('SVC-47 a certificate is always checked, and whoever asks for less is told so', () => {
    const asked = (url: string) => problems({ EVENTSTOREDB_URL: url });
    expect(asked('esdb://u:hunter2@a?tls=true&tlsVerifyCert=false')).toEqual([
      expect.stringMatching(/^EVENTSTOREDB_URL: уберите tlsVerifyCert=false(?!.*hunter2)/u),
    ]);
    expect(asked('esdb://a?tls=false&tlsVerifyCert=false')).toEqual([]);
    expect(asked('kurrentdb://a?tls=true')).toEqual([]);
  });

  test('SVC-21 a MongoDB address without a database means zakup, and changes nobody’s credentials', () => {
    const meant = (url: string) => {
      const read = readConfig({ MONGODB_URL: url });
      return read.kind === 'ok' ? read.config.mongoDbUrl : null;
    };
    expect(meant('mongodb://localhost:27017')).toBe('mongodb://localhost:27017/zakup');
    expect(meant('mongodb://localhost/?replicaSet=rs0')).toBe('mongodb://localhost/zakup?replicaSet=rs0');
    expect(meant('mongodb://u:p@a,b/?tls=true')).toBe('mongodb://u:p@a,b/zakup?tls=true&authSource=admin');
    expect(meant('mongodb://u:p@a?authSource=x')).toBe('mongodb://u:p@a/zakup?authSource=x');
    expect(meant('mongodb://u:p@a/team?tls=true')).toBe('mongodb://u:p@a/team?tls=true');
  });

  test('CFG-5 the length of JWT_SECRET is counted in bytes', () => {
    expect(problems({ JWT_SECRET: 'ж'.repeat(15) })).toHaveLength(1);
    expect(problems({ JWT_SECRET: 'ж'.repeat(16) })).toEqual([]);
  });

  test('CFG-6 secrets come from files; both forms, an absent and an empty file are refused by name', () => {
    const files: Record<string, string> = { '/run/jwt': `${secret}\n`, '/run/empty': '\n' };
    const readText = (path: string): string => {
      const text = files[path];
      if (text === undefined) throw new Error('ENOENT');
      return text;
    };
    const result = readConfig({ JWT_SECRET_FILE: '/run/jwt' }, { readText });
    expect(result).toMatchObject({ kind: 'ok', config: { jwtSecret: secret } });
    expect(problems({ JWT_SECRET_FILE: '/run/none' }, { readText })).toEqual([
      'JWT_SECRET_FILE: не удалось прочитать файл /run/none',
    ]);
    expect(problems({ ADMIN_PASSWORD_FILE: '/run/empty' }, { readText })).toEqual([
      'ADMIN_PASSWORD_FILE: файл /run/empty пуст',
    ]);
    expect(problems({ JWT_SECRET: secret, JWT_SECRET_FILE: '/run/jwt' }, { readText })).toEqual([
      'JWT_SECRET: задайте либо JWT_SECRET, либо JWT_SECRET_FILE, но не оба',
    ]);
    expect(readConfig({ PORT_FILE: '/run/none' }, { readText }).kind).toBe('ok');
  });

  test('CFG-7 an open HOST warns unless PUBLIC_URL is https', () => {
    const warnings = (env: Record<string, string>) => {
      const result = readConfig(env);
      return result.kind === 'ok' ? result.warnings.length : -1;
    };
    expect(warnings({ HOST: '0.0.0.0' })).toBe(1);
    expect(warnings({ HOST: '0.0.0.0', PUBLIC_URL: 'http://zakup.example.org' })).toBe(1);
    expect(warnings({ HOST: '0.0.0.0', PUBLIC_URL: 'https://zakup.example.org/' })).toBe(0);
    for (const HOST of ['127.0.0.1', 'localhost', '::1']) expect(warnings({ HOST })).toBe(0);
  });

  test('CFG-8 separate services need both servers and the key', () => {
    expect(problems({}, { edition: 'service' }).map((problem) => problem.split(':')[0])).toEqual([
      'EVENTSTOREDB_URL',
      'MONGODB_URL',
      'JWT_SECRET',
    ]);
    const env = {
      EVENTSTOREDB_URL: 'esdb://es:2113?tls=false',
      MONGODB_URL: 'mongodb://m:27017/z',
      JWT_SECRET: secret,
    };
    expect(readConfig(env, { edition: 'service' }).kind).toBe('ok');
  });

  test('SEAL-50 the key of the seals has 32 bytes; who signs cannot do without it', () => {
    const sealKey = Buffer.alloc(32, 7).toString('base64url');
    expect(readConfig({ SEAL_KEY: sealKey })).toMatchObject({ kind: 'ok', config: { sealKey } });
    expect(problems({ SEAL_KEY: `${sealKey}A` })).toHaveLength(1);
    expect(problems({}, { needs: ['SEAL_KEY'] })).toEqual([expect.stringMatching(/^SEAL_KEY: обязателен/u)]);
  });

  test('SEAL-1339 the witness of seals is a path or an address, and is asked for nowhere else', () => {
    const witnessOf = (value: string) => readConfig({ SEAL_WITNESS: value });
    for (const value of ['/mnt/other/seals.ndjson', 'https://witness.example.org/seals?token=1'])
      expect(witnessOf(value)).toMatchObject({ kind: 'ok', config: { sealWitness: value } });
    expect(readConfig({})).toMatchObject({ config: { sealWitness: null } });
    expect(witnessOf('https://')).toMatchObject({
      kind: 'invalid',
      problems: [expect.stringMatching(/^SEAL_WITNESS: /u)],
    });
  });

  test('CFG-9 ADMIN_EMAILS and PUBLIC_URL are normalised', () => {
    expect(
      readConfig({ ADMIN_EMAILS: ' Boss@Example.org , x@y.ru,', PUBLIC_URL: 'https://z.example.org//' }),
    ).toMatchObject({
      config: {
        adminEmails: ['boss@example.org', 'x@y.ru'],
        publicUrl: 'https://z.example.org',
        publicHttps: true,
      },
    });
  });
});
