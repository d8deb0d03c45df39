import { UnsupportedFile } from './unsupported-file.ts';

/** What is told of a document as it is read. Names are without their prefix. */
export interface XmlListener {
  readonly open: (name: string, attributes: (name: string) => string | undefined) => void;
  readonly close: (name: string) => void;
  /** A piece of a text, as it is written: `decodeXml` reads it when it is whole. */
  readonly text: (written: string) => void;
}

/** Characters of a tag or comment at most, so that one that never ends is not looked through again and again. */
const longestTag = 256 * 1024;

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const entity = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/giu;

const character = (code: number): string =>
  code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd';

/** A text of XML as it reads. No entity but the five of XML is known. */
export const decodeXml = (written: string): string =>
  written.includes('&')
    ? written.replaceAll(entity, (_, hex?: string, decimal?: string, name?: string) =>
        name !== undefined
          ? (named[name.toLowerCase()] ?? '')
          : character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
      )
    : written;

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

const blank = /\s/u;

/** Calls `take` with each attribute of a tag; one look at each character, however it is written. */
const eachAttribute = (written: string, take: (name: string, value: string) => void): void => {
  let name = '';
  let isOver = false;
  for (let at = 0; at < written.length; at += 1) {
    const one = written[at] ?? '';
    if (one === '"' || one === "'") {
      const end = written.indexOf(one, at + 1);
      if (end === -1) return;
      take(name, written.slice(at + 1, end));
      name = '';
      at = end;
    } else if (one === '=' || blank.test(one)) isOver = true;
    else {
      name = isOver ? one : name + one;
      isOver = false;
    }
  }
};

const attributesOf = (written: string) => {
  let found: Map<string, string> | undefined;
  return (name: string): string | undefined => {
    if (found === undefined) {
      const read = new Map<string, string>();
      eachAttribute(written, (key, value) => read.set(local(key), decodeXml(value)));
      found = read;
    }
    return found.get(name);
  };
};

/** Index of the `>` that ends the tag, quotes passed over; -1 = it has not come yet. */
const tagEnd = (text: string, from: number): number => {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const one = text[at] ?? '';
    if (quote !== '') quote = one === quote ? '' : quote;
    else if (one === '"' || one === "'") quote = one;
    else if (one === '>') return at;
  }
  return -1;
};

/** Reads XML as it comes, telling of tags and texts. No document type, so no entities of its own. Throws `UnsupportedFile`. */
export const xmlReader = ({ open, close, text }: XmlListener) => {
  let pending = '';
  const path: string[] = [];

  const tag = (written: string): void => {
    if (written.startsWith('/')) {
      const name = local(written.slice(1).trim());
      if (path.pop() !== name) throw new UnsupportedFile('Tags that do not fit');
      close(name);
      return;
    }
    const isEmpty = written.endsWith('/');
    const [whole = ''] = /^[^\s/]+/u.exec(written) ?? [];
    if (whole === '') throw new UnsupportedFile('A tag without a name');
    const name = local(whole);
    open(name, attributesOf(written.slice(whole.length)));
    if (isEmpty) close(name);
    else path.push(name);
    if (path.length > 100) throw new UnsupportedFile('Too deep');
  };

  /** Index behind the special piece that begins at `at`; -1 = its end has not come yet. */
  const special = (at: number): number => {
    if (pending.startsWith('<![CDATA[', at)) {
      const end = pending.indexOf(']]>', at);
      if (end !== -1) text(pending.slice(at + 9, end).replaceAll('&', '&amp;'));
      return end === -1 ? -1 : end + 3;
    }
    if (pending.startsWith('<!--', at)) {
      const end = pending.indexOf('-->', at + 4);
      return end === -1 ? -1 : end + 3;
    }
    if (pending.startsWith('<?', at)) {
      const end = pending.indexOf('?>', at);
      return end === -1 ? -1 : end + 2;
    }
    if (pending.length - at < 9) return -1;
    throw new UnsupportedFile('A document type');
  };

  return {
    write(piece: string): void {
      pending += piece;
      let at = 0;
      for (;;) {
        const next = pending.indexOf('<', at);
        if (next === -1) {
          if (at < pending.length) text(pending.slice(at));
          pending = '';
          return;
        }
        if (next > at) text(pending.slice(at, next));
        at = next;
        const second = pending[at + 1];
        const isSpecial = second === '!' || second === '?';
        const end = second === undefined ? -1 : isSpecial ? special(at) : tagEnd(pending, at + 1);
        if (end === -1) {
          pending = pending.slice(at);
          if (pending.length > longestTag) throw new UnsupportedFile('A tag without an end');
          return;
        }
        if (isSpecial) at = end;
        else {
          tag(pending.slice(at + 1, end));
          at = end + 1;
        }
      }
    },

    /** Throws when the document has not ended. */
    end(): void {
      if (pending.trim() !== '' || path.length > 0) throw new UnsupportedFile('The document has no end');
    },
  };
};
