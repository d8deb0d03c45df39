import { Button } from '../shared/ui/button.tsx';
import { EmptyState } from '../shared/ui/states.tsx';
import { useTitle } from '../shared/moment/use-title.ts';
import { useGo } from '../shared/ui/use-go.ts';

export const NotFoundPage = () => {
  const go = useGo();
  useTitle('Страница не найдена');
  return (
    <EmptyState
      level={1}
      title="Страница не найдена"
      actions={
        <Button look="primary" onClick={() => go('/dashboard')}>
          На дашборд
        </Button>
      }
    >
      Адрес набран с ошибкой или раздел переехал.
    </EmptyState>
  );
};
