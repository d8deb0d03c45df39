/** Values by kind and id, in the order of kinds and then of ids as they came: nothing is put together to look one up. */
export class ByKindAndId<Value> {
  readonly #kinds = new Map<string, Map<string, Value>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(kind: string, id: string): Value | undefined {
    return this.#kinds.get(kind)?.get(id);
  }

  set(kind: string, id: string, value: Value): void {
    let ofKind = this.#kinds.get(kind);
    if (ofKind === undefined) {
      ofKind = new Map();
      this.#kinds.set(kind, ofKind);
    }
    const before = ofKind.size;
    ofKind.set(id, value);
    this.#size += ofKind.size - before;
  }

  ofKind(kind: string): Iterable<Value> {
    return this.#kinds.get(kind)?.values() ?? [];
  }

  *values(): Generator<Value, void> {
    for (const ofKind of this.#kinds.values()) yield* ofKind.values();
  }

  clear(): void {
    this.#kinds.clear();
    this.#size = 0;
  }
}
