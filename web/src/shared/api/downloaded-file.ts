/** The name that `Content-Disposition` gives: RFC 5987 first, else the plain one. */
export const fileNameOf = (disposition: string | null): string | null => {
  const encoded = /filename\*=UTF-8''([^;]+)/iu.exec(disposition ?? '')?.[1];
  if (encoded === undefined) return /filename="([^"]+)"/iu.exec(disposition ?? '')?.[1] ?? null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
};

/** The content of an answer, telling how many bytes have come so far. */
export const readTelling = async (response: Response, tell: (bytes: number) => void): Promise<Blob> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    parts.push(next.value);
    bytes += next.value.byteLength;
    tell(bytes);
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' });
};
