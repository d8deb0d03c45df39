import type { DocByKind } from '@zakup/contracts/wire-entities';
import { useMemo } from 'react';
import { useKnownEntries } from '../outbox/outbox-context.tsx';
import { useDocs } from '../replica/replica-context.tsx';
import { type KeptDoc, keptDocs } from './kept-docs.ts';
import type { KeptByKind, KeptKind } from './kept-kinds.ts';

/** The documents of a kind with the person's own changes over them that the server does not have, or that have not come back. */
export const useKeptDocs = <Kind extends KeptKind>(kind: Kind): readonly KeptDoc<KeptByKind[Kind]>[] => {
  const docs = useDocs(kind) as readonly (DocByKind[Kind] & KeptByKind[Kind])[];
  const { entries, wasMade } = useKnownEntries();
  return useMemo(() => keptDocs(kind, docs, entries, wasMade), [kind, docs, entries, wasMade]);
};
