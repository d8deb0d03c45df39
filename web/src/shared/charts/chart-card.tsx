import { Download } from '@blueprintjs/icons';
import { Menu, MenuItem } from '@blueprintjs/core';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { type CsvCell, csvOf } from '../export/csv.ts';
import { pngOf } from '../export/picture.ts';
import { saveFile } from '../export/save-file.ts';
import { toasts } from '../toasts/toasts.ts';
import { DataTable } from '../table/data-table.tsx';
import { asScrollable } from '../ui/as-scrollable.ts';
import { MenuButton } from '../ui/menu-button.tsx';
import { Skeleton } from '../ui/states.tsx';
import './chart-card.css';

export interface ChartTable {
  readonly header: readonly string[];
  /** Numbers as numbers: in the file they are counted with. */
  readonly rows: readonly (readonly CsvCell[])[];
  /** How a cell reads on screen. */
  readonly show: (cell: CsvCell, column: number, row: number) => ReactNode;
}

/** Stands in the place of a picture until its code comes. `height`: px, no more than the picture's. */
export const chartWaiting = (height: number): ReactNode => (
  <Skeleton rows={1} height={height} label="Загрузка графика" />
);

/** The place of a picture, and whether it has a size: a chart asks for it at once, and complains of one without. */
const usePicture = () => {
  const [picture, setPicture] = useState<HTMLDivElement | null>(null);
  const [laidOut, setLaidOut] = useState(false);
  useEffect(() => {
    if (picture === null) return undefined;
    const look = (): void => setLaidOut(picture.clientWidth > 0);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(picture);
    return () => observer.disconnect();
  }, [picture]);
  return { picture, setPicture, laidOut };
};

const ChartMenu = ({
  title,
  fileName,
  table,
  picture,
  asTable,
  onTable,
}: {
  readonly title: string;
  /** Without ending. */
  readonly fileName: string;
  readonly table: ChartTable;
  readonly picture: HTMLElement | null;
  readonly asTable: boolean;
  readonly onTable: (asTable: boolean) => void;
}) => {
  const savePng = async (): Promise<void> => {
    const chart = picture?.querySelector('svg.recharts-surface');
    if (!(chart instanceof SVGSVGElement)) throw new Error('The picture is not drawn yet');
    saveFile(`${fileName}.png`, await pngOf(chart));
  };
  return (
    <MenuButton
      className="z-button z-button-plain z-button-icon"
      aria-label={`${title}: таблица и файлы`}
      menu={
        <Menu>
          <MenuItem text={asTable ? 'Показать картинкой' : 'Показать таблицей'} onClick={() => onTable(!asTable)} />
          {!asTable && (
            <MenuItem
              text="Сохранить картинку (PNG)"
              onClick={() => {
                savePng().catch(() => toasts.error('Картинка не сохранилась. Попробуйте таблицу (CSV)'));
              }}
            />
          )}
          <MenuItem
            text="Сохранить таблицу (CSV)"
            onClick={() =>
              saveFile(
                `${fileName}.csv`,
                new Blob([csvOf(table.header, table.rows)], { type: 'text/csv;charset=utf-8' }),
              )
            }
          />
        </Menu>
      }
    >
      <Download size={14} />
    </MenuButton>
  );
};

const ChartRows = ({
  title,
  table,
  height,
}: {
  readonly title: string;
  readonly table: ChartTable;
  readonly height: number;
}) => (
  <div className="z-table-scroll z-chart-table" style={{ maxHeight: height }} {...asScrollable(`${title}: таблица`)}>
    <DataTable
      className="z-table"
      label={title}
      columns={table.header.map((name, at) => ({
        id: name,
        header: name,
        ...(at > 0 && { align: 'right' as const }),
        cell: (row: readonly CsvCell[], index: number) => table.show(row[at] ?? null, at, index),
      }))}
      rows={table.rows}
      rowId={(row, index) => `${row[0]} ${index}`}
    />
  </div>
);

/** A picture with its finding above it; behind it the same as a table, and both as files. */
export const ChartCard = ({
  title,
  finding,
  legend,
  fileName,
  table,
  height,
  tableFirst,
  aside,
  inDialog = false,
  children,
}: {
  readonly title: string;
  readonly finding: string;
  readonly legend?: ReactNode;
  /** Without ending. */
  readonly fileName: string;
  readonly table: ChartTable;
  /** Of the picture, in px: the card has it before the picture is there. */
  readonly height: number;
  /** The table as people look at it first, in place of the plain one; the picture is then one step away. */
  readonly tableFirst?: ReactNode;
  readonly aside?: ReactNode;
  /** Without a frame, and with a heading below the dialog's. */
  readonly inDialog?: boolean;
  readonly children: ReactNode;
}) => {
  const [asTable, setAsTable] = useState(tableFirst !== undefined);
  const { picture, setPicture, laidOut } = usePicture();
  const Heading = inDialog ? 'h3' : 'h2';
  const id = useId();
  const findingId = useId();
  return (
    <section
      className={inDialog ? 'z-chart z-chart-bare' : 'z-panel z-chart'}
      aria-labelledby={id}
      {...(finding !== '' && { 'aria-describedby': findingId })}
    >
      <header className="z-chart-head">
        <Heading id={id}>{title}</Heading>
        {legend !== undefined && !asTable && <div className="z-chart-legend">{legend}</div>}
        {aside !== undefined && <span className="z-secondary">{aside}</span>}
        <ChartMenu
          title={title}
          fileName={fileName}
          table={table}
          picture={picture}
          asTable={asTable}
          onTable={setAsTable}
        />
      </header>
      {finding !== '' && (
        <p id={findingId} className="z-chart-finding">
          {finding}
        </p>
      )}
      {asTable && tableFirst !== undefined ? (
        tableFirst
      ) : asTable ? (
        <ChartRows title={title} table={table} height={height} />
      ) : (
        <div ref={setPicture} className="z-chart-picture" style={{ height }}>
          {laidOut && children}
        </div>
      )}
    </section>
  );
};
