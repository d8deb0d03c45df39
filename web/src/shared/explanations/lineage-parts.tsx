import type { HistoryEntry } from '@zakup/contracts/history';
import { formatRoubles } from '@zakup/domain/money';
import { formatLeads, formatNumber } from '@zakup/domain/russian';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { ApiProblem, problemText } from '../api/api-problem.ts';
import { money } from '../campaign/figures.ts';
import { type Filters, journalPath } from '../history/journal-address.ts';
import { useMoment } from '../moment/moment-context.ts';
import { useSession } from '../session/session-context.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import type { LineageData } from './lineage.ts';
import { movedText, movedWhen } from './moved-text.ts';

/** What every explanation has, whatever its lines are of. */

/** Neither lines nor events came. */
export const NoLines = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => (
  <div className="z-why-problem" role="alert">
    <p>
      {error instanceof ApiProblem && error.code === 'NETWORK'
        ? 'Нет связи. Строки и события появятся, когда она вернётся.'
        : problemText(error)}
    </p>
    <Button small onClick={onRetry}>
      Повторить
    </Button>
  </div>
);

/** What the figure is made of, and where each comes from. */
export const Terms = ({ terms }: { readonly terms: LineageData['terms'] }) =>
  terms.length > 0 && (
    <ul className="z-why-terms">
      {terms.map((term) => (
        <li key={term.name}>
          {term.name}: {term.shown} <span className="z-quiet">– {term.source}</span>
        </li>
      ))}
    </ul>
  );

/** By how much an event moved the figure, in its unit. */
interface Moved {
  readonly by: number;
  readonly unit: 'leads' | 'money';
}

const Event = ({ entry, moved }: { readonly entry: HistoryEntry; readonly moved: Moved | null }) => {
  const [now] = useState(() => Date.now());
  const isNow = useMoment() === null;
  return (
    <li>
      <Avatar name={entry.actor.name} id={entry.actor.userId} size={20} />
      <span>
        {movedWhen(entry.at, isNow ? now : null)} {movedText(entry)}
        {moved !== null && (
          <b className={moved.by > 0 ? 'z-good' : 'z-bad'}>
            {moved.by > 0 ? ' +' : ' −'}
            {moved.unit === 'leads' ? formatLeads(Math.abs(moved.by)) : formatRoubles(money(Math.abs(moved.by)))}
          </b>
        )}
      </span>
    </li>
  );
};

const shownAtFirst = 3;

/** The last events that moved the figure, some of them at first, and the way to all in the journal. */
export const LastEvents = ({
  told: { moved, historyComplete },
  movedBy = () => null,
  journal,
  onLeave,
}: {
  readonly told: Pick<LineageData, 'moved' | 'historyComplete'>;
  readonly movedBy?: (entry: HistoryEntry) => Moved | null;
  /** What the journal shows of it. */
  readonly journal: Filters;
  readonly onLeave: () => void;
}) => {
  const { permissions } = useSession();
  const isNow = useMoment() === null;
  const [all, setAll] = useState(false);
  const shown = all ? moved : moved.slice(0, shownAtFirst);
  return (
    <>
      {shown.length > 0 && (
        <ul aria-label="Последние события">
          {shown.map((entry) => (
            <Event key={entry.position} entry={entry} moved={movedBy(entry)} />
          ))}
        </ul>
      )}
      <div className="z-why-actions">
        {!all && moved.length > shownAtFirst && (
          <button type="button" className="z-link" onClick={() => setAll(true)}>
            Ещё {formatNumber(moved.length - shownAtFirst)}
          </button>
        )}
        {!historyComplete && <span className="z-quiet">Показана только недавняя история</span>}
        {permissions['reports'] === true && (
          <Link className="z-link" to={journalPath(journal)} onClick={onLeave}>
            {isNow ? 'Показать в журнале' : 'Показать в журнале сейчас'}
          </Link>
        )}
      </div>
    </>
  );
};
