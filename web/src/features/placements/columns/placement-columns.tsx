import { FigureInColumn } from '../../../shared/table/figure-in-column.tsx';
import { type PlacementColumnId, placementFields } from '@zakup/contracts/placement-fields';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { fromRoubles, kopecks, toRoubles, type Kopecks } from '@zakup/domain/money';
import { noCreative } from '@zakup/domain/placement/events';
import { placementStatusLabels } from '@zakup/domain/placement/labels';
import { parsePostUrl } from '@zakup/domain/placement/remarks';
import { formatNumber } from '@zakup/domain/russian';
import { showPayment, showTopic } from '@zakup/domain/topics';
import type { CellEditor, ChoiceOption, CopiedCell, GridColumn } from '../../../shared/table/grid-column.ts';
import { parseLeads, parsePrice } from '../../../shared/form/number-input.ts';
import { Avatar } from '../../../shared/ui/avatar.tsx';
import { roubles } from '../../../shared/money/roubles.ts';
import { fieldOfColumn } from './field-columns.ts';
import { dayEditor, readPostUrl, resultBelow, withCurrent } from './placement-editors.tsx';
import { DayMark, PaymentMark, paymentClass, PostLink, RowCpl } from './placement-marks.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';
import { rowButton } from './row-button.tsx';
import type { Choices } from '../rows/use-choices.ts';

export interface ColumnDeps {
  readonly choices: Choices;
  /** Whether this row may be changed by this person now. */
  readonly editable: (row: PlacementRow) => boolean;
  readonly onOpenContractor: (row: PlacementRow) => void;
  readonly onEditNick: (row: PlacementRow) => void;
  readonly onEditComment: (row: PlacementRow) => void;
  readonly onTogglePayment: (row: PlacementRow) => void;
  readonly onHistory: (row: PlacementRow) => void;
  readonly onWhy: (row: PlacementRow) => void;
  readonly onRemove: (row: PlacementRow) => void;
}

const statusOptions: readonly ChoiceOption[] = Object.entries(placementStatusLabels).map(([value, label]) => ({
  value,
  label,
}));
const statusLabel = (status: string): string => statusOptions.find(({ value }) => value === status)?.label ?? status;

const cplOf = ({ decided }: PlacementRow): Kopecks =>
  costPerLead(fromRoubles(decided.price) ?? kopecks(0), decided.leads);
const text = (shown: string): CopiedCell => ({ kind: 'text', text: shown });

const priceOf = (row: PlacementRow): string => roubles(row.placement.price);
const leadsOf = (row: PlacementRow): string => formatNumber(row.placement.leads);

type Column = Omit<GridColumn<PlacementRow>, 'id' | 'header'>;
type Columns<Id extends PlacementColumnId> = { readonly [Name in Id]: Column };

/** An editor where the row may be changed, else none. */
const whenEditable =
  (editable: ColumnDeps['editable']) =>
  (make: (row: PlacementRow) => CellEditor) =>
  (row: PlacementRow): CellEditor | null =>
    editable(row) ? make(row) : null;

/** Which row it is: when, and with whom. */
const pinnedColumns = ({
  editable,
  onHistory,
  onOpenContractor,
  onEditNick,
}: ColumnDeps): Columns<'date' | 'contractor'> => {
  const when = whenEditable(editable);
  return {
    date: {
      width: 148,
      least: 144,
      grows: 189,
      most: 236,
      pinned: true,
      sortBy: (row) => row.placement.date,
      value: (row) => row.placement.date,
      copied: (row) => ({ kind: 'day', day: row.placement.date }),
      cell: (row) => (
        <>
          <DayMark day={row.placement.date} />
          {row.kind === 'stored' &&
            rowButton({
              icon: 'history',
              label: `История размещения ${row.nick}`,
              title: 'История размещения: Пробел на дате',
              onClick: () => onHistory(row),
            })}
        </>
      ),
      open: (row) => row.kind === 'stored' && onHistory(row),
      editor: when(dayEditor),
    },
    contractor: {
      width: 164,
      least: 110,
      pinned: true,
      dictionary: true,
      sortBy: (row) => row.nick.toLowerCase(),
      value: (row) => row.nick,
      copied: (row) => text(row.nick),
      cell: (row) => (
        <>
          <button
            type="button"
            tabIndex={-1}
            className="z-nick"
            data-hint={row.nick}
            disabled={row.kind === 'new'}
            onClick={() => onOpenContractor(row)}
          >
            {row.nick}
          </button>
          {editable(row) &&
            rowButton({ icon: 'edit', label: `Изменить ник ${row.nick}`, onClick: () => onEditNick(row) })}
        </>
      ),
      open: (row) => row.kind === 'stored' && onOpenContractor(row),
      editor: when((row) => ({ kind: 'dialog', open: () => onEditNick(row) })),
    },
  };
};

const figureColumns = ({ editable, onWhy }: ColumnDeps): Columns<'price' | 'leads' | 'cpl'> => {
  const when = whenEditable(editable);
  return {
    price: {
      width: 120,
      least: 90,
      align: 'end',
      sortBy: (row) => row.placement.price,
      value: (row) => row.placement.price,
      copied: (row) => ({ kind: 'number', value: row.placement.price }),
      figure: { of: priceOf, was: (price) => formatNumber(Number(price)) },
      cell: (row) => <FigureInColumn column="price">{priceOf(row)}</FigureInColumn>,
      editor: when((row) => ({
        kind: 'text',
        initial: String(row.placement.price),
        parse: parsePrice,
        popup: resultBelow(parsePrice, roubles),
        inputMode: 'decimal',
      })),
    },
    leads: {
      width: 64,
      align: 'end',
      sortBy: (row) => row.placement.leads,
      value: (row) => row.placement.leads,
      copied: (row) => ({ kind: 'number', value: row.placement.leads }),
      figure: { of: leadsOf, was: (leads) => formatNumber(Number(leads)) },
      cell: (row) => (
        <span className={row.placement.leads === 0 ? 'z-quiet' : undefined}>
          <FigureInColumn column="leads">{leadsOf(row)}</FigureInColumn>
        </span>
      ),
      editor: when((row) => ({
        kind: 'text',
        initial: String(row.placement.leads),
        parse: parseLeads,
        popup: resultBelow(parseLeads, formatNumber),
        inputMode: 'numeric',
      })),
    },
    cpl: {
      width: 120,
      least: 92,
      align: 'end',
      sortBy: cplOf,
      value: (row) => `${row.decided.price}/${row.decided.leads}`,
      copied: (row) => (row.decided.leads === 0 ? text('') : { kind: 'number', value: toRoubles(cplOf(row)) }),
      cell: (row) => <RowCpl row={row} tabIndex={-1} onWhy={onWhy} />,
      open: (row) => row.kind === 'stored' && onWhy(row),
    },
  };
};

/** What is chosen from a list. */
const chosenColumns = ({
  choices,
  editable,
}: ColumnDeps): Columns<'creative' | 'topic' | 'format' | 'buyer' | 'status'> => {
  const when = whenEditable(editable);
  return {
    creative: {
      width: 122,
      least: 72,
      grows: 170,
      dictionary: true,
      sortBy: (row) => row.creativeName,
      value: (row) => row.placement.creativeId,
      copied: (row) => text(row.creativeName),
      cell: (row) => (
        <span className={row.placement.creativeId === noCreative ? 'z-cut z-quiet' : 'z-cut'}>{row.creativeName}</span>
      ),
      editor: when((row) => ({
        kind: 'choice',
        value: row.placement.creativeId,
        options: withCurrent(choices.creatives, row.placement.creativeId, row.creativeName),
      })),
    },
    topic: {
      width: 110,
      least: 72,
      dictionary: true,
      sortBy: (row) => row.placement.category,
      value: (row) => row.placement.category,
      copied: (row) => text(showTopic(row.placement.category)),
      cell: (row) => <span className="z-cut z-second">{showTopic(row.placement.category)}</span>,
      editor: when((row) => ({
        kind: 'choice',
        value: row.placement.category,
        options: withCurrent(choices.topics, row.placement.category, row.placement.category),
      })),
    },
    format: {
      width: 60,
      least: 56,
      most: 72,
      sortBy: (row) => row.placement.format,
      value: (row) => row.placement.format,
      copied: (row) => text(row.placement.format),
      cell: (row) => <span className="z-second">{row.placement.format}</span>,
      editor: when((row) => ({
        kind: 'choice',
        value: row.placement.format,
        options: withCurrent(choices.formats, row.placement.format, row.placement.format),
      })),
    },
    buyer: {
      width: 110,
      least: 70,
      most: 150,
      dictionary: true,
      sortBy: (row) => row.buyerName,
      value: (row) => row.placement.buyerId,
      copied: (row) => text(row.buyerName),
      cell: (row) => (
        <span className="z-buyer" data-hint={row.buyerName}>
          <Avatar name={row.buyerName} id={row.placement.buyerId} size={20} />
          <span className="z-cut">{row.buyerName.split(' ')[0]}</span>
        </span>
      ),
      editor: when((row) => ({
        kind: 'choice',
        value: row.placement.buyerId,
        options: withCurrent(choices.buyers, row.placement.buyerId, row.buyerName),
      })),
    },
    status: {
      width: 150,
      dictionary: true,
      sortBy: (row) => statusLabel(row.placement.status),
      value: (row) => row.placement.status,
      copied: (row) => text(statusLabel(row.placement.status)),
      cell: (row) => <span className="z-cut z-second">{statusLabel(row.placement.status)}</span>,
      editor: when((row) => ({ kind: 'choice', value: row.placement.status, options: statusOptions })),
    },
  };
};

const paymentColumn = ({ editable, onTogglePayment }: ColumnDeps): Columns<'payment'> => {
  return {
    payment: {
      width: 112,
      least: 106,
      most: 140,
      sortBy: (row) => row.placement.paymentStatus,
      value: (row) => row.placement.paymentStatus,
      copied: (row) => text(showPayment(row.placement.paymentStatus)),
      cell: (row) =>
        editable(row) ? (
          <button
            type="button"
            tabIndex={-1}
            className={`${paymentClass(row.placement.paymentStatus)} z-pay-button`}
            aria-pressed={row.placement.paymentStatus === 'paid'}
            onClick={() => onTogglePayment(row)}
          >
            {showPayment(row.placement.paymentStatus)}
          </button>
        ) : (
          <PaymentMark status={row.placement.paymentStatus} />
        ),
      act: (row) => editable(row) && onTogglePayment(row),
      isSwitch: true,
    },
  };
};

const remarkColumns = ({ editable, onEditComment }: ColumnDeps): Columns<'comment' | 'post'> => {
  const when = whenEditable(editable);
  return {
    comment: {
      width: 170,
      least: 110,
      dictionary: true,
      sortBy: (row) => row.placement.comment,
      value: (row) => row.placement.comment,
      copied: (row) => text(row.placement.comment),
      cell: ({ placement: { comment } }) => (
        <span className="z-cut z-second" data-hint={comment}>
          {comment}
        </span>
      ),
      editor: when((row) => ({ kind: 'dialog', open: () => onEditComment(row) })),
    },
    post: {
      width: 130,
      least: 100,
      sortBy: (row) => row.placement.postUrl ?? '',
      value: (row) => row.placement.postUrl,
      copied: (row) => text(row.placement.postUrl ?? ''),
      cell: ({ placement: { postUrl } }) => postUrl !== null && <PostLink url={postUrl} tabIndex={-1} />,
      open: ({ placement: { postUrl } }) => {
        const post = postUrl === null ? null : parsePostUrl(postUrl);
        if (post !== null) window.open(post, '_blank', 'noreferrer');
      },
      editor: when((row) => ({
        kind: 'text',
        initial: row.placement.postUrl ?? '',
        parse: readPostUrl,
        inputMode: 'text',
      })),
    },
  };
};

const deleteColumn = ({ editable, onRemove }: ColumnDeps): GridColumn<PlacementRow> => ({
  id: 'delete',
  header: 'Удаление',
  quiet: true,
  fixed: true,
  width: 28,
  least: 24,
  most: 32,
  align: 'end',
  value: () => null,
  cell: (row) =>
    editable(row) &&
    rowButton({ icon: 'trash', label: `Удалить размещение ${row.nick}`, onClick: () => onRemove(row) }),
  act: (row) => editable(row) && onRemove(row),
});

/** The columns of the fields, those of TABLE-1 first; status, comment and post are shown only when asked for. A field without its column does not compile. */
export const placementColumns = (deps: ColumnDeps): readonly GridColumn<PlacementRow>[] => {
  const ofFields: Columns<PlacementColumnId> = {
    ...pinnedColumns(deps),
    ...figureColumns(deps),
    ...chosenColumns(deps),
    ...paymentColumn(deps),
    ...remarkColumns(deps),
  };
  return [
    ...[...fieldOfColumn].map(([column, field]) => ({
      id: column,
      header: placementFields[field].label,
      ...ofFields[column as PlacementColumnId],
    })),
    deleteColumn(deps),
  ];
};
