import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';
import { ServerMark } from './server-mark.tsx';
import './entry-page.css';

/** A page before the frame: mark and title, a column of 360 px, below it the version and whether the server answers. */
export const EntryPage = ({
  title,
  children,
  below,
  quiet = false,
  covered = false,
}: {
  readonly title: string;
  readonly children: ReactNode;
  /** Under a line, below the form. */
  readonly below?: ReactNode;
  /** The mark without accent, for the administration. */
  readonly quiet?: boolean;
  /** A dialog lies over it: out of reach of keyboard and screen reader. */
  readonly covered?: boolean;
}) => (
  <div className="z-entry" inert={covered}>
    <main className="z-entry-card">
      <h1>
        <Logo quiet={quiet} />
        {title}
      </h1>
      {children}
      {below !== undefined && <div className="z-entry-below">{below}</div>}
    </main>
    <footer className="z-entry-foot">
      <span>Версия {__APP_VERSION__}</span>
      <ServerMark />
    </footer>
  </div>
);
