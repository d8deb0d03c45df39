import { Secret, TOTP } from 'otpauth';

/** What an authenticator reads from a picture, or opens as a link: `otpauth://totp/…`. */
export const authenticatorUrl = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret) }).toString();
