import type { DocKind } from '@zakup/contracts/wire-entities';
import { useState } from 'react';
import { useDoc } from '../replica/replica-context.tsx';

/**
 * What a dialog for new and for old ones is about: the given entity, else the one that it has made, live as soon as it has come; null before.
 * What is typed while it is being made goes on as a change of it.
 */
export const useMade = <Doc extends { readonly id: string }>(kind: DocKind, given: Doc | null) => {
  const [made, onMade] = useState<Doc | null>(null);
  const live = useDoc(kind, made?.id ?? null) as Doc | null;
  return { entity: given ?? live ?? made, onMade };
};
