import { makeTemporaryPassword } from '@zakup/credentials/codes';
import type { Credentials } from '@zakup/credentials/credentials';
import { faultOf } from '@zakup/credentials/refused-passwords';
import type { Leases } from '@zakup/read-store/leases';

export interface AdminSettings {
  readonly adminLogin: string;
  /** null = made at the first start. */
  readonly adminPassword: string | null;
  /** Other machines come to it. */
  readonly reachable: boolean;
}

/** A password of the settings that anybody would try first, where others than this machine may try (AUTH-80). */
export class AdminPasswordRefused extends Error {
  override readonly name = 'AdminPasswordRefused';
}

export type PreparedAdmin =
  /** `made`: the password, to be shown this once, when one was made. */
  | { readonly kind: 'ready'; readonly made: string | null }
  /** The password of the settings may not become the admin's. */
  | { readonly kind: 'refused' };

const ready: PreparedAdmin = { kind: 'ready', made: null };

/**
 * Makes the stored admin the one of the settings; without a password there, one is made when there is no admin yet. Several processes may
 * start at once: under the lease only one of them makes it. A password that is the admin's already stays it, however common.
 */
export const prepareAdmin = async (
  { credentials, leases }: { readonly credentials: Credentials; readonly leases: Leases },
  { adminLogin, adminPassword, reachable }: AdminSettings,
  random: (bytes: number) => Uint8Array,
  signal: AbortSignal,
): Promise<PreparedAdmin> => {
  const lease = await leases.acquire('command/admin', signal);
  if (lease === null) return ready;
  try {
    if (adminPassword !== null) {
      if (await credentials.checkAdmin(adminLogin, adminPassword)) return ready;
      if (reachable && faultOf(adminPassword, [adminLogin]) !== null) return { kind: 'refused' };
      await credentials.setAdmin(adminLogin, adminPassword);
      return ready;
    }
    if (await credentials.hasAdmin()) return ready;
    const made = makeTemporaryPassword(random);
    await credentials.setAdmin(adminLogin, made);
    return { kind: 'ready', made };
  } finally {
    await lease.release();
  }
};
