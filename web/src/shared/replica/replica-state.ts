import type { DocKind } from '@zakup/contracts/wire-entities';
import { clear, type Waiting } from './arriving-loads.ts';
import {
  isArriving,
  isIn,
  isVisible,
  keyOf,
  type KnownDoc,
  newestOf,
  type ScopeState,
  type Touched,
} from './known-doc.ts';

/** What is known of scopes and documents, and what each scope says of each document. */
export class ReplicaState {
  /** By key. */
  readonly docs = new Map<string, KnownDoc>();
  /** By name. */
  readonly scopes = new Map<string, ScopeState>();
  /** How often any scope was asked for. */
  #asks = 0;

  get asks(): number {
    return this.#asks;
  }

  findDoc(kind: DocKind, id: string): KnownDoc | undefined {
    return this.docs.get(keyOf(kind, id));
  }

  /** Made when there is none. */
  docOf(kind: DocKind, id: string): KnownDoc {
    const key = keyOf(kind, id);
    const there = this.docs.get(key);
    if (there) return there;
    const fresh: KnownDoc = { key, kind, doc: null, said: [], load: null };
    this.docs.set(key, fresh);
    return fresh;
  }

  /** Made when there is none. */
  scopeOf(name: string): ScopeState {
    const there = this.scopes.get(name);
    if (there) return there;
    const fresh: ScopeState = {
      name,
      position: null,
      drawn: false,
      replacing: false,
      asked: 0,
      loaded: 0,
      keys: new Set(),
    };
    this.scopes.set(name, fresh);
    return fresh;
  }

  ask(name: string): void {
    this.#asks += 1;
    this.scopeOf(name).asked = this.#asks;
  }

  /** Takes over what a scope says, whatever it said before. */
  say(scope: ScopeState, { known: doc, ...next }: Waiting, touched: Touched): void {
    const said = { scope, ...next, heard: this.#asks };
    const place = doc.said.findIndex((one) => one.scope === scope);
    const before = doc.said[place];
    if (before) doc.said[place] = said;
    else doc.said.push(said);
    scope.keys.add(doc.key);
    if (before?.doc !== said.doc) touched.set(doc.key, doc.kind);
    showNewest(doc, touched);
  }

  /** Forgets what a scope said of a document, and the document when nothing else says anything of it. */
  release(scope: ScopeState, key: string, touched: Touched): void {
    const doc = this.docs.get(key);
    scope.keys.delete(key);
    const place = doc?.said.findIndex((one) => one.scope === scope) ?? -1;
    if (!doc || place < 0) return;
    doc.said.splice(place, 1);
    touched.set(key, doc.kind);
    if (doc.said.length > 0) return showNewest(doc, touched);
    this.docs.delete(key);
    // A load that is on its way may hold it, and bring it back.
    clear(doc);
  }

  /** What a scope shows of a document, or any of them; null = it is not there. */
  shown(key: string, scope: string | undefined): unknown {
    const doc = this.docs.get(key);
    if (!doc || !isVisible(doc)) return null;
    const state = scope === undefined ? null : this.scopes.get(scope);
    return state === null || (state && isIn(doc, state)) ? doc.doc : null;
  }

  /** Greatest position known of a document, its disappearance included; −1 when unknown. */
  seen(kind: DocKind, id: string): number {
    const doc = this.findDoc(kind, id);
    if (!doc || isArriving(doc)) return -1;
    return Math.max(-1, ...doc.said.map(({ scope, position }) => (scope.replacing ? -1 : position)));
  }
}

const showNewest = (doc: KnownDoc, touched: Touched): void => {
  const newest = newestOf(doc.said);
  if (newest !== doc.doc) touched.set(doc.key, doc.kind);
  doc.doc = newest;
};
