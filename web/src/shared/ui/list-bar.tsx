import { Search } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { EmptyState } from './states.tsx';
import './list-bar.css';

/** What narrows a list, side by side; a button stands at the right. */
export const ListBar = ({ children }: { readonly children: ReactNode }) => <div className="z-list-bar">{children}</div>;

/** A search that narrows what is on the screen. */
export const SearchField = ({
  label,
  placeholder,
  maxLength,
  value,
  onChange,
}: {
  /** For those who do not see what it stands above. */
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength?: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => (
  <label className="z-search">
    <Search size={14} />
    <input
      className="z-input"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      maxLength={maxLength}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </label>
);

/** One of a few parts of a list, each a button with its name. */
export const Switch = <Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, name: string])[];
  readonly onChange: (value: Value) => void;
}) => (
  <fieldset className="z-switch" aria-label={label}>
    {options.map(([one, name]) => (
      <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
        {name}
      </button>
    ))}
  </fieldset>
);

/** The filters let nothing through. */
export const NothingFound = ({ onReset }: { readonly onReset: () => void }) => (
  <EmptyState title="Ничего не найдено" actions={<Button onClick={onReset}>Сбросить фильтры</Button>} />
);
