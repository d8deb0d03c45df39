import { SlotFill } from '../../../shared/ui/slots.tsx';

/** Leads from the top of the page to the cell in which the keyboard stands. */
export const SkipToTable = () => (
  <SlotFill name="skip">
    <a
      className="z-skip"
      href="#table"
      onClick={(event) => {
        event.preventDefault();
        document.querySelector<HTMLElement>('.z-placements [role="grid"] [tabindex="0"]')?.focus();
      }}
    >
      К таблице
    </a>
  </SlotFill>
);
