import { BSON } from 'bson';
import { isPlain } from './documents.ts';

const { Binary, Decimal128, Double, Int32, Long, ObjectId, Timestamp } = BSON;

const numberBytes = new DataView(new ArrayBuffer(8));

const numberKey = (value: number): string => {
  numberBytes.setFloat64(0, value === 0 ? 0 : value);
  let high = numberBytes.getUint32(0);
  let low = numberBytes.getUint32(4);
  if (high >>> 31 === 1) {
    high = ~high >>> 0;
    low = ~low >>> 0;
  } else {
    high = (high | 0x80000000) >>> 0;
  }
  return String.fromCharCode(high >>> 16, high & 0xffff, low >>> 16, low & 0xffff);
};

/** Puts surrogates above all other units, so that UTF-16 sorts as UTF-8 does. */
const inCodePointOrder = (text: string): string => {
  if (!/[\ud800-\uffff]/.test(text)) return text;
  return text.replaceAll(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code >= 0xe000 ? code - 0x800 : code + 0x2000);
  });
};

const textKey = (text: string): string => {
  const escaped =
    text.includes('\0') || text.includes('\u0001')
      ? text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\0', '\u0001\u0001')
      : text;
  return `${inCodePointOrder(escaped)}\0`;
};

/**
 * A string that sorts as BSON sorts the value: first by type, then by value. Equal values have equal keys whatever number type they
 * came in. No key is the beginning of another, so keys joined sort as compound keys do.
 */
export const orderKey = (value: unknown): string => {
  if (typeof value === 'string') return `\u0020${textKey(value)}`;
  if (typeof value === 'number') return `\u0010${numberKey(value)}`;
  if (typeof value === 'boolean') return value ? '\u0071' : '\u0070';
  return typeof value === 'object' ? objectKey(value) : '\u0005';
};

const objectKey = (value: object | null): string => {
  if (value === null) return '\u0005';
  if (value instanceof Date) return `\u0080${numberKey(value.getTime())}`;
  if (Array.isArray(value)) return `\u0040${value.map((item: unknown) => orderKey(item)).join('')}\0`;
  if (isPlain(value)) {
    const members = Object.entries(value).map(([name, member]) => {
      const key = orderKey(member);
      return `${key.slice(0, 1)}${textKey(name)}${key}`;
    });
    return `\u0030${members.join('')}\0`;
  }
  if (value instanceof Timestamp) return `\u0090${numberKey(value.t)}${numberKey(value.i)}`;
  if (value instanceof Long) return `\u0010${numberKey(value.toNumber())}`;
  if (value instanceof Int32 || value instanceof Double) return `\u0010${numberKey(value.value)}`;
  if (value instanceof Decimal128) return `\u0010${numberKey(Number(value.toString()))}`;
  if (value instanceof ObjectId) return `\u0060${value.toHexString()}`;
  if (value instanceof Binary) {
    return `\u0050${numberKey(value.position)}${numberKey(value.sub_type)}${value.toString('hex')}\0`;
  }
  if (value instanceof RegExp) return `\u00a0${textKey(value.source)}${textKey(value.flags)}`;
  return `\u00f0${textKey(BSON.EJSON.stringify(value))}`;
};

/** The sign of a comparison of two keys. */
export const compareKeys = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
