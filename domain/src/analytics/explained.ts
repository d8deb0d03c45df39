/** A figure with the calculation that leads to it, in Russian, every operand in it. */
export interface Explained<Value> {
  readonly value: Value;
  readonly formula: string;
}
