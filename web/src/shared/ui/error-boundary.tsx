import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import { Button } from './button.tsx';
import { EmptyState } from './states.tsx';

/** Of a part that crashed or did not come (VIEW-7). */
export const failedTitle = 'Ошибка загрузки компонента';
/** What to do about it. */
export const failedHint = 'Попробуйте обновить страницу';

const FailedScreen = () => (
  <EmptyState
    level={1}
    icon={<ErrorIcon size={26} className="z-bad" />}
    title={failedTitle}
    actions={<Button onClick={() => window.location.reload()}>Обновить страницу</Button>}
  >
    {failedHint}
  </EmptyState>
);

/** Stands in the place of a card, a chart or the inside of a popover. */
export const FailedPart = ({
  onRetry,
  onClose,
}: {
  readonly onRetry: () => void;
  /** Where the part is one that is closed. */
  readonly onClose?: () => void;
}) => (
  <div className="z-state z-state-part" role="alert">
    <b>{failedTitle}</b>
    <div className="z-state-text">{failedHint}</div>
    <div className="z-state-actions">
      <Button onClick={onRetry}>Повторить</Button>
      <Button onClick={() => window.location.reload()}>Обновить страницу</Button>
      {onClose !== undefined && <Button onClick={onClose}>Закрыть</Button>}
    </div>
  </div>
);

/** Stands in the place of a button of the top bar. */
export const FailedButton = ({ onRetry }: { readonly onRetry: () => void }) => (
  <Button
    look="plain"
    icon={<ErrorIcon size={15} className="z-bad" />}
    aria-label={`${failedTitle}. Повторить`}
    title={`${failedTitle}. Повторить`}
    onClick={onRetry}
  />
);

interface Props {
  readonly children: ReactNode;
  /** A part of a screen rather than the whole of it. */
  readonly small?: boolean;
  /** What stands there in place of either; `retry` draws the children anew. */
  readonly renderFailed?: (retry: () => void) => ReactNode;
  readonly onFailed?: () => void;
}

interface State {
  readonly failed: boolean;
}

/** Keeps a crash of one part from taking the window with it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
    this.props.onFailed?.();
  }

  private readonly retry = (): void => this.setState({ failed: false });

  override render(): ReactNode {
    const { children, small = false, renderFailed } = this.props;
    if (!this.state.failed) return children;
    if (renderFailed) return renderFailed(this.retry);
    return small ? <FailedPart onRetry={this.retry} /> : <FailedScreen />;
  }
}
