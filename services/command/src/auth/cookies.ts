import type { Request } from 'express';

/** A cookie that the browser sent; null when it sent none of this name. */
export const cookieOf = (request: Request, name: string): string | null => {
  const pair = (request.get('Cookie') ?? '').split(/;\s*/u).find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? null;
};
