import { parsePriceExpression } from '@zakup/domain/amount-expression';
import { parseDay } from '@zakup/domain/calendar';
import { messages } from '@zakup/domain/messages';
import { formatRoubles, kopecks } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import type { FormEvent } from 'react';
import { DayField } from '../../../shared/day/day-field.tsx';
import { showPeriod } from '../../../shared/day/shown-day.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { maxBatchSize } from '../../../shared/outbox/batch.ts';
import { useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import { useDrawn } from '../../../shared/replica/replica-context.tsx';
import { LiveRegion } from '../../../shared/toasts/live-region.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { useSession } from '../../../shared/session/session-context.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { SelectField, type SelectOption } from '../../../shared/ui/select-field.tsx';
import { Skeleton } from '../../../shared/ui/states.tsx';
import { fieldText } from '../rows/placement-commands.ts';
import type { Names } from '../rows/placement-row.ts';
import { addForms, placementsText } from '../rows/row-commands.ts';
import type { CampaignPlacements } from '../rows/use-campaign-placements.ts';
import { RepeatedLines } from './repeated-lines.tsx';
import { type RepeatedWeek, useRepeatedWeek } from './use-repeated-week.ts';
import './repeat-week-dialog.css';

/** Which week, whose purchases, and on which days they are made again. */
const Choices = ({ repeated, names }: { readonly repeated: RepeatedWeek; readonly names: Names }) => {
  const { today, weeks, week, buyerIds, buyerId, day, change } = repeated;
  const others = new Set([...buyerIds, ...(buyerId === '' ? [] : [buyerId])]);
  return (
    <div className="z-form-row z-repeat-choices">
      <SelectField
        label="Неделя"
        value={String(week)}
        options={weeks.map(
          ({ week: { from, to }, count }, at): SelectOption => [
            String(at),
            `${showPeriod(from, to)}: ${placementsText(count)}`,
          ],
        )}
        onChange={(at) => change({ week: Number(at) })}
      />
      {others.size > 1 && (
        <SelectField
          label="Чьи покупки"
          value={buyerId}
          options={[['', 'Все'], ...[...others].map((id): SelectOption => [id, fieldText('buyerId', id, names)])]}
          onChange={(id) => change({ buyerId: id })}
        />
      )}
      <SelectField
        label="Новые даты"
        value={day === null ? '' : 'day'}
        options={[
          ['', `Те же дни недели, ${showPeriod(today, null)}`],
          ['day', 'Один день для всех'],
        ]}
        onChange={(choice) => change({ day: choice === '' ? null : today })}
      />
      {day !== null && (
        <Field label="День" error={parseDay(day) === null ? messages.dateInvalid : null}>
          {(control) => <DayField {...control} value={day} onChange={(next) => change({ day: next })} />}
        </Field>
      )}
    </div>
  );
};

/** How many are ticked and for how much, and one button over all ticks. */
const Summary = ({ repeated: { lines, forms, tick } }: { readonly repeated: RepeatedWeek }) => {
  const sum = forms.reduce((total, { price }) => total + (parsePriceExpression(price) ?? 0), 0);
  const possible = lines.filter(({ form }) => form !== null).map(({ row }) => row.id);
  return (
    <div className="z-repeat-summary">
      <LiveRegion>
        {`Отмечено ${formatNumber(forms.length)} из ${formatNumber(lines.length)} на ${formatRoubles(kopecks(sum))}`}
      </LiveRegion>
      <Button small disabled={possible.length === 0} onClick={() => tick(possible, forms.length === 0)}>
        {forms.length === 0 ? 'Отметить все' : 'Снять все'}
      </Button>
    </div>
  );
};

const Purchases = ({ repeated, names }: { readonly repeated: RepeatedWeek; readonly names: Names }) =>
  repeated.lines.length === 0 ? (
    <p className="z-quiet">
      {repeated.weeks.every(({ count }) => count === 0)
        ? 'За последние четыре недели покупок нет.'
        : 'За эту неделю покупок нет: выберите другую.'}
    </p>
  ) : (
    <>
      <Summary repeated={repeated} />
      <RepeatedLines repeated={repeated} names={names} />
    </>
  );

/** The purchases of a past week as new ones: what is ticked is added as one command. */
export const RepeatWeekDialog = ({
  placements,
  onClose,
}: {
  readonly placements: CampaignPlacements;
  readonly onClose: () => void;
}) => {
  const { campaignId, names, rows, settled, preview } = placements;
  const outbox = useOutbox();
  const { person } = useSession();
  const drawn = useDrawn(`campaign:${campaignId}`);
  const repeated = useRepeatedWeek(placements);
  const { forms, lines, day, dirty } = repeated;
  const isTooMany = forms.length > maxBatchSize;
  const isWrong = lines.some(({ isTicked, priceError }) => isTicked && priceError !== null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (forms.length === 0 || isTooMany || isWrong) return;
    void addForms(forms, 'Повтор недели', { outbox, placements, personId: person.id });
    onClose();
  };
  return (
    <FormDialog
      title="Повторить прошлую неделю"
      save={forms.length === 0 ? 'Добавить' : `Добавить ${placementsText(forms.length)}`}
      width={960}
      dirty={dirty}
      disabled={forms.length === 0 || isTooMany || isWrong || (day !== null && parseDay(day) === null)}
      problem={isTooMany ? `За один раз добавляется не больше ${formatNumber(maxBatchSize)}` : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="z-form">
        {settled && preview === null && (drawn || rows.length > 0) ? (
          <>
            <Choices repeated={repeated} names={names} />
            <Purchases repeated={repeated} names={names} />
          </>
        ) : (
          <Skeleton rows={6} label="Загрузка размещений" />
        )}
      </div>
    </FormDialog>
  );
};
