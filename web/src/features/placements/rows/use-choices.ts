import { useMemo } from 'react';
import { noCreative } from '@zakup/domain/placement/events';
import { formats, topics } from '@zakup/domain/topics';
import type { ChoiceOption } from '../../../shared/table/grid-column.ts';
import { useDocs } from '../../../shared/replica/replica-context.tsx';
import { withoutCreative } from './placement-row.ts';
import { useContractorNicks, useCreativeNames } from './use-placement-rows.ts';

export interface Choices {
  /** Active media buyers and team leads. */
  readonly buyers: readonly ChoiceOption[];
  /** Active creatives, the absent one first. */
  readonly creatives: readonly ChoiceOption[];
  readonly formats: readonly ChoiceOption[];
  readonly topics: readonly ChoiceOption[];
  /** Nicks of active contractors, as spelled. */
  readonly nicks: readonly string[];
}

const asOptions = (values: readonly string[]): readonly ChoiceOption[] =>
  values.map((value) => ({ value, label: value }));
const byLabel = (a: ChoiceOption, b: ChoiceOption): number => a.label.localeCompare(b.label, 'ru');

const formatOptions = asOptions(formats);
const topicOptions = asOptions(topics);

export const useChoices = (): Choices => {
  const users = useDocs('user');
  const creatives = useCreativeNames();
  const contractors = useContractorNicks();
  return useMemo(
    () => ({
      buyers: users
        .filter((user) => user.isActive && (user.role === 'MEDIA_BUYER' || user.role === 'TEAM_LEAD'))
        .map((user) => ({ value: user.id, label: user.name }))
        .sort(byLabel),
      creatives: [
        { value: noCreative, label: withoutCreative },
        ...creatives
          .filter((creative) => creative.isActive)
          .map((creative) => ({ value: creative.id, label: creative.name }))
          .sort(byLabel),
      ],
      formats: formatOptions,
      topics: topicOptions,
      nicks: contractors
        .filter((contractor) => contractor.isActive)
        .map((contractor) => contractor.adminUsername)
        .sort((a, b) => a.localeCompare(b, 'ru')),
    }),
    [users, creatives, contractors],
  );
};
