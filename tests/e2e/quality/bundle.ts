import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { freshWebBuild } from '../../../scripts/start/web-build.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

interface Chunk {
  readonly file: string;
  readonly src?: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}

/** The built web app, by what loads what. Files are named as the server names them, without the first slash. */
export interface Bundle {
  /** Sources that start a chunk of their own, without the entry. */
  readonly lazySources: readonly string[];
  /** Scripts and style sheets that a page has after this source was imported, those of its static imports included. */
  filesOf(source: string): ReadonlySet<string>;
  readonly entry: string;
  /** Kilobytes (1,000 bytes) after gzip at its usual level. */
  sizeOf(files: Iterable<string>): number;
  textOf(file: string): string;
}

/** What vite's manifest says of `web/dist`, built first when stale. */
export const readBundle = async (): Promise<Bundle> => {
  await freshWebBuild(root);
  const path = (file: string): string => `${root}/web/dist/${file}`;
  const chunks = JSON.parse(readFileSync(path('.vite/manifest.json'), 'utf8')) as Readonly<Record<string, Chunk>>;
  const entry = Object.entries(chunks).find(([, { isEntry }]) => isEntry === true)?.[0];
  if (entry === undefined) throw new Error('The manifest names no entry');

  const collect = (key: string, files: Set<string>): Set<string> => {
    const chunk = chunks[key];
    if (chunk === undefined) throw new Error(`The manifest knows no ${key}`);
    if (files.has(chunk.file)) return files;
    files.add(chunk.file);
    for (const file of chunk.css ?? []) files.add(file);
    for (const imported of chunk.imports ?? []) collect(imported, files);
    return files;
  };
  const sizes = new Map<string, number>();
  const size = (file: string): number => {
    const known = sizes.get(file) ?? gzipSync(readFileSync(path(file))).length / 1000;
    sizes.set(file, known);
    return known;
  };
  return {
    entry,
    lazySources: Object.keys(chunks).filter((key) => chunks[key]?.isDynamicEntry === true),
    filesOf: (source) => collect(source, new Set()),
    sizeOf: (files) => [...files].reduce((sum, file) => sum + size(file), 0),
    textOf: (file) => readFileSync(path(file), 'utf8'),
  };
};
