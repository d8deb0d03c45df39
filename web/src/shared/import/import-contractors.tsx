import { type ImportReport, mostBuyersLookedUp } from '@zakup/contracts/imports';
import type { UserWire } from '@zakup/contracts/wire-entities';
import { formatNumber } from '@zakup/domain/russian';
import { useState } from 'react';
import { buyerName } from '../contractor/buyer-name.ts';
import { daysAgo } from '../contractor/deal-labels.ts';
import { VerdictNote } from '../contractor/verdict-note.tsx';
import { useToday } from '../moment/moment-context.ts';
import { useDocs } from '../replica/replica-context.tsx';
import { type DataColumn, DataTable } from '../table/data-table.tsx';
import { LiveRegion } from '../toasts/live-region.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { rowsText } from './rows-text.ts';

/** So many are shown at first, and with each press on «Показать ещё». */
const shownAtOnce = 10;

type Contractors = NonNullable<ImportReport['contractors']>;
type Noted = Contractors['noted'][number];

const Known = ({
  noted: { rows, blackListed, boughtByAnother },
  users,
  today,
}: {
  readonly noted: Noted;
  readonly users: readonly UserWire[];
  readonly today: string;
}) => (
  <>
    {blackListed !== null && (
      <div>
        <VerdictNote verdict={{ list: 'black', reason: blackListed }} />
      </div>
    )}
    {boughtByAnother.map((bought) => (
      <div key={bought.buyerId} className="z-mid">
        Куплено другим байером {daysAgo(bought.date, today)}: {buyerName(users, bought.buyerId)}
        {bought.rows < rows && ` (${rowsText(bought.rows)})`}
      </div>
    ))}
  </>
);

const columnsOf = (users: readonly UserWire[], today: string): readonly DataColumn<Noted>[] => [
  { id: 'nick', header: 'Контрагент', isName: true, cell: ({ nick }) => nick, cardLabel: 'Контрагент' },
  { id: 'rows', header: 'Строк', align: 'right', cell: ({ rows }) => formatNumber(rows), cardLabel: 'Строк' },
  {
    id: 'known',
    header: 'Что известно',
    cell: (noted) => <Known noted={noted} users={users} today={today} />,
    cardLabel: 'Что известно',
  },
];

const idOf = ({ contractorId }: Noted): string => contractorId;

/** Contractors of a file who are on the black list, or of whom somebody else bought: told before anything is written, and refuses nothing. */
export const ImportContractors = ({
  contractors: { known, blackListedRows, boughtByAnotherRows, noted },
}: {
  readonly contractors: Contractors;
}) => {
  const users = useDocs('user');
  const today = useToday();
  const [shown, setShown] = useState(shownAtOnce);
  if (noted.length === 0) return null;
  const counts = [
    ['В чёрном списке', blackListedRows],
    ['Куплено другим байером', boughtByAnotherRows],
  ] as const;
  return (
    <section className="z-import-errors">
      <div className="z-import-line">
        <h3>Что известно о контрагентах</h3>
        <LiveRegion>
          {counts
            .filter(([, rows]) => rows > 0)
            .map(([what, rows]) => `${what}: ${rowsText(rows)}`)
            .join(' · ')}
        </LiveRegion>
      </div>
      {known > mostBuyersLookedUp && (
        <p className="z-secondary">
          Кто покупал, проверено у первых контрагентов файла: {formatNumber(mostBuyersLookedUp)} из{' '}
          {formatNumber(known)}.
        </p>
      )}
      <DataTable
        label="Что известно о контрагентах"
        className="z-table z-import-table"
        columns={columnsOf(users, today)}
        rows={noted.slice(0, shown)}
        rowId={idOf}
      />
      {noted.length > shown && (
        <LoadMore rest={noted.length - shown} small onMore={() => setShown(shown + shownAtOnce)} />
      )}
    </section>
  );
};
