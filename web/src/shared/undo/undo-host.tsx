import type { ImportWire } from '@zakup/contracts/imports';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { onImportBegun } from '../import/begun-imports.ts';
import { useOutbox } from '../outbox/outbox-context.tsx';
import { useReplica } from '../replica/replica-context.tsx';
import { ownActionsKey } from '../session/local-data.ts';
import { useSession } from '../session/session-context.tsx';
import { toasts } from '../toasts/toasts.ts';
import { failedDialog } from '../ui/failed-dialog.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { carriedOut } from './carried-out.ts';
import type { OwnActions } from './own-actions.ts';
import { useUndoKeys } from './undo-keys.ts';
import { onUndoRequest } from './undo-requests.ts';

const OwnActionsDialog = lazyPart(async () => (await import('./own-actions-dialog.tsx')).OwnActionsDialog, {
  failed: failedDialog,
});
const ImportUndoQuestion = lazyPart(
  async () => (await import('../import/import-undo-question.tsx')).ImportUndoQuestion,
  { failed: failedDialog },
);
const UndoChoiceDialog = lazyPart(async () => (await import('../history/undo-choice-dialog.tsx')).UndoChoiceDialog, {
  failed: failedDialog,
});
const UndoConflictDialog = lazyPart(async () => (await import('./undo-conflict-dialog.tsx')).UndoConflictDialog, {
  failed: failedDialog,
});

/** Learns what the person does from when it is there; loaded behind the first screen, and anew when it did not come. */
const useOwnActions = () => {
  const outbox = useOutbox();
  const replica = useReplica();
  const { person } = useSession();
  const key = ownActionsKey(person.licenseId, person.id);
  const [actions, setActions] = useState<OwnActions | null>(null);
  const open = useRef<() => Promise<OwnActions>>(() => Promise.reject(new Error('It is gone')));
  useEffect(() => {
    let over = false;
    let opening: Promise<OwnActions> | null = null;
    let opened: OwnActions | null = null;
    const before = carriedOut(outbox);
    const load = async (): Promise<OwnActions> => {
      const { OwnActions: Actions } = await import('./own-actions.ts');
      if (over) throw new Error('It is gone');
      opened = new Actions({ outbox, replica, storage: localStorage, key, earlier: before.entries() });
      before.stop();
      setActions(opened);
      return opened;
    };
    open.current = () => {
      opening ??= load().catch((thrown: unknown) => {
        opening = null;
        throw thrown;
      });
      return opening;
    };
    open.current().catch(() => undefined);
    const onStored = (event: StorageEvent): void => {
      if (event.key === key) opened?.reread();
    };
    window.addEventListener('storage', onStored);
    return () => {
      over = true;
      window.removeEventListener('storage', onStored);
      before.stop();
      opened?.close();
      setActions(null);
    };
  }, [outbox, replica, key]);
  return { actions, open };
};

const UndoDialogs = ({
  actions,
  isListed,
  onClose,
}: {
  readonly actions: OwnActions;
  readonly isListed: boolean;
  readonly onClose: () => void;
}) => {
  const conflict = useSyncExternalStore(actions.subscribe, actions.conflict);
  const question = useSyncExternalStore(actions.subscribe, actions.question);
  if (conflict !== null && conflict.rows !== null)
    return (
      <UndoChoiceDialog
        what={conflict.text}
        way={conflict.way}
        conflicts={conflict.conflicts}
        rows={conflict.rows}
        byField={conflict.byField}
        onChoose={(choice, back) => actions.choose(choice, back)}
        onClose={() => actions.putAway()}
      />
    );
  if (conflict !== null)
    return <UndoConflictDialog conflict={conflict} actions={actions} onClose={() => actions.putAway()} />;
  if (question?.imported !== undefined)
    return (
      <ImportUndoQuestion
        added={question.imported.added}
        changed={question.imported.changed}
        onConfirm={() => actions.answer(true)}
        onClose={() => actions.answer(false)}
      />
    );
  return isListed && <OwnActionsDialog actions={actions} onClose={onClose} />;
};

/** The keys that undo and repeat, and what is asked and listed for it. Mounted once, where there is an outbox. */
export const UndoHost = () => {
  const { actions, open } = useOwnActions();
  const [isListed, setListed] = useState(false);
  const run = (act: (own: OwnActions) => void): void =>
    void open.current().then(act, () => toasts.error('Не загрузилось, ничего не отменено. Попробуйте ещё раз'));
  useUndoKeys((way) => run((own) => (way === 'undo' ? own.undoLast() : own.redoLast())));
  const onRequest = useEffectEvent((request: Parameters<Parameters<typeof onUndoRequest>[0]>[0]) =>
    run((own) => {
      if (request.kind === 'list') setListed(true);
      else own.undo(request.commandId);
    }),
  );
  useEffect(() => onUndoRequest((request) => onRequest(request)), []);
  const onBegun = useEffectEvent(
    (started: ImportWire) =>
      void open.current().then(
        (own) => own.addImport(started),
        // Where this did not load, it is in the list of imports all the same.
        () => undefined,
      ),
  );
  useEffect(() => onImportBegun((started) => onBegun(started)), []);
  return actions !== null && <UndoDialogs actions={actions} isListed={isListed} onClose={() => setListed(false)} />;
};
