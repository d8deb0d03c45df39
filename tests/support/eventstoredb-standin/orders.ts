import type { Faults, LostAnswer } from './faults.ts';
import type { StandInLog } from './stand-in-log.ts';

const lostAnswers: readonly LostAnswer[] = ['silence', 'cut', 'timeout'];

const wholeNumber = (word: string | undefined, what: string): number => {
  const number = Number(word);
  if (word === undefined || !Number.isInteger(number) || number < 0)
    throw new Error(`${what}: a whole number is wanted`);
  return number;
};

const oneOf = <const T extends string>(word: string | undefined, allowed: readonly T[], otherwise: NoInfer<T>): T => {
  if (word === undefined) return otherwise;
  const found = allowed.find((each) => each === word);
  if (found === undefined) throw new Error(`${word}: one of ${allowed.join(', ')} is wanted`);
  return found;
};

/**
 * Carries out one line of orders (README.md lists them) and resolves with what to print, or null. Orders that wait for something say so
 * through `say` when it has come. Rejects with a sentence for a line that is no order.
 */
export const carryOutOrder = async (
  line: string,
  { faults, log, say }: { readonly faults: Faults; readonly log: StandInLog; readonly say: (line: string) => void },
): Promise<string | null> => {
  const [order, ...words] = line.trim().split(/\s+/);
  switch (order) {
    case '':
    case undefined:
      return null;
    case 'delay':
      faults.delay(wholeNumber(words[0], order));
      break;
    case 'drop':
      faults.drop(
        oneOf(words[0], ['connections', 'subscriptions'], 'connections'),
        oneOf(words[1], ['unavailable', 'complete'], 'unavailable'),
      );
      break;
    case 'reset':
      faults.reset(wholeNumber(words[0], order));
      break;
    case 'refuse':
      faults.refuse(oneOf(words[0], ['unavailable', 'not-ready'], 'unavailable'));
      break;
    case 'allow':
      faults.allow();
      break;
    case 'loseAnswer': {
      const stream = words[2] === undefined ? undefined : new RegExp(words[2]);
      const lost = faults.loseAnswer(wholeNumber(words[0], order), oneOf(words[1], lostAnswers, 'silence'), stream);
      void lost.then(() => say('lost'));
      break;
    }
    case 'pauseAfter': {
      const { reached } = faults.pauseAfter(wholeNumber(words[0], order), new RegExp(words[1] ?? ''));
      void reached.then((stream) => say(`paused ${stream}`));
      break;
    }
    case 'lateIndex':
      log.lateIndex(wholeNumber(words[0], order));
      break;
    case 'fallBehind':
      faults.fallBehind();
      break;
    case 'away':
      await faults.away();
      break;
    case 'back':
      await faults.back();
      break;
    case 'restart':
      await faults.restart();
      break;
    case 'emit': {
      const [stream, type, ...data] = words;
      if (stream === undefined || type === undefined) throw new Error('emit: a stream and a type are wanted');
      const parsed: unknown = JSON.parse(data.join(' ') || '{}');
      if (typeof parsed !== 'object' || parsed === null) throw new Error('emit: the data must be an object');
      const { position } = log.emit(stream, type, parsed);
      return `emitted ${position}`;
    }
    default:
      throw new Error(`${order}: no such order`);
  }
  return `ok ${order}`;
};
