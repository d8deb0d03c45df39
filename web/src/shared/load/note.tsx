import { WarningSign } from '@blueprintjs/icons';
import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../ui/button.tsx';
import { useSlot } from '../ui/slots.tsx';
import './note.css';

/** Whether a place is kept for it where it is drawn. */
const PlaceKept = createContext(false);

/** Keeps the place of a note where the frame's own is out of reach, as under a dialog: nothing moves as the note comes or goes. */
export const NotePlace = ({ children }: { readonly children: ReactNode }) => (
  <PlaceKept value>
    <div className="z-note-place">{children}</div>
  </PlaceKept>
);

/** What a read that failed leaves to say: below the content of the screen, always in sight, so that it moves nothing there. */
export const Note = ({
  of,
  children,
  onRetry,
}: {
  /** What it was to read, where the screen reads several things; absent = there is but one. */
  readonly of?: string | undefined;
  readonly children: ReactNode;
  readonly onRetry: () => void;
}) => {
  const kept = useContext(PlaceKept);
  const slot = useSlot('notes');
  const note = (
    <div className="z-older" role="alert">
      <WarningSign size={14} />
      <p>
        {of !== undefined && <b>{of}. </b>}
        {children}
      </p>
      <Button small onClick={onRetry}>
        Повторить
      </Button>
    </div>
  );
  return kept || slot === null ? note : createPortal(note, slot);
};
