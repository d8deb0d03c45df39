import { setTimeout as delay } from 'node:timers/promises';
import { adminTokenData, healthData, rebuildData } from '@zakup/contracts/calls/replies';
import type { Config } from '@zakup/service-kit/config';
import type { z } from 'zod';
import { soon, type ToolOptions } from '../tools/with-stores.ts';
import { progressText } from './progress.ts';

/** The server that holds the data folder did not do what it was asked; `message` is for the operator. */
export class ServerNotAsked extends Error {
  override readonly name = 'ServerNotAsked';
}

const callOf =
  (address: string, token: string | null) =>
  async <Schema extends z.ZodType>(method: 'GET' | 'POST', path: string, schema: Schema, body?: object) => {
    const headers = {
      'Content-Type': 'application/json',
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${address}/api${path}`, { method, headers, ...sent }).catch((cause: unknown) => {
      throw new ServerNotAsked(`По адресу ${address} никто не отвечает. Проверьте PORT и HOST.`, { cause });
    });
    const told = (await answer.json()) as { readonly data?: unknown; readonly error?: string | null };
    if (!answer.ok) throw new ServerNotAsked(`${address} отвечает: ${told.error ?? answer.status}`);
    return schema.parse(told.data);
  };

const shownHost = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;

/**
 * Has the server that runs on the data folder build the read models anew, and tells how far it is. Signs in as the admin with the password
 * of the settings. Throws `ServerNotAsked`.
 */
export const askServer = async (
  { config, print, signal }: Omit<ToolOptions, 'log'>,
  address = `http://${shownHost(config.host)}:${config.port}`,
): Promise<void> => {
  const { token } = await callOf(address, null)('POST', '/admin/login', adminTokenData, credentialsOf(config));
  const call = callOf(address, token);
  const { rebuild } = await call('POST', '/admin/rebuild', rebuildData, {});
  print(`Папку данных использует сервер ${address}: он соберёт модели чтения заново, рядом с прежними.`);
  for (;;) {
    await delay(soon, undefined, { signal });
    const { rebuild: now } = await call('GET', '/admin/health', healthData);
    if (now === null || now.state === 'asked' || Date.parse(now.startedAt) < Date.parse(rebuild.askedAt)) continue;
    const elapsed = Date.parse(now.finishedAt ?? new Date().toISOString()) - Date.parse(now.startedAt);
    print(progressText({ events: now.events, from: 0, position: now.position, head: now.head, elapsed }));
    if (now.state === 'done') return;
  }
};

const credentialsOf = ({ adminLogin, adminPassword }: Config) => {
  if (adminPassword !== null) return { login: adminLogin, password: adminPassword };
  throw new ServerNotAsked(
    'Папку данных использует запущенный сервер. Задайте ADMIN_PASSWORD, и команда попросит его самого, или остановите его.',
  );
};
