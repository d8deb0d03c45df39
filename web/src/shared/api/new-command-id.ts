const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** A random UUID, version 4. Also where the page is not served over https and the browser hides `crypto.randomUUID`. */
export const newCommandId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = 0x40 | ((bytes[6] as number) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  const text = [...bytes].map(hex).join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
};
