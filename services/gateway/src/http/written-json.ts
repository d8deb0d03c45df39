/** A long value as JSON, made elsewhere, in parts that are sent as they are. */
export class WrittenJson {
  readonly parts: readonly Uint8Array[];
  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts;
  }
}
