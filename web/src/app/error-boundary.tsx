import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import { Button } from '../shared/ui/button.tsx';
import { EmptyState } from '../shared/ui/states.tsx';

interface State {
  readonly failed: boolean;
}

/** Keeps a crash of one part from taking the window with it. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <EmptyState
        level={1}
        icon={<ErrorIcon size={26} className="z-bad" />}
        title="Ошибка загрузки компонента"
        actions={<Button onClick={() => window.location.reload()}>Обновить страницу</Button>}
      >
        Попробуйте обновить страницу
      </EmptyState>
    );
  }
}
