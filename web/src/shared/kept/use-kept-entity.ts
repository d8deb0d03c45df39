import type { BegunForm } from '../form/use-entity-form.ts';
import type { FormValues } from '../form/use-form-edits.ts';
import { useMade } from '../form/use-made.ts';
import type { Entry } from '../outbox/entry.ts';
import { useOwnOutbox } from '../outbox/outbox-context.tsx';
import { announce } from '../toasts/toasts.ts';
import { type KeptByKind, type KeptKind, withBody } from './kept-kinds.ts';
import { type KeptReply, useKeptSend } from './use-kept-send.ts';

export interface KeptEntitySpec<Kind extends KeptKind> {
  readonly kind: Kind;
  readonly given: KeptByKind[Kind] | null;
  /** Of its mark. */
  readonly entry: Entry | null;
  readonly valuesOf: (doc: KeptByKind[Kind] | null) => FormValues;
  /** Calls: where a new one is made, and where the others lie. */
  readonly paths: { readonly create: string; readonly all: string };
  /** Names its commands: «Новый канал», «Канал». */
  readonly words: { readonly created: string; readonly changed: string };
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** What was typed in a change that was refused or is contested, as edits of what is there now. */
const begunBy = <Doc extends object>(
  wish: Entry,
  doc: Doc,
  valuesOf: (doc: Doc | null) => FormValues,
  onTheirs: () => void,
): BegunForm => {
  const there = valuesOf(doc);
  const typed = valuesOf(withBody(doc, wish));
  const fields = [...new Set([...Object.keys(there), ...Object.keys(typed)])].filter(
    (field) => !same(there[field], typed[field]),
  );
  const { state } = wish;
  const conflict = state.kind === 'conflict' ? { conflicts: state.conflicts, revision: state.revision } : null;
  return {
    edits: Object.fromEntries(fields.map((field) => [field, typed[field] ?? null])),
    conflict,
    baseRevision: conflict === null ? null : wish.baseRevision,
    onTheirs,
  };
};

/** An entity in a form whose changes are kept until they are sent; the form goes on from a change that was refused or is contested. */
export const useKeptEntity = <Kind extends KeptKind>({
  kind,
  given,
  entry,
  valuesOf,
  paths,
  words,
}: KeptEntitySpec<Kind>) => {
  const outbox = useOwnOutbox();
  const send = useKeptSend();
  const asking = entry?.state.kind === 'rejected' || entry?.state.kind === 'conflict' ? entry : null;
  const refusedNew = asking?.creates === true ? asking : null;
  const { entity, onMade } = useMade<KeptByKind[Kind]>(kind, refusedNew === null ? given : null);
  const dismiss = (): void => {
    if (asking !== null && refusedNew === null) outbox?.dismiss(asking.id);
  };
  const save = async (body: object): Promise<KeptReply<Kind>> => {
    const members = body as Readonly<Record<string, unknown>>;
    if (refusedNew !== null && entity === null && given !== null && outbox !== null) {
      outbox.revise(refusedNew.id, members);
      const doc = withBody(given, { ...refusedNew, body: members });
      const data = { [kind]: doc } as KeptReply<Kind>['data'];
      return { data, position: null, revision: null, commandId: refusedNew.id, kept: true };
    }
    const typed = members['name'];
    const name = typeof typed === 'string' ? typed : (entity?.name ?? '');
    return send({
      kind,
      doc: entity,
      method: entity === null ? 'POST' : 'PUT',
      path: entity === null ? paths.create : `${paths.all}/${entity.id}`,
      body: members,
      label: `${entity === null ? words.created : words.changed} «${name}»`,
    });
  };
  return {
    entity,
    begun:
      asking === null || given === null || refusedNew !== null || asking.method !== 'PUT'
        ? null
        : begunBy(asking, given, valuesOf, dismiss),
    valuesOf: (doc: KeptByKind[Kind] | null): FormValues => valuesOf(doc ?? (refusedNew === null ? null : given)),
    save,
    /** `said`: what is announced once a new one is on the server. */
    onSaved: (doc: KeptByKind[Kind], kept: boolean, said: string): void => {
      dismiss();
      if (entity !== null) return;
      onMade(doc);
      announce(kept ? 'Не сохранено. Отправим сами' : said);
    },
  };
};
