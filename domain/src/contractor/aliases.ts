/** Into whom each merged contractor was merged, by id. */
export type MergedInto = Readonly<Record<string, string>>;

/** Who the contractor is now: itself, or the one that its merges end at. */
export const receiverOf = (mergedInto: MergedInto, contractorId: string): string => {
  const seen = new Set<string>();
  let id = contractorId;
  while (!seen.has(id)) {
    seen.add(id);
    const next = Object.hasOwn(mergedInto, id) ? mergedInto[id] : undefined;
    if (next === undefined) return id;
    id = next;
  }
  throw new Error(`Contractor ${contractorId} was merged into itself`);
};

/** The contractor and everybody who is a part of it now. */
export const partsOf = (mergedInto: MergedInto, contractorId: string): readonly string[] => [
  contractorId,
  ...Object.keys(mergedInto).filter((id) => id !== contractorId && receiverOf(mergedInto, id) === contractorId),
];
