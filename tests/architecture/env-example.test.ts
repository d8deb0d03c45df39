import { envExample } from '@zakup/service-kit/config';
import { describe, expect, test } from 'vitest';
import { textOf } from './repository-files.ts';

describe('.env.example', () => {
  test('CFG-10 is what the schema of the settings makes (npm run env:example)', () => {
    expect(textOf('.env.example')).toBe(envExample());
  });

  test('CFG-11 lists every setting, secrets with their *_FILE', () => {
    const names = [...envExample().matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(names).toEqual([
      'PORT',
      'HOST',
      'DATA_DIR',
      'EVENTSTOREDB_URL',
      'EVENTSTOREDB_URL_FILE',
      'EVENTSTOREDB_NAMESPACE',
      'MONGODB_URL',
      'MONGODB_URL_FILE',
      'JWT_SECRET',
      'JWT_SECRET_FILE',
      'SEAL_KEY',
      'SEAL_KEY_FILE',
      'ACCESS_CODES_KEY',
      'ACCESS_CODES_KEY_FILE',
      'CREDENTIALS_KEY',
      'CREDENTIALS_KEY_FILE',
      'SEAL_WITNESS',
      'SEAL_WITNESS_FILE',
      'BACKUP_DIR',
      'BACKUP_EVERY',
      'BACKUP_KEEP',
      'ADMIN_LOGIN',
      'ADMIN_PASSWORD',
      'ADMIN_PASSWORD_FILE',
      'ADMIN_SECOND_FACTOR',
      'ADMIN_EMAILS',
      'TELEGRAM_BOT_TOKEN',
      'TELEGRAM_BOT_TOKEN_FILE',
      'WEBHOOK_PRIVATE',
      'LOG_LEVEL',
      'TRUST_PROXY',
      'SESSION_IDLE_HOURS',
      'METRICS_TOKEN',
      'METRICS_TOKEN_FILE',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_EXPORTER_OTLP_ENDPOINT_FILE',
      'OTEL_SDK_DISABLED',
      'OTEL_TRACES_EXPORTER',
      'OTEL_SERVICE_NAME',
      'OTEL_TRACES_SAMPLER',
      'OTEL_TRACES_SAMPLER_ARG',
      'PUBLIC_URL',
    ]);
  });
});
