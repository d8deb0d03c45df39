import { commandKeyOf } from '@zakup/contracts/derived-ids';
import { createKeyRequest } from '@zakup/contracts/requests/key.requests';
import { presentKey } from '@zakup/contracts/to-wire';
import type { ApiKey } from '@zakup/credentials/credentials';
import type { KeyEvent } from '@zakup/domain/keys/events';
import { keyIn, keysDecider } from '@zakup/domain/keys/keys.decider';
import type { LicenceKey, LicenceKeys } from '@zakup/domain/keys/state';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { decideOn } from '../pipeline/decide-on.ts';
import { streamOf } from '../pipeline/ids.ts';
import { denied, parseBody, unknownParameters } from '../pipeline/requests.ts';
import { type TenantCommand, tenantRoute } from '../pipeline/tenant-command.ts';

type KeyRoute = TenantCommand<LicenceKeys, KeyEvent>;

/** The keys by which programs act for the owner (KEY-1). */
export const keyRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/keys', tenantRoute(deps, createKey(deps)));
  router.delete('/keys/:id', tenantRoute(deps, deleteKey(deps)));
  return router;
};

const storedOf = (licenceId: string, { id, name, access, createdAt, expiresAt }: LicenceKey) => ({
  id,
  licenceId,
  name,
  access,
  createdAt: Date.parse(createdAt),
  expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
});

/** Null = it was deleted since. */
const storedKey = async (deps: CommandDeps, licenceId: string, id: string): Promise<ApiKey | null> =>
  (await deps.credentials.keysOf(licenceId)).find((key) => key.id === id) ?? null;

/**
 * The secret is made once the key is in the log. Should the process end in between, the same command sent again makes it; one that was told
 * is never told twice, and a key that was deleted since gets none.
 */
const createKey = (deps: CommandDeps) => (): KeyRoute => {
  let keyId = '';
  return {
    closedToKeys: true,
    target: ({ licenceId, newId }) => {
      keyId = newId('key');
      return { entity: keysDecider, id: licenceId };
    },

    async decide(context, id) {
      const refused = denied(may(context.person, 'keys.manage'));
      if (refused !== null) return refused;
      const parsed = parseBody(createKeyRequest, context.body);
      if (parsed.kind === 'refused') return parsed.problem;
      const { name, access, expiresAt = null } = parsed.body;
      const command = { type: 'CreateKey', keyId, name, access, expiresAt, now: context.session.at } as const;
      return decideOn(context, keysDecider, id, command, {});
    },

    async answer(done, licenceId) {
      const made = keyIn(done.target.state, keyId);
      if (made === null) throw new Error(`Key ${keyId} is not in the stream it was written to`);
      const key = storedOf(licenceId, made);
      const { state } = await deps.cache.load(keysDecider, streamOf(keysDecider.category, licenceId, licenceId), true);
      const isThere = keyIn(state, keyId)?.deleted === false;
      const added = isThere ? await deps.credentials.addKey(key) : null;
      if (added !== null) return { key: presentKey(added.key), secret: added.secret };
      const stored = await storedKey(deps, licenceId, keyId);
      return { key: presentKey(stored ?? { ...key, prefix: '', lastUsedAt: null }) };
    },
  };
};

const deleteKey = (deps: CommandDeps) => (): KeyRoute => {
  let keyId = '';
  let commandKey = '';
  return {
    closedToKeys: true,
    target: ({ params, licenceId, userId, commandId }) => {
      keyId = params['id'] ?? '';
      commandKey = commandKeyOf(userId, commandId);
      return { entity: keysDecider, id: licenceId };
    },

    async decide(context, id) {
      const refused = denied(may(context.person, 'keys.manage'));
      if (refused !== null) return refused;
      const { state } = await context.session.load(keysDecider, id);
      if (keyIn(state, keyId)?.deleted !== false) return { code: 'NOT_FOUND', message: messages.keyNotFound };
      const unknown = unknownParameters(context.query);
      if (unknown !== null) return unknown;
      // First, so that a process that ends in between leaves nothing that opens; not where the command was another one, and is refused.
      const wasAppended = (await deps.eventStore.readCommand(commandKey)).length > 0;
      if (!wasAppended) await deps.credentials.removeKey(id, keyId);
      return decideOn(context, keysDecider, id, { type: 'DeleteKey', keyId }, {});
    },

    answer: () => ({}),
  };
};
