import type { CreativeWire } from '@zakup/contracts/wire-entities';
import { useState } from 'react';
import { problemText } from '../../shared/api/api-problem.ts';
import { useKeptSend } from '../../shared/kept/use-kept-send.ts';
import { toasts } from '../../shared/toasts/toasts.ts';

/** Switches a creative on or off; `turning`: the id of the one that is being switched. */
export const useTurnCreative = () => {
  const send = useKeptSend();
  const [turning, setTurning] = useState<string | null>(null);
  const turn = (creative: CreativeWire): void => {
    setTurning(creative.id);
    send({
      kind: 'creative',
      doc: creative,
      method: 'PUT',
      path: `/api/creatives/${creative.id}`,
      body: { isActive: !creative.isActive, baseRevision: creative.revision },
      label: `${creative.isActive ? 'Отключить' : 'Включить'} «${creative.name}»`,
    })
      .catch((thrown: unknown) => toasts.error(problemText(thrown)))
      .finally(() => setTurning(null));
  };
  return { turn, turning };
};
