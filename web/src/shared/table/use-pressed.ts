import { useEffect, useState } from 'react';

/**
 * Whether a pointer that came down while `matters` held is still down: what it is to click on must not be made anew before. Until after the
 * click that its rise may make.
 */
export const usePressed = (matters: () => boolean) => {
  const [isPressed, setIsPressed] = useState(false);
  useEffect(() => {
    if (!isPressed) return undefined;
    let clicked: number | undefined;
    const rise = (): void => {
      clicked = window.setTimeout(() => setIsPressed(false));
    };
    window.addEventListener('pointerup', rise);
    window.addEventListener('pointercancel', rise);
    return () => {
      window.clearTimeout(clicked);
      window.removeEventListener('pointerup', rise);
      window.removeEventListener('pointercancel', rise);
    };
  }, [isPressed]);
  return {
    isPressed,
    onPointerDown: (): void => {
      if (matters()) setIsPressed(true);
    },
  };
};
