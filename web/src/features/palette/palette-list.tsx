import type { RefObject } from 'react';
import { asGroup, asListbox, asOption } from '../../shared/ui/listbox-roles.ts';
import { asideOf, groupsOf, groupTitles, itemKey, itemTitle, type PaletteItem } from './palette-item.ts';

/** What stands beside an item; names in it give way to the sum at its end. */
const Aside = ({ text }: { readonly text: string | undefined }) => {
  if (text === undefined) return null;
  const end = text.endsWith('₽') ? Math.max(0, text.lastIndexOf(' · ')) : text.length;
  return (
    <small>
      <span>{text.slice(0, end)}</span>
      {end < text.length && <span className="z-palette-sum">{text.slice(end)}</span>}
    </small>
  );
};

/** What is listed, by groups; `id` with its place is the id of an item. */
export const PaletteList = ({
  id,
  list,
  items,
  at,
  onChoose,
  onSelect,
}: {
  readonly id: string;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly items: readonly PaletteItem[];
  /** Place of the active one. */
  readonly at: number;
  readonly onChoose: (index: number) => void;
  readonly onSelect: (item: PaletteItem) => void;
}) => (
  <div ref={list} {...asListbox} id={`${id}list`} className="z-palette-list" aria-label="Найденное">
    {groupsOf(items).map(({ group, items: ofGroup }) => (
      <div key={`${group} ${ofGroup[0]?.index}`} {...asGroup} aria-label={groupTitles[group]}>
        <div className="z-palette-group" aria-hidden="true">
          {groupTitles[group]}
        </div>
        {ofGroup.map(({ item, index }) => (
          <button
            type="button"
            key={itemKey(item)}
            id={`${id}${index}`}
            {...asOption(index === at)}
            className="z-palette-item"
            onPointerMove={() => onChoose(index)}
            onClick={() => onSelect(item)}
          >
            <span>{itemTitle(item)}</span>
            <Aside text={asideOf(item)} />
          </button>
        ))}
      </div>
    ))}
  </div>
);
