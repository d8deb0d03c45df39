import type { ViewWire } from '@zakup/contracts/wire-entities';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ApiProblem, problemText } from '../../../shared/api/api-problem.ts';
import { useSend } from '../../../shared/form/use-send.ts';
import { useMoment } from '../../../shared/moment/moment-context.ts';
import { useDocs } from '../../../shared/replica/replica-context.tsx';
import { useRights } from '../../../shared/session/use-rights.ts';
import type { GridSorting } from '../../../shared/table/grid-column.ts';
import { announce, toasts } from '../../../shared/toasts/toasts.ts';
import { failedDialog } from '../../../shared/ui/failed-dialog.tsx';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import { MenuButton, menuWaiting } from '../../../shared/ui/menu-button.tsx';
import { viewIn, viewText, withViewText } from '../filters/view-address.ts';
import type { ViewClash } from './view-clash-dialog.tsx';
import './views.css';

const ViewsMenu = lazyPart(async () => (await import('./views-menu.tsx')).ViewsMenu, { waiting: menuWaiting(4) });
const ViewDialog = lazyPart(async () => (await import('./view-dialog.tsx')).ViewDialog, { failed: failedDialog });
const ViewClashDialog = lazyPart(async () => (await import('./view-clash-dialog.tsx')).ViewClashDialog, {
  failed: failedDialog,
});

/** A saved query as the table tells its own view. */
const textOf = ({ query }: ViewWire, usual: GridSorting): string =>
  viewText({ ...viewIn(new URLSearchParams(query), usual).view, page: 1 });

const byName = (a: ViewWire, b: ViewWire): number => a.name.localeCompare(b.name, 'ru', { numeric: true });

/** The revision at which each view of the team was last what the table showed: what its next change is laid over. */
const useSeenRevisions = (standing: readonly ViewWire[]) => {
  const [seen, setSeen] = useState<ReadonlyMap<string, number>>(new Map());
  const see = (view: ViewWire): void => setSeen((before) => new Map([...before, [view.id, view.revision]]));
  for (const view of standing) if (view.shared && seen.get(view.id) !== view.revision) see(view);
  return { seen, see };
};

/** Who changed the view since, and at which revision it is; null = something else was refused. */
const clashOf = (thrown: unknown, view: ViewWire): ViewClash | null => {
  if (!(thrown instanceof ApiProblem) || thrown.code !== 'CONFLICT') return null;
  const [conflict] = thrown.conflicts;
  return conflict === undefined ? null : { view, conflict, revision: thrown.revision };
};

/** What may be done to views: what can be taken back, and what went wrong, has a toast; never rejects. */
const useViewWork = (userId: string, onClash: (clash: ViewClash) => void) => {
  const send = useSend();
  const sendBack = useSend();
  const run = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      toasts.error(problemText(thrown));
    }
  };
  const offerBack = (commandId: string | null, name: string, done: string): void => {
    const back = async (): Promise<void> => {
      await sendBack('POST', '/api/undo', { commandId });
      announce(`Вид «${name}» возвращён`);
    };
    toasts.wayBack(`Вид «${name}» ${done}`, () => void run(back));
  };
  const put = async (view: ViewWire, query: string, baseRevision: number | undefined): Promise<void> => {
    const { id, name } = view;
    try {
      const { commandId } = await send('PUT', `/api/views/${id}`, {
        query,
        ...(baseRevision !== undefined && { baseRevision }),
      });
      offerBack(commandId, name, 'обновлён');
    } catch (thrown) {
      const clash = clashOf(thrown, view);
      if (clash === null) throw thrown;
      // What one did oneself, such as to take a change back, is no news.
      if (clash.conflict.by.userId === userId && clash.revision !== null) return put(view, query, clash.revision);
      onClash(clash);
    }
  };
  return {
    /** `baseRevision`: of the view that the person saw; undefined = whatever became of it. */
    update: (view: ViewWire, query: string, baseRevision: number | undefined) =>
      run(() => put(view, query, baseRevision)),
    remove: ({ id, name }: ViewWire) =>
      run(async () => {
        const { commandId } = await send('DELETE', `/api/views/${id}`);
        offerBack(commandId, name, 'удалён');
      }),
  };
};

/** What a name is asked for; `null` = a view that is yet to be saved. */
interface AskedName {
  readonly view: ViewWire | null;
}

/** Views under names, one's own and the team's: shows one, saves what the table shows, changes the one that was chosen. */
export const ViewsButton = ({
  campaignId,
  current,
  usual,
}: {
  readonly campaignId: string;
  /** What the table shows, as an address says it, without the page. */
  readonly current: string;
  /** The order where nothing says another. */
  readonly usual: GridSorting;
}) => {
  const views = useDocs('view').toSorted(byName);
  const { actor, can } = useRights();
  const isPast = useMoment() !== null;
  const [, setParams] = useSearchParams();
  const [chosenId, setChosen] = useState<string | null>(null);
  const [asked, setAsked] = useState<AskedName | null>(null);
  const wished = useRef<AskedName | null>(null);
  const [clash, setClash] = useState<ViewClash | null>(null);
  const { update, remove } = useViewWork(actor.userId, setClash);
  const standing = views.filter((view) => textOf(view, usual) === current);
  const { seen, see } = useSeenRevisions(standing);
  if (isPast) return null;

  const isChosen = ({ id }: ViewWire): boolean => id === chosenId;
  // What the table shows wins over what was chosen before it.
  const shown = standing.find(isChosen) ?? standing[0];
  const chosen = shown ?? views.find(isChosen);
  const mayChange =
    chosen !== undefined &&
    (chosen.shared ? can('teamView.change', { authorId: chosen.authorId }) : can('profile.change'));
  const show = (view: ViewWire): void => {
    setChosen(view.id);
    if (view.shared) see(view);
    setParams(
      (before) => {
        const next = withViewText(before, textOf(view, usual));
        next.set('campaign', campaignId);
        return next;
      },
      { preventScrollReset: true },
    );
  };
  const ask = (view: ViewWire | null): void => {
    wished.current = { view };
  };
  return (
    <>
      <MenuButton
        className="z-button z-button-plain z-button-small z-views-button"
        data-shown={shown === undefined ? undefined : ''}
        title={shown && `Показан вид «${shown.name}»`}
        onClosed={() => {
          if (wished.current !== null) setAsked(wished.current);
          wished.current = null;
        }}
        preload={ViewsMenu.preload}
        menu={
          <ViewsMenu
            views={views}
            userId={actor.userId}
            isShown={(view) => standing.includes(view)}
            onShow={show}
            onSave={can('profile.change') ? () => ask(null) : null}
            changed={
              mayChange
                ? {
                    view: chosen,
                    onUpdate:
                      textOf(chosen, usual) === current
                        ? null
                        : () => void update(chosen, current, seen.get(chosen.id)),
                    onRename: () => ask(chosen),
                    onRemove: () => void remove(chosen),
                  }
                : null
            }
          />
        }
      >
        Виды
      </MenuButton>
      {clash !== null && (
        <ViewClashDialog
          clash={clash}
          onReplace={() => void update(clash.view, current, clash.revision ?? undefined)}
          onSaveAsNew={can('profile.change') ? () => setAsked({ view: null }) : null}
          onShow={() => show(views.find(({ id }) => id === clash.view.id) ?? clash.view)}
          onClose={() => setClash(null)}
        />
      )}
      {asked !== null && (
        <ViewDialog
          view={asked.view}
          query={current}
          canShare={can('teamView.add')}
          onSaved={({ id, name }) => {
            setChosen(id);
            announce(`Вид «${name}» сохранён`);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
};
