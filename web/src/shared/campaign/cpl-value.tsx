import { cplClass, cplClassLabels, costPerLead } from '@zakup/domain/analytics/cpl';
import type { Kopecks } from '@zakup/domain/money';
import { Fitted } from '../ui/fitted.tsx';
import { cplFigure } from './figures.ts';
import './cpl-value.css';

/** Cost per lead with colour, sign and, for those who see neither, a word; a dash without leads. */
export const CplValue = ({ spent, leads }: { readonly spent: Kopecks; readonly leads: number }) => {
  const word = cplClassLabels[cplClass(spent, leads)];
  const { tone, text, sign } = cplFigure(spent, leads, costPerLead(spent, leads));
  if (tone === null)
    return (
      <span className="z-cpl z-quiet" title={word}>
        {text}
      </span>
    );
  return (
    <span className={`z-cpl z-${tone}`}>
      <Fitted>{text}</Fitted>{' '}
      <span className="z-sign" aria-hidden="true">
        {sign}
      </span>
      <span className="z-visually-hidden">{word}</span>
    </span>
  );
};
