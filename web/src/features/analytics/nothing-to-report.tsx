import { may } from '@zakup/domain/permissions';
import { useAsker } from '../../shared/live/use-may.ts';
import { Button } from '../../shared/ui/button.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { useGo } from '../../shared/ui/use-go.ts';

const states = {
  channel: {
    title: 'Каналов ещё нет',
    hint: 'Создайте канал и кампанию в настройках: отчёт появится здесь.',
    button: 'Создать канал',
    tab: 'channels',
  },
  campaign: {
    title: 'Кампаний ещё нет',
    hint: 'Создайте кампанию в настройках: отчёт появится здесь.',
    button: 'Создать кампанию',
    tab: 'campaigns',
  },
} as const;

/** The whole screen of a team that has no channel or no campaign yet; who may create one is led there. */
export const NothingToReport = ({ missing }: { readonly missing: keyof typeof states }) => {
  const go = useGo();
  const asker = useAsker();
  const mayCreate = asker !== null && may(asker, `${missing}.create`).allowed;
  const { title, hint, button, tab } = states[missing];
  return (
    <EmptyState
      level={1}
      title={title}
      actions={
        mayCreate ? (
          <Button look="primary" onClick={() => go(`/settings?tab=${tab}`)}>
            {button}
          </Button>
        ) : undefined
      }
    >
      {hint}
    </EmptyState>
  );
};
