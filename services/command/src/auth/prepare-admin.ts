import { makeTemporaryPassword } from '@zakup/credentials/codes';
import type { Credentials } from '@zakup/credentials/credentials';
import type { Leases } from '@zakup/read-store/leases';

export interface AdminSettings {
  readonly adminLogin: string;
  /** null = made at the first start. */
  readonly adminPassword: string | null;
}

/**
 * Makes the stored admin the one of the settings; without a password there, one is made when there is no admin yet. Resolves with the
 * made password, to be shown this once, else null. Several processes may start at once: under the lease only one of them makes it.
 */
export const prepareAdmin = async (
  { credentials, leases }: { readonly credentials: Credentials; readonly leases: Leases },
  { adminLogin, adminPassword }: AdminSettings,
  random: (bytes: number) => Uint8Array,
  signal: AbortSignal,
): Promise<string | null> => {
  const lease = await leases.acquire('command/admin', signal);
  if (lease === null) return null;
  try {
    if (adminPassword !== null) {
      if (!(await credentials.checkAdmin(adminLogin, adminPassword)))
        await credentials.setAdmin(adminLogin, adminPassword);
      return null;
    }
    if (await credentials.hasAdmin()) return null;
    const made = makeTemporaryPassword(random);
    await credentials.setAdmin(adminLogin, made);
    return made;
  } finally {
    await lease.release();
  }
};
