import { PopoverNext } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import './why.css';

/** A figure that explains itself: dotted underline, the calculation on click. */
export const Figure = ({
  children,
  formula,
  label,
}: {
  readonly children: ReactNode;
  readonly formula: ReactNode;
  readonly label: string;
}) => (
  <PopoverNext
    placement="bottom-start"
    content={
      <div className="z-why">
        <h3>Почему эта цифра?</h3>
        <p>{formula}</p>
      </div>
    }
    renderTarget={({ isOpen, ref, ...target }) => (
      <button {...target} ref={ref} type="button" className="z-figure" aria-expanded={isOpen}>
        {children}
        <span className="z-visually-hidden">{label}: почему эта цифра?</span>
      </button>
    )}
  />
);
