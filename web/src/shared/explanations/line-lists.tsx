import { Menu, MenuItem } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { useState } from 'react';
import { problemText } from '../api/api-problem.ts';
import { toasts } from '../toasts/toasts.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { MenuButton } from '../ui/menu-button.tsx';
import { type Lineage, useLineageFile } from './lineage.ts';

/** What lists of lines have in common, whatever their lines are of. */

/** The way to the lines that have not come yet. */
export const MoreLines = ({
  rest,
  isFetching,
  error,
  onMore,
}: {
  /** How many there still are. */
  readonly rest: number;
  readonly isFetching: boolean;
  readonly error: unknown;
  readonly onMore: () => void;
}) => (
  <div className="z-why-more">
    <LoadMore among="lines" rest={rest} busy={isFetching} onMore={onMore} />
    {error !== null && !isFetching && (
      <span className="z-bad" role="alert">
        {problemText(error)}
      </span>
    )}
  </div>
);

/** All lines, counted and not, as a file. */
export const LinesFile = ({ about }: { readonly about: Lineage }) => {
  const download = useLineageFile(about);
  const [busy, setBusy] = useState(false);
  const take = async (format: 'csv' | 'xlsx'): Promise<void> => {
    setBusy(true);
    try {
      await download(format);
    } catch (thrown) {
      toasts.error(problemText(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <MenuButton
      className="z-link z-why-file"
      aria-busy={busy}
      menu={
        <Menu>
          <MenuItem text="Excel" disabled={busy} onClick={() => void take('xlsx')} />
          <MenuItem text="CSV" disabled={busy} onClick={() => void take('csv')} />
        </Menu>
      }
    >
      <Download size={13} />
      {busy ? 'Скачивается' : 'Скачать строки'}
    </MenuButton>
  );
};
