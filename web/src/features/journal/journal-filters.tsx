import { Calendar, Cross, Filter } from '@blueprintjs/icons';
import { parseDay, today } from '@zakup/domain/calendar';
import { showCampaignName } from '@zakup/domain/topics';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { DayField } from '../../shared/day/day-field.tsx';
import { sources } from '../../shared/history/field-labels.ts';
import { filterFields, showKind, showSource } from '../../shared/history/journal-labels.ts';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { useNarrow } from '../../shared/ui/use-media.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { SearchField } from '../../shared/ui/list-bar.tsx';
import { periodWords } from './journal-events.ts';
import type { FilterName, Filters } from '../../shared/history/journal-address.ts';
import { Popover } from '../../shared/ui/popover.tsx';

type Change = (changes: Readonly<Partial<Record<FilterName, string>>>) => void;

/** Milliseconds without a key after which the search begins. */
const pause = 300;
const dayMillis = 86_400_000;

/** Searches when the typing rests. */
const SearchBox = ({ value, onSearch }: { readonly value: string; readonly onSearch: (text: string) => void }) => {
  const [typed, setTyped] = useState<string | null>(null);
  const search = useEffectEvent(onSearch);
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(() => {
      search(typed.trim());
      setTyped(null);
    }, pause);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <SearchField
      label="Поиск по журналу"
      placeholder="Ник, имя, значение"
      maxLength={100}
      value={typed ?? value}
      onChange={setTyped}
    />
  );
};

interface PeriodProps {
  readonly from: string;
  readonly to: string;
  readonly onChange: (period: { readonly from: string; readonly to: string }) => void;
}

const Period = ({ from, to, onChange }: PeriodProps) => {
  const [draft, setDraft] = useState({ from, to });
  const wrong = draft.from !== '' && draft.to !== '' && draft.from > draft.to;
  const set = (change: Partial<typeof draft>): void => {
    const next = { ...draft, ...change };
    setDraft(next);
    const whole = [next.from, next.to].every((day) => day === '' || parseDay(day) !== null);
    if (whole && !(next.from !== '' && next.to !== '' && next.from > next.to)) onChange(next);
  };
  const last = (days: number): void => {
    const now = Date.now();
    set({ from: today(now - (days - 1) * dayMillis), to: today(now) });
  };
  return (
    <div className="z-journal-period">
      <div className="z-journal-quick">
        <Button small onClick={() => last(1)}>
          Сегодня
        </Button>
        <Button small onClick={() => last(7)}>
          7 дней
        </Button>
        <Button small onClick={() => last(30)}>
          30 дней
        </Button>
        <Button small onClick={() => set({ from: '', to: '' })}>
          Всё время
        </Button>
      </div>
      <Field label="С">
        {(control) => <DayField {...control} value={draft.from} onChange={(day) => set({ from: day })} />}
      </Field>
      <Field label="По" error={wrong ? 'Начало периода позже конца' : null}>
        {(control) => <DayField {...control} value={draft.to} onChange={(day) => set({ to: day })} />}
      </Field>
    </div>
  );
};

/** A period chosen from a few usual ones or by its days. */
export const PeriodButton = (props: PeriodProps) => (
  <Popover
    placement="bottom-start"
    arrow={false}
    content={<Period {...props} />}
    renderTarget={({ isOpen, ref, ...target }) => (
      <button {...target} ref={ref} type="button" className="z-button" aria-haspopup="dialog" aria-expanded={isOpen}>
        <Calendar size={14} />
        {periodWords(props.from, props.to) || 'За всё время'}
      </button>
    )}
  />
);

export const Choice = ({
  label,
  value,
  all,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  /** The choice of none. */
  readonly all: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}) => (
  <select
    className="z-input z-journal-choice"
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  >
    <option value="">{all}</option>
    {value !== '' && !options.some(([known]) => known === value) && <option value={value}>{label}: другое</option>}
    {options.map(([one, text]) => (
      <option key={one} value={one}>
        {text}
      </option>
    ))}
  </select>
);

export const byLabel = (a: readonly [string, string], b: readonly [string, string]): number =>
  a[1].localeCompare(b[1], 'ru');

/** What the journal shows; on a phone all but the search is behind a button. */
export const JournalFilters = ({
  filters,
  onChange,
  onReset,
}: {
  readonly filters: Filters;
  readonly onChange: Change;
  readonly onReset: () => void;
}) => {
  const narrow = useNarrow();
  const [open, setOpen] = useState(false);
  const people = useDocs('user');
  const campaigns = useDocs('campaign');
  const { search = '', from = '', to = '', person = '', campaign = '', field = '', entity = '', source = '' } = filters;
  const narrowed = Object.keys(filters).length;
  const choices: ReactNode = (
    <>
      <PeriodButton key={`${from} ${to}`} from={from} to={to} onChange={onChange} />
      <Choice
        label="Кто"
        value={person}
        all="Все люди"
        options={[
          ...people.map(({ id, name }) => [id, name] as const).sort(byLabel),
          ['system', 'Система'],
          ['admin', 'Администратор'],
        ]}
        onChange={(value) => onChange({ person: value })}
      />
      <Choice
        label="Кампания"
        value={campaign}
        all="Все кампании"
        options={campaigns.map(({ id, name }) => [id, showCampaignName(name)] as const).sort(byLabel)}
        onChange={(value) => onChange({ campaign: value })}
      />
      <Choice
        label="Что"
        value={field}
        all="Что: любые поля"
        options={filterFields}
        onChange={(value) => onChange({ field: value })}
      />
      <Choice
        label="Откуда"
        value={source}
        all="Откуда угодно"
        options={sources.map((one) => [one, showSource(one)] as const)}
        onChange={(value) => onChange({ source: value })}
      />
    </>
  );
  return (
    <div className="z-journal-bar">
      <SearchBox value={search} onSearch={(text) => onChange({ search: text })} />
      {narrow && (
        <Button icon={<Filter size={14} />} aria-expanded={open} onClick={() => setOpen(!open)}>
          Фильтры{narrowed > 0 && `: ${narrowed}`}
        </Button>
      )}
      {(!narrow || open) && choices}
      {entity !== '' && (
        <Button icon={<Cross size={12} />} onClick={() => onChange({ entity: '' })}>
          Только одно: {showKind(entity.split(':', 1)[0] ?? '').toLowerCase()}
        </Button>
      )}
      {narrowed > 0 && (
        <button type="button" className="z-link" onClick={onReset}>
          Сбросить фильтры
        </button>
      )}
    </div>
  );
};
