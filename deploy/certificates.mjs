/** X.509 certificates for what talks inside the system: an authority of its own, and for each server one that the authority signed. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIPv4 } from 'node:net';

const day = 24 * 60 * 60 * 1000;
const bits = 2048;
const commonName = '2.5.4.3';
const basicConstraints = '2.5.29.19';
const keyUsage = '2.5.29.15';
const alternativeNames = '2.5.29.17';
const extendedUsage = '2.5.29.37';
const [subjectKey, issuerKey] = ['2.5.29.14', '2.5.29.35'];
const [serverAuth, clientAuth] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'];
const sha256WithRsa = '1.2.840.113549.1.1.11';

/** One value in DER. */
const value = (tag, ...parts) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = body;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts) => value(0x30, ...parts);
const identifier = (text) => {
  const [first, second, ...rest] = text.split('.').map(Number);
  const base128 = (number) => {
    const digits = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  };
  return value(0x06, [first * 40 + second, ...rest.flatMap(base128)]);
};
const algorithm = sequence(identifier(sha256WithRsa), value(0x05));
const name = (text) => sequence(value(0x31, sequence(identifier(commonName), value(0x0c, Buffer.from(text)))));
/** RFC 5280: two digits of the year until 2049, four after. */
const instant = (at) => {
  const text = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/gu, '');
  return new Date(at).getUTCFullYear() < 2050 ? value(0x17, text.slice(2)) : value(0x18, text);
};
const yes = value(0x01, [0xff]);
const extension = (id, isCritical, content) =>
  sequence(identifier(id), ...(isCritical ? [yes] : []), value(0x04, content));
const hostName = (host) =>
  isIPv4(host) ? value(0x87, host.split('.').map(Number)) : value(0x82, Buffer.from(host, 'ascii'));

const extensionsOf = (hosts) =>
  hosts === null
    ? [
        extension(basicConstraints, true, sequence(yes, value(0x02, [0]))),
        // keyCertSign, cRLSign.
        extension(keyUsage, true, value(0x03, [1, 0x06])),
      ]
    : [
        extension(basicConstraints, true, sequence()),
        // digitalSignature, keyEncipherment.
        extension(keyUsage, true, value(0x03, [5, 0xa0])),
        extension(extendedUsage, false, sequence(identifier(serverAuth), identifier(clientAuth))),
        extension(alternativeNames, false, sequence(...hosts.map(hostName))),
      ];

/** What names a key in certificates. */
const nameOfKey = (publicKey) =>
  hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'buffer').subarray(0, 20);

const pem = (kind, der) =>
  `-----BEGIN ${kind}-----\n${der.toString('base64').replaceAll(/.{1,64}/gu, '$&\n')}-----END ${kind}-----`;

const issue = ({ subject, issuer, hosts, publicKey, signedWith, now, days }) => {
  const serial = randomBytes(16);
  // Positive, and of one length.
  serial[0] = (serial[0] & 0x7f) | 0x40;
  const told = sequence(
    value(0xa0, value(0x02, [2])),
    value(0x02, serial),
    algorithm,
    name(issuer),
    sequence(instant(now - day), instant(now + days * day)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    value(
      0xa3,
      sequence(
        ...extensionsOf(hosts),
        extension(subjectKey, false, value(0x04, nameOfKey(publicKey))),
        extension(issuerKey, false, sequence(value(0x80, nameOfKey(createPublicKey(signedWith))))),
      ),
    ),
  );
  return pem('CERTIFICATE', sequence(told, algorithm, value(0x03, [0], sign('sha256', told, signedWith))));
};

const pair = () => generateKeyPairSync('rsa', { modulusLength: bits });
const keyText = (key) => key.export({ type: 'pkcs8', format: 'pem' }).trim();

/** An authority for ten years: its key and its certificate as PEM. */
export const makeAuthority = (now) => {
  const { publicKey, privateKey } = pair();
  const title = 'Zakup internal authority';
  const certificate = issue({
    subject: title,
    issuer: title,
    hosts: null,
    publicKey,
    signedWith: privateKey,
    now,
    days: 3650,
  });
  return { key: keyText(privateKey), certificate };
};

/** A server's key and certificate for two years, signed by the authority. */
export const makeCertificate = (authority, { subject, hosts }, now) => {
  const { publicKey, privateKey } = pair();
  const issuer = new X509Certificate(authority.certificate).subject.replace(/^CN=/u, '');
  const signedWith = createPrivateKey(authority.key);
  const certificate = issue({ subject, issuer, hosts, publicKey, signedWith, now, days: 730 });
  return { key: keyText(privateKey), certificate };
};

/** Whether a certificate is the authority's and holds for a while yet, for these hosts. */
export const stillHolds = (authority, certificate, hosts, now) => {
  const read = new X509Certificate(certificate);
  const known = createPublicKey(
    new X509Certificate(authority.certificate).publicKey.export({ type: 'spki', format: 'pem' }),
  );
  const isFor = (host) => (isIPv4(host) ? read.checkIP(host) : read.checkHost(host)) !== undefined;
  return read.verify(known) && Date.parse(read.validTo) > now + 90 * day && hosts.every(isFor);
};
