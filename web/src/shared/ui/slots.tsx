import { createContext, type ReactNode, useContext, useState } from 'react';
import { createPortal } from 'react-dom';

/** Places of the frame that screens and shared parts fill. */
const slotNames = [
  'skip',
  'banner',
  'topbar',
  'sidebar',
  'status-left',
  'status-right',
  'phone-title',
  'notes',
] as const;
export type SlotName = (typeof slotNames)[number];

type Places = Readonly<Partial<Record<SlotName, HTMLElement | null>>>;
interface Slots {
  readonly places: Places;
  readonly place: (name: SlotName, element: HTMLElement | null) => void;
}
const SlotContext = createContext<Slots>({ places: {}, place: () => undefined });

export const SlotProvider = ({ children }: { readonly children: ReactNode }) => {
  const [places, setPlaces] = useState<Places>({});
  const [place] = useState(
    () => (name: SlotName, element: HTMLElement | null) =>
      setPlaces((before) => (before[name] === element ? before : { ...before, [name]: element })),
  );
  return <SlotContext.Provider value={{ places, place }}>{children}</SlotContext.Provider>;
};

/** Where the frame shows what was filled in. */
export const SlotOutlet = ({ name, className }: { readonly name: SlotName; readonly className?: string }) => {
  const { place } = useContext(SlotContext);
  const [ref] = useState(() => (element: HTMLElement | null) => place(name, element));
  return <div ref={ref} className={className} data-slot={name} />;
};

/** The place itself; null = this frame has none. */
export const useSlot = (name: SlotName): HTMLElement | null => useContext(SlotContext).places[name] ?? null;

/** Shows its children in a place of the frame for as long as it is mounted; several fill it one after another. */
export const SlotFill = ({ name, children }: { readonly name: SlotName; readonly children: ReactNode }) => {
  const target = useSlot(name);
  return target ? createPortal(children, target) : null;
};
