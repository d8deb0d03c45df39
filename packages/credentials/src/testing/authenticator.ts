import { Secret, TOTP } from 'otpauth';

/** What an authenticator that holds the secret shows at this UTC instant. */
export const codeShown = (secret: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
