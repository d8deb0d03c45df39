import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Ctrl+Enter or Cmd+Enter in a field of the form, once for each press of the key; not where the field itself takes it. */
export const useFormKey = (form: RefObject<HTMLFormElement | null>, onPress: () => void): void => {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      if (key !== 'Enter' || !(ctrlKey || metaKey) || altKey || shiftKey || event.defaultPrevented) return;
      if (!(target instanceof Node && form.current?.contains(target))) return;
      event.preventDefault();
      if (!event.repeat) press();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [form]);
};
