import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { WarningSign } from '@blueprintjs/icons';
import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { addSums, type Sums } from '@zakup/domain/analytics/sums';
import { messages } from '@zakup/domain/messages';
import { formatRoubles } from '@zakup/domain/money';
import { formatNumber, nbsp, plural } from '@zakup/domain/russian';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { CplValue } from '../../shared/campaign/cpl-value.tsx';
import { ApiProblem, problemText } from '../../shared/api/api-problem.ts';
import { mergedText } from '../../shared/contractor/use-receiver.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { type Send, useSend } from '../../shared/form/use-send.ts';
import { useDocs, useDrawn } from '../../shared/replica/replica-context.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { type DataColumn, DataTable } from '../../shared/table/data-table.tsx';
import { matches } from '../../shared/ui/matching.ts';
import { toasts } from '../../shared/toasts/toasts.ts';
import { ConfirmDialog } from '../../shared/ui/dialog.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { contractorFieldLabel } from './contractor-fields.ts';
import { channelNameOf } from './contractor-figures.ts';
import { nicksOf } from './contractor-nicks.ts';
import { boughtText, contractorSums, placementsText } from './contractor-sums.ts';

/** More than these are found by typing more. */
const listed = 6;

interface Clash {
  /** Who changed what meanwhile. */
  readonly text: string;
  readonly revision: number;
}

const clashOf = ({ conflicts, revision }: ApiProblem): Clash => {
  const lines = conflicts.map(({ by, field }) => `${by.name || 'другой сотрудник'}: ${contractorFieldLabel(field)}`);
  return { text: [...new Set(lines)].join('; '), revision: revision ?? 0 };
};

/** As an object: `1 заметку`. */
const notesText = (count: number): string =>
  `${formatNumber(count)}${nbsp}${plural(count, 'заметку', 'заметки', 'заметок')}`;

const joined = (parts: readonly string[]): string => parts.join(' и ');

const found = (contractor: ContractorWire, search: string): boolean =>
  [...nicksOf(contractor), channelNameOf(contractor)].some((text) => matches(text, search));

/** Takes the merge back and says how that went. */
const undoMerge = async (send: Send, commandId: string, nick: string): Promise<void> => {
  try {
    await send('POST', '/api/undo', { commandId });
    toasts.success(`Объединение отменено: ${nick} снова отдельно`);
  } catch (thrown) {
    toasts.error(`Не удалось отменить объединение. ${problemText(thrown)}`);
  }
};

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
const Outcome = ({
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
        <li>
          {can('reports.read')
            ? 'Объединение можно отменить: сразу после него или в Журнале.'
            : 'Объединение можно отменить сразу после него, а позже это сделает тот, кому открыт Журнал.'}
        </li>
      </ul>
    </section>
  );
};

/** Makes the contractor a part of another one. */
export const MergeContractorDialog = ({
  contractor,
  noteCount,
  intoId = null,
  onClose,
  onMerged,
}: {
  /** As it is now, also while the dialog is open. */
  readonly contractor: ContractorWire;
  /** Null while nobody knows. */
  readonly noteCount: number | null;
  /** Who is chosen to begin with. */
  readonly intoId?: string | null;
  readonly onClose: () => void;
  /** Told who it is a part of now. */
  readonly onMerged: (intoId: string) => void;
}) => {
  const group = useId();
  const choices = useRef<HTMLDivElement>(null);
  const send = useSend();
  const { can, actor } = useRights();
  const drawn = useDrawn('workspace');
  const others = useDocs('contractor').filter(({ id }) => id !== contractor.id);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(intoId);
  const [error, setError] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [clash, setClash] = useState<Clash | null>(null);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  const hits = others.filter((one) => found(one, search));
  const candidates = hits
    .filter(({ isActive }) => isActive)
    .sort((a, b) => b.totalSpent - a.totalSpent || a.adminUsername.localeCompare(b.adminUsername));
  const into = candidates.find(({ id }) => id === chosen) ?? null;
  const shown = candidates.filter((one, index) => index < listed || one === into);
  const hidden = candidates.length - shown.length;
  const off = search.trim() === '' ? [] : hits.filter(({ isActive }) => !isActive).slice(0, 2);
  const nick = contractor.adminUsername;

  const choose = (id: string): void => {
    setChosen(id);
    setError(null);
    setProblem(null);
  };
  /** Down from the search leads into the choices, as it leads through them. */
  const toChoices = (event: KeyboardEvent): void => {
    const id = into?.id ?? shown[0]?.id;
    if (event.key !== 'ArrowDown' || id === undefined) return;
    event.preventDefault();
    choices.current?.querySelector<HTMLElement>(`[value="${id}"]`)?.focus();
    choose(id);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    const [only, ...more] = candidates;
    if (into !== null) setAsking(true);
    else if (only !== undefined && more.length === 0) choose(only.id);
    else setError(messages.mergeTargetRequired);
  };
  const merge = async (target: ContractorWire): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const { commandId } = await send('POST', `/api/contractors/${contractor.id}/merge`, {
        intoId: target.id,
        baseRevision: Math.max(contractor.revision, clash?.revision ?? 0),
      });
      const undoable = commandId !== null && can('command.undo', { actorId: actor.userId });
      toasts.info(
        mergedText(nick, target),
        undoable ? { text: 'Отменить', run: () => void undoMerge(send, commandId, nick) } : undefined,
      );
      onMerged(target.id);
    } catch (thrown) {
      setAsking(false);
      const isClash = thrown instanceof ApiProblem && thrown.code === 'CONFLICT' && thrown.conflicts.length > 0;
      if (isClash) setClash(clashOf(thrown));
      setProblem(isClash ? null : problemText(thrown));
      setBusy(false);
    }
  };

  const nobody = drawn ? 'Ничего не найдено' : messages.contractorLoading;
  return (
    <FormDialog
      title={`Объединить ${nick} с…`}
      save="Объединить…"
      saving="Объединение…"
      width={560}
      busy={busy}
      dirty={chosen !== intoId}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="С кем объединить"
        type="search"
        placeholder="Ник или канал"
        autoComplete="off"
        focusOnMount
        value={search}
        error={error}
        onKeyDown={toChoices}
        onChange={(text) => {
          setSearch(text);
          setError(null);
        }}
      />
      {shown.length > 0 ? (
        <div ref={choices} className="z-merge-list" role="radiogroup" aria-label="Контрагенты">
          {shown.map((one) => (
            <label key={one.id}>
              <input type="radio" name={group} value={one.id} checked={one === into} onChange={() => choose(one.id)} />
              <span>
                <b>{one.adminUsername}</b>
                {channelNameOf(one) !== '' && <small>{channelNameOf(one)}</small>}
              </span>
              <small>{boughtText(contractorSums(one))}</small>
            </label>
          ))}
        </div>
      ) : (
        <LiveRegion className="z-secondary">{nobody}</LiveRegion>
      )}
      {hidden > 0 && <p className="z-field-hint">Ещё {formatNumber(hidden)}: уточните поиск</p>}
      {off.map(({ id, adminUsername }) => (
        <p key={id} className="z-field-hint">
          {adminUsername} отключён: чтобы объединить с ним, сначала сделайте его активным
        </p>
      ))}
      {into !== null && <Outcome contractor={contractor} into={into} noteCount={noteCount} />}
      {clash !== null && (
        <p className="z-contractor-warning" role="alert">
          <WarningSign size={14} />
          Пока вы смотрели, контрагента изменили ({clash.text}). Проверьте и объедините ещё раз.
        </p>
      )}
      {asking && into !== null && (
        <ConfirmDialog
          title={`Объединить ${nick} с ${into.adminUsername}?`}
          confirm="Объединить"
          busy={busy}
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            merge(into).catch((thrown: unknown) => setProblem(problemText(thrown)));
          }}
        >
          {placementsText(contractor.totalPlacements)} и все заметки окажутся у {into.adminUsername}, а {nick} исчезнет
          из списков.
        </ConfirmDialog>
      )}
    </FormDialog>
  );
};
