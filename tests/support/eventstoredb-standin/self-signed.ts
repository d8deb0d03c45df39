import { generateKeyPairSync, sign } from 'node:crypto';

const tagged = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  if (length > 0xffff) throw new RangeError(`${length} bytes do not fit a two-byte length`);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts);
const integer = (value: number): Buffer => tagged(0x02, Buffer.from([value]));
const objectId = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Uint8Array): Buffer => tagged(0x04, content);
const bits = (content: Uint8Array): Buffer => tagged(0x03, Buffer.from([0]), content);
/** `yyMMddHHmmssZ`. */
const utcTime = (milliseconds: number): Buffer => {
  const digits = new Date(milliseconds).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return tagged(0x17, Buffer.from(digits.slice(2), 'latin1'));
};

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const commonName = '550403';
const subjectAltName = '551d11';
const basicConstraints = '551d13';
const day = 24 * 60 * 60 * 1000;

/** A certificate for `localhost` and 127.0.0.1 that signs itself, valid for a day around `now` (milliseconds since 1970), and its key. PEM. */
export const selfSignedCertificate = (now: number): { readonly certificate: string; readonly key: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(tagged(0x31, sequence(objectId(commonName), tagged(0x0c, Buffer.from('localhost', 'utf8')))));
  const names = sequence(tagged(0x82, Buffer.from('localhost', 'latin1')), tagged(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(
    sequence(objectId(subjectAltName), octets(names)),
    sequence(objectId(basicConstraints), octets(sequence(tagged(0x01, Buffer.from([0xff]))))),
  );
  const signed = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    name,
    sequence(utcTime(now - day), utcTime(now + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const certificate = sequence(signed, ecdsaWithSha256, bits(sign('sha256', signed, privateKey)));
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};
