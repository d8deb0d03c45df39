import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core';
import { Blank, Tick } from '@blueprintjs/icons';
import type { ViewWire } from '@zakup/contracts/wire-entities';
import { type ReactNode, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { problemText } from '../../../shared/api/api-problem.ts';
import { useSend } from '../../../shared/form/use-send.ts';
import { useMoment } from '../../../shared/moment/moment-context.ts';
import { useDocs } from '../../../shared/replica/replica-context.tsx';
import { useRights } from '../../../shared/session/use-rights.ts';
import type { GridSorting } from '../../../shared/table/grid-column.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import { MenuButton } from '../../../shared/ui/menu-button.tsx';
import { viewIn, viewText, withViewText } from '../filters/view-address.ts';
import { ViewDialog } from './view-dialog.tsx';
import './views.css';

/** A saved query as the table tells its own view. */
const textOf = ({ query }: ViewWire, usual: GridSorting): string =>
  viewText({ ...viewIn(new URLSearchParams(query), usual).view, page: 1 });

const byName = (a: ViewWire, b: ViewWire): number => a.name.localeCompare(b.name, 'ru');

/** What may be done to views, each told by a toast; never rejects. */
const useViewWork = () => {
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
      toasts.success(`Вид «${name}» возвращён`);
    };
    toasts.wayBack(`Вид «${name}» ${done}`, () => void run(back));
  };
  return {
    update: ({ id, name }: ViewWire, query: string) =>
      run(async () => {
        const { commandId } = await send('PUT', `/api/views/${id}`, { query });
        offerBack(commandId, name, 'обновлён');
      }),
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
  const { update, remove } = useViewWork();
  if (isPast) return null;

  const standing = views.filter((view) => textOf(view, usual) === current);
  const isChosen = ({ id }: ViewWire): boolean => id === chosenId;
  // What the table shows wins over what was chosen before it.
  const chosen = standing.find(isChosen) ?? standing[0] ?? views.find(isChosen);
  const mayChange =
    chosen !== undefined &&
    (chosen.shared ? can('teamView.change', { authorId: chosen.authorId }) : can('profile.change'));
  const show = (view: ViewWire): void => {
    setChosen(view.id);
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
  const listed = (title: string, shown: readonly ViewWire[]): ReactNode =>
    shown.length > 0 && (
      <>
        <MenuDivider title={title} />
        {shown.map((view) => (
          <MenuItem
            key={view.id}
            text={view.name}
            icon={standing.includes(view) ? <Tick size={14} /> : <Blank size={14} />}
            aria-current={standing.includes(view)}
            onClick={() => show(view)}
          />
        ))}
      </>
    );
  return (
    <>
      <MenuButton
        className="z-button z-button-plain z-button-small"
        onClosed={() => {
          if (wished.current !== null) setAsked(wished.current);
          wished.current = null;
        }}
        menu={
          <Menu className="z-views">
            {can('profile.change') && <MenuItem text="Сохранить вид…" onClick={() => ask(null)} />}
            {mayChange && textOf(chosen, usual) !== current && (
              <MenuItem text={`Обновить «${chosen.name}»`} onClick={() => void update(chosen, current)} />
            )}
            {mayChange && <MenuItem text={`Переименовать «${chosen.name}»…`} onClick={() => ask(chosen)} />}
            {mayChange && <MenuItem text={`Удалить «${chosen.name}»`} onClick={() => void remove(chosen)} />}
            {views.length === 0 && <MenuItem disabled text="Сохранённых видов пока нет" />}
            {listed(
              'Мои',
              views.filter(({ shared, authorId }) => !shared && authorId === actor.userId),
            )}
            {listed(
              'Команды',
              views.filter(({ shared }) => shared),
            )}
          </Menu>
        }
      >
        Виды
      </MenuButton>
      {asked !== null && (
        <ViewDialog
          view={asked.view}
          query={current}
          canShare={can('teamView.add')}
          onSaved={({ id, name }) => {
            setChosen(id);
            toasts.success(`Вид «${name}» сохранён`);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
};
