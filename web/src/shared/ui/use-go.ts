import { useCallback } from 'react';
import { type NavigateOptions, useNavigate } from 'react-router-dom';

/** Goes to a path of this application; for handlers, which have nobody to hand a promise to. */
export const useGo = (): ((path: string, options?: NavigateOptions) => void) => {
  const navigate = useNavigate();
  return useCallback(
    (path, options) => {
      Promise.resolve(navigate(path, options)).catch((thrown: unknown) => console.error(thrown));
    },
    [navigate],
  );
};
