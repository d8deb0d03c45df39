import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { WarningSign } from '@blueprintjs/icons';
import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { messages } from '@zakup/domain/messages';
import { formatNumber } from '@zakup/domain/russian';
import { type FormEvent, type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { MergeOutcome } from './merge-outcome.tsx';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useDocs, useDrawn } from '../../shared/replica/replica-context.tsx';
import { ConfirmDialog } from '../../shared/ui/dialog.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { channelNameOf } from './contractor-figures.ts';
import { boughtText, contractorSums, placementsText } from './contractor-sums.ts';
import { type MergeCandidates, mergeCandidates } from './merge-candidates.ts';
import { useMerge } from './use-merge.ts';

/** Those who can be chosen, and what is to be said of the others. */
const MergeChoices = ({
  list,
  candidates: { shown, into, hiddenCount, off },
  onChoose,
}: {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly candidates: MergeCandidates;
  readonly onChoose: (id: string) => void;
}) => {
  const group = useId();
  const nobody = useDrawn('workspace') ? 'Ничего не найдено' : messages.contractorLoading;
  return (
    <>
      {shown.length > 0 ? (
        <div ref={list} className="z-merge-list" role="radiogroup" aria-label="Контрагенты">
          {shown.map((one) => (
            <label key={one.id}>
              <input
                type="radio"
                name={group}
                value={one.id}
                checked={one === into}
                onChange={() => onChoose(one.id)}
              />
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
      {hiddenCount > 0 && <p className="z-field-hint">Ещё {formatNumber(hiddenCount)}: уточните поиск</p>}
      {off.map(({ id, adminUsername }) => (
        <p key={id} className="z-field-hint">
          {adminUsername} отключён: чтобы объединить с ним, сначала сделайте его активным
        </p>
      ))}
    </>
  );
};

/** What is looked for and who is chosen; `begun`: who is to begin with. */
const useMergeChoice = (contractor: ContractorWire, begun: string | null) => {
  const list = useRef<HTMLDivElement>(null);
  const others = useDocs('contractor').filter(({ id }) => id !== contractor.id);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(begun);
  const [error, setError] = useState<string | null>(null);
  return {
    list,
    candidates: mergeCandidates(others, search, chosen),
    search,
    dirty: chosen !== begun,
    error,
    setError,
    look: (text: string): void => {
      setSearch(text);
      setError(null);
    },
    choose: (id: string): void => {
      setChosen(id);
      setError(null);
    },
  };
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
  const choice = useMergeChoice(contractor, intoId);
  const { all, into, shown } = choice.candidates;
  const merge = useMerge(contractor, onMerged);
  const { busy, clash } = merge;
  const nick = contractor.adminUsername;
  const choose = (id: string): void => {
    choice.choose(id);
    merge.clearProblem();
  };
  /** Down from the search leads into the choices, as it leads through them. */
  const toChoices = (event: KeyboardEvent): void => {
    const id = into?.id ?? shown[0]?.id;
    if (event.key !== 'ArrowDown' || id === undefined) return;
    event.preventDefault();
    choice.list.current?.querySelector<HTMLElement>(`[value="${id}"]`)?.focus();
    choose(id);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    const [only, ...more] = all;
    if (into !== null) merge.setAsking(true);
    else if (only !== undefined && more.length === 0) choose(only.id);
    else choice.setError(messages.mergeTargetRequired);
  };
  return (
    <FormDialog
      title={`Объединить ${nick} с…`}
      save="Объединить…"
      saving="Объединение…"
      width={560}
      busy={busy}
      dirty={choice.dirty}
      problem={merge.problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="С кем объединить"
        type="search"
        placeholder="Ник или канал"
        autoComplete="off"
        focusOnMount
        value={choice.search}
        error={choice.error}
        onKeyDown={toChoices}
        onChange={choice.look}
      />
      <MergeChoices list={choice.list} candidates={choice.candidates} onChoose={choose} />
      {into !== null && <MergeOutcome contractor={contractor} into={into} noteCount={noteCount} />}
      {clash !== null && (
        <p className="z-contractor-warning" role="alert">
          <WarningSign size={14} />
          Пока вы смотрели, контрагента изменили ({clash.text}). Проверьте и объедините ещё раз.
        </p>
      )}
      {merge.asking && into !== null && (
        <ConfirmDialog
          title={`Объединить ${nick} с ${into.adminUsername}?`}
          confirm="Объединить"
          busy={busy}
          onCancel={() => merge.setAsking(false)}
          onConfirm={() => merge.start(into)}
        >
          {placementsText(contractor.totalPlacements)} и все заметки окажутся у {into.adminUsername}, а {nick} исчезнет
          из списков.
        </ConfirmDialog>
      )}
    </FormDialog>
  );
};
