import type { ReactNode } from 'react';
import { useMoment } from './moment-context.ts';

/** What is of now beside what is of then: it says so, and nothing else on the screen may be. */
export const OfNow = ({ children }: { readonly children: ReactNode }) => <span data-now="">сейчас {children}</span>;

/** «сейчас» before what has no past; nothing where the screen shows now anyway. */
export const NowWord = () => (useMoment() === null ? null : <span className="z-quiet">сейчас:</span>);

/** What is shown only while the screen shows now. */
export const OnlyNow = ({ children }: { readonly children: ReactNode }) => (useMoment() === null ? children : null);
