import './row-button.css';

interface RowButtonSpec {
  readonly icon: 'history' | 'edit' | 'trash';
  /** Its name, with the row's; whoever listens finds it in every row. */
  readonly label: string;
  readonly title?: string;
  readonly onClick: () => void;
}

/**
 * A button that is seen in the row under the pointer and in the active one. One element, whose icon is painted by style: it stands in
 * every row, and rows are filled by the hundred during a fast scroll.
 */
export const rowButton = ({ icon, label, title, onClick }: RowButtonSpec) => (
  <button
    type="button"
    tabIndex={-1}
    className="z-row-button"
    data-icon={icon}
    aria-label={label}
    title={title}
    onClick={onClick}
  />
);
