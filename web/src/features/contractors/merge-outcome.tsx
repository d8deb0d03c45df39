import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { addSums, type Sums } from '@zakup/domain/analytics/sums';
import { verdictOfBoth } from '@zakup/domain/contractor/merged-verdict';
import { formatRoubles } from '@zakup/domain/money';
import { formatNumber, nbsp, plural } from '@zakup/domain/russian';
import { CplValue } from '../../shared/campaign/cpl-value.tsx';
import { VerdictNote } from '../../shared/contractor/verdict-note.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { type DataColumn, DataTable } from '../../shared/table/data-table.tsx';
import { nicksOf } from './contractor-nicks.ts';
import { boughtText, contractorSums } from './contractor-sums.ts';

/** As an object: `1 заметку`. */
const notesText = (count: number): string =>
  `${formatNumber(count)}${nbsp}${plural(count, 'заметку', 'заметки', 'заметок')}`;

const joined = (parts: readonly string[]): string => parts.join(' и ');

interface NamedFigures {
  readonly name: string;
  readonly figures: Sums;
}

const columns: readonly DataColumn<NamedFigures>[] = [
  { id: 'name', header: 'Контрагент', isName: true, cell: ({ name }) => name },
  { id: 'placements', header: 'Разм.', align: 'right', cell: ({ figures }) => formatNumber(figures.placements) },
  { id: 'spent', header: 'Потрачено', align: 'right', cell: ({ figures }) => formatRoubles(figures.spent) },
  { id: 'leads', header: 'Приход', align: 'right', cell: ({ figures }) => formatNumber(figures.leads) },
  {
    id: 'cpl',
    header: 'CPL',
    align: 'right',
    cell: ({ figures }) => <CplValue spent={figures.spent} leads={figures.leads} />,
  },
];

/** What merging will do, in words and sums. */
export const MergeOutcome = ({
  contractor,
  into,
  noteCount,
}: {
  readonly contractor: ContractorWire;
  readonly into: ContractorWire;
  readonly noteCount: number | null;
}) => {
  const { can } = useRights();
  const [own, theirs] = [contractorSums(contractor), contractorSums(into)];
  const judged = verdictOfBoth(into.verdict, contractor.verdict);
  const moved = [
    ...(own.placements > 0 ? [boughtText(own)] : []),
    ...(noteCount === null ? ['все заметки'] : noteCount > 0 ? [notesText(noteCount)] : []),
  ];
  return (
    <section className="z-merge-outcome" aria-label="Что произойдёт">
      <DataTable
        className="z-table"
        label="Суммы до и после объединения"
        columns={columns}
        rows={[
          { name: contractor.adminUsername, figures: own },
          { name: into.adminUsername, figures: theirs },
          { name: 'Вместе', figures: addSums(own, theirs) },
        ]}
        rowId={(_, at) => at}
      />
      <ul>
        <li>
          {moved.length === 0 ? (
            <>Переносить нечего: размещений и заметок ещё нет.</>
          ) : (
            <>
              <b>{into.adminUsername}</b> получит {joined(moved)}; завершённых кампаний это тоже касается.
            </>
          )}
        </li>
        <li>
          Останется ник <b>{into.adminUsername}</b>. По нику {joined(nicksOf(contractor))} тоже будет находиться{' '}
          {into.adminUsername}.
        </li>
        <li>
          <b>{contractor.adminUsername}</b> больше не будет в списках.
        </li>
        {judged !== undefined && judged !== into.verdict && (
          <li>
            В каком списке окажется <b>{into.adminUsername}</b>: <VerdictNote verdict={judged} />
          </li>
        )}
        <li>
          {can('reports.read')
            ? 'Объединение можно отменить: сразу после него или в Журнале.'
            : 'Объединение можно отменить сразу после него, а позже это сделает тот, кому открыт Журнал.'}
        </li>
      </ul>
    </section>
  );
};
