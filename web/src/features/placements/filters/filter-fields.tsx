import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { useMemo, useState } from 'react';
import { formats, showPayment, topics } from '@zakup/domain/topics';
import { noCreative } from '@zakup/domain/placement/events';
import { placementStatusLabels } from '@zakup/domain/placement/labels';
import { DayField } from '../../../shared/day/day-field.tsx';
import { useDoc, useDocs, useDrawn } from '../../../shared/replica/replica-context.tsx';
import { NumberField } from '../../../shared/form/number-field.tsx';
import { parseRoubles } from '@zakup/domain/money';
import { readLeads } from '@zakup/domain/leads';
import { messages } from '@zakup/domain/messages';
import { Field } from '../../../shared/ui/field.tsx';
import { valueCounter } from '../../../shared/table/incremental-list.ts';
import { MultiSelectField } from '../../../shared/ui/multi-select-field.tsx';
import { SelectField, type SelectOption } from '../../../shared/ui/select-field.tsx';
import { anyStatus } from '@zakup/domain/views/view-parameters';
import { type FilterName, type ListFilter, type PlacementFilters } from './placement-filters.ts';
import { withoutCreative } from '../rows/placement-row.ts';
import { useContractorNicks } from '../rows/use-placement-rows.ts';

const asOptions = (values: readonly string[]): readonly SelectOption[] => values.map((value) => [value, value]);
const byLabel = (a: SelectOption, b: SelectOption): number => a[1].localeCompare(b[1], 'ru');
const payments: readonly SelectOption[] = ['paid', 'unpaid'].map((status) => [status, showPayment(status)]);
const asOption = ({ id, name }: { readonly id: string; readonly name: string }): SelectOption => [id, name];

const statuses: readonly SelectOption[] = [[anyStatus, 'Все'], ...Object.entries(placementStatusLabels)];

/** All of them stand alone: who takes one more takes that one only, and the other way round. */
const chosenStatuses = (before: readonly string[], chosen: readonly string[]): readonly string[] => {
  if (!chosen.includes(anyStatus)) return chosen;
  return before.includes(anyStatus) ? chosen.filter((status) => status !== anyStatus) : [anyStatus];
};

export interface FilterFieldsProps {
  readonly campaignId: string;
  readonly contractorId: string | null;
  readonly onContractor: (id: string | null) => void;
  readonly filters: PlacementFilters;
  readonly onChange: (change: Partial<PlacementFilters>) => void;
}

/** The contractors of a campaign's placements by nick; their rows are looked at anew only when one of them changed. */
const useContractorOptions = (campaignId: string): readonly SelectOption[] => {
  const placements = useDocs('placement', { scope: `campaign:${campaignId}` });
  const contractors = useContractorNicks();
  const [idsOf] = useState(() => valueCounter((placement: PlacementWire) => placement.contractorId));
  const drawn = useDrawn(`campaign:${campaignId}`);
  // Of a load that is on its way the figures were there first.
  const analytics = useDoc('analytics', campaignId);
  const used = useMemo(
    () => (drawn ? idsOf(placements) : new Set(analytics?.byContractor.map(({ contractorId: id }) => id))),
    [drawn, analytics, idsOf, placements],
  );
  return useMemo(
    () =>
      contractors
        .filter(({ id }) => used.has(id))
        .map(({ id, adminUsername }): SelectOption => [id, adminUsername])
        .sort(byLabel),
    [contractors, used],
  );
};

/** Everything that narrows the table but the search; what is chosen counts at once. */
export const FilterFields = ({ campaignId, filters, contractorId, onContractor, onChange }: FilterFieldsProps) => {
  const contractors = useContractorOptions(campaignId);
  const users = useDocs('user');
  const creatives = useDocs('creative');
  const list = (name: ListFilter) => ({
    values: filters[name],
    onChange: (values: readonly string[]) =>
      onChange({ [name]: name === 'status' ? chosenStatuses(filters.status, values) : values }),
  });
  const filter = (name: Exclude<FilterName, ListFilter>) => ({
    value: filters[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  const amount = (name: 'priceFrom' | 'priceTo' | 'cplFrom' | 'cplTo') => ({
    ...filter(name),
    error: parseRoubles(filters[name]) === null ? messages.priceInvalid : null,
    inputMode: 'decimal' as const,
    autoComplete: 'off',
  });
  const leads = (name: 'leadsFrom' | 'leadsTo') => ({
    ...filter(name),
    error: filters[name].trim() !== '' && readLeads(filters[name].trim()) === null ? messages.leadsInvalid : null,
    inputMode: 'numeric' as const,
    autoComplete: 'off',
  });
  return (
    <div className="z-filter-fields">
      <SelectField
        label="Контрагент"
        value={contractorId ?? ''}
        options={[['', 'Любой'], ...contractors]}
        onChange={(id) => onContractor(id === '' ? null : id)}
      />
      <MultiSelectField
        label="Байер"
        blank="Любой"
        options={users
          .filter(({ role }) => role === 'MEDIA_BUYER' || role === 'TEAM_LEAD')
          .map(asOption)
          .sort(byLabel)}
        {...list('buyerId')}
      />
      <MultiSelectField
        label="Креатив"
        blank="Любой"
        options={[[noCreative, withoutCreative], ...creatives.map(asOption).sort(byLabel)]}
        {...list('creativeId')}
      />
      <MultiSelectField label="Тематика" blank="Любая" options={asOptions(topics)} {...list('category')} />
      <MultiSelectField label="Формат" blank="Любой" options={asOptions(formats)} {...list('format')} />
      <MultiSelectField label="Оплата" blank="Любая" options={payments} {...list('paymentStatus')} />
      <MultiSelectField label="Статус" blank="Кроме снятых раньше срока" options={statuses} {...list('status')} />
      <Field label="Дата с">{(control) => <DayField {...control} {...filter('dateFrom')} />}</Field>
      <Field label="Дата по">{(control) => <DayField {...control} {...filter('dateTo')} />}</Field>
      <NumberField label="Цена от, ₽" {...amount('priceFrom')} />
      <NumberField label="Цена до, ₽" {...amount('priceTo')} />
      <NumberField label="Приход от" {...leads('leadsFrom')} />
      <NumberField label="Приход до" {...leads('leadsTo')} />
      <NumberField label="CPL от, ₽" {...amount('cplFrom')} />
      <NumberField label="CPL до, ₽" {...amount('cplTo')} />
    </div>
  );
};
