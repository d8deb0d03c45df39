import { join } from 'node:path';

/** A Node that npm hands out as a package of its own: a program without scripts, for one platform. */
export interface NodeRelease {
  /** What npm installs. */
  readonly spec: string;
  /** Where it is kept for the next time. */
  readonly folder: string;
  /** The program in it. */
  readonly program: string;
}

export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** The user's cache folder. */
  readonly cache: string;
}

const version = /^\d+(?:\.\d+){0,2}$/u;

/** Of a version, or its first one or two numbers; throws a text for whoever called where it is none. */
export const nodeRelease = (asked: string | undefined, { platform, arch, cache }: Machine): NodeRelease => {
  if (asked === undefined || !version.test(asked)) throw new Error('Какой Node? Например: npm run test:node -- 22');
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const folder = join(cache, 'zakup', `node-${asked}`);
  const file = platform === 'win32' ? 'node.exe' : 'node';
  return { spec: `${name}@${asked}`, folder, program: join(folder, 'node_modules', name, 'bin', file) };
};
