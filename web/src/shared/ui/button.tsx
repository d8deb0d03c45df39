import type { ComponentPropsWithRef, ReactNode } from 'react';

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  /** `primary` once a view; `plain` has no border; `danger` asks before it destroys. Default: bordered. */
  readonly look?: 'primary' | 'plain' | 'danger';
  /** 26 instead of 30 px. */
  readonly small?: boolean;
  readonly icon?: ReactNode;
  /** Key shown at the right, such as `Ctrl ↵`. */
  readonly hotkey?: string;
}

/** Our button: 30 px, `type="button"` unless said otherwise. A button without children needs `aria-label`. */
export const Button = ({ look, small, icon, hotkey, children, className, type, ...rest }: ButtonProps) => (
  <button
    {...rest}
    type={type ?? 'button'}
    className={[
      'z-button',
      look && `z-button-${look}`,
      small && 'z-button-small',
      !children && 'z-button-icon',
      className,
    ]
      .filter(Boolean)
      .join(' ')}
  >
    {icon}
    {children}
    {hotkey !== undefined && <kbd>{hotkey}</kbd>}
  </button>
);
