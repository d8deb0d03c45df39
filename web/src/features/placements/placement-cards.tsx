import { Avatar } from '../../shared/ui/avatar.tsx';
import { formatNumber } from '@zakup/domain/russian';
import { showTopic } from '@zakup/domain/topics';
import { markOf } from './cell-notes.tsx';
import { CplMark, DayMark, PaymentMark } from './placement-marks.tsx';
import { StandingMark } from './watchers.tsx';
import type { CellColleague } from '../../shared/table/grid-column.ts';
import type { Names, PlacementRow } from './placement-rows.ts';
import type { Outbox } from '../../shared/outbox/outbox.ts';
import { roubles } from './placement-commands.ts';

const columns = ['contractor', 'date', 'price', 'leads', 'creative', 'topic', 'format', 'buyer', 'payment', 'delete'];

export interface PlacementCardsProps {
  readonly rows: readonly PlacementRow[];
  readonly names: Names;
  readonly outbox: Outbox;
  /** The others, by the row in which they stand. */
  readonly colleagues: ReadonlyMap<string, readonly CellColleague[]>;
  readonly editable: (row: PlacementRow) => boolean;
  readonly onOpenContractor: (row: PlacementRow) => void;
  readonly onEdit: (row: PlacementRow) => void;
  readonly onTogglePayment: (row: PlacementRow) => void;
  readonly onHistory: (row: PlacementRow) => void;
  readonly onRemove: (row: PlacementRow) => void;
}

/** Placements on a narrow screen, newest first. */
export const PlacementCards = ({
  rows,
  names,
  outbox,
  colleagues,
  editable,
  onOpenContractor,
  onEdit,
  onTogglePayment,
  onHistory,
  onRemove,
}: PlacementCardsProps) => (
  <ul className="z-cards" aria-label="Размещения">
    {rows.map((row) => {
      const { placement } = row;
      const marks = columns.map((column) => ({ column, mark: markOf(row, column, names, outbox) }));
      const unsent = marks.some(({ mark }) => mark !== null);
      return (
        <li key={row.id} className="z-card" data-row={row.id} data-unsent={unsent || undefined}>
          <div className="z-card-body">
            <div className="z-card-line">
              <DayMark day={placement.date} />
              <PaymentMark status={placement.paymentStatus} />
            </div>
            <div className="z-card-line">
              <button
                type="button"
                className="z-nick z-card-nick"
                disabled={row.kind === 'new'}
                onClick={() => onOpenContractor(row)}
              >
                {row.nick}
              </button>
              <StandingMark colleagues={colleagues.get(row.id)} />
              <span className="z-buyer">
                <Avatar name={row.buyerName} id={placement.buyerId} size={20} />
                {row.buyerName.split(' ')[0]}
              </span>
            </div>
            <dl className="z-card-figures">
              <div>
                <dt>Цена</dt>
                <dd>{roubles(placement.price)}</dd>
              </div>
              <div>
                <dt>Приход</dt>
                <dd>{formatNumber(placement.leads)}</dd>
              </div>
              <div>
                <dt>CPL</dt>
                <dd>
                  {placement.leads === 0 && <span className="z-card-none">лидов пока нет</span>}
                  <CplMark price={placement.price} leads={placement.leads} />
                </dd>
              </div>
            </dl>
            <div className="z-second">
              {row.creativeName} · {showTopic(placement.category)} · {placement.format}
            </div>
          </div>
          {marks.map(
            ({ column, mark }) =>
              mark?.note && (
                <div key={column} className={`z-card-note z-card-${mark.kind}`}>
                  {mark.note}
                </div>
              ),
          )}
          {row.kind === 'stored' && (
            <div className="z-card-actions">
              {editable(row) && (
                <>
                  <button type="button" onClick={() => onEdit(row)}>
                    Изменить
                  </button>
                  <button type="button" onClick={() => onTogglePayment(row)}>
                    {placement.paymentStatus === 'paid' ? 'Не оплачено' : 'Оплачено'}
                  </button>
                </>
              )}
              <button type="button" onClick={() => onHistory(row)}>
                История
              </button>
              {editable(row) && (
                <button type="button" onClick={() => onRemove(row)}>
                  Удалить
                </button>
              )}
            </div>
          )}
        </li>
      );
    })}
  </ul>
);
