import type { Faults } from './faults.ts';

const usage = [
  'delay <ms>',
  'drop',
  'drop-during <command> [nth] [after]',
  'refuse [secondary]',
  'allow',
  'conflict <times>',
  'step-down [ms]',
  'end-change-streams [lost]',
  'restart [ms]',
  'counts',
].join(', ');

const numberOf = (text: string | undefined): number => {
  const value = Number(text);
  if (text === undefined || !Number.isInteger(value) || value < 0)
    throw new Error(`a number is missing; known: ${usage}`);
  return value;
};

/** Carries out one order as the command line takes it; resolves with what to print. Rejects, telling all orders, when it is not known. */
export const carriedOut = async (faults: Faults, line: string): Promise<string> => {
  const [order = '', first, second, third] = line.trim().split(/\s+/);
  switch (order) {
    case 'delay':
      faults.delay(numberOf(first));
      break;
    case 'drop':
      faults.drop();
      break;
    case 'drop-during': {
      if (first === undefined) throw new Error(`a command is missing; known: ${usage}`);
      const nth = second === undefined || second === 'after' ? 1 : numberOf(second);
      const isAfter = second === 'after' || third === 'after';
      faults.dropDuring(first, nth, isAfter ? 'carried out' : 'not carried out');
      break;
    }
    case 'refuse':
      faults.refuse(first === 'secondary' ? 'secondary' : 'shutting down');
      break;
    case 'allow':
      faults.allow();
      break;
    case 'conflict':
      faults.conflict(numberOf(first));
      break;
    case 'step-down':
      await faults.stepDown(...(first === undefined ? [] : [numberOf(first)]));
      break;
    case 'end-change-streams':
      faults.endChangeStreams(first === 'lost' ? 'history lost' : 'resumable');
      break;
    case 'restart':
      await faults.restart(...(first === undefined ? [] : [numberOf(first)]));
      break;
    case 'counts':
      return JSON.stringify(faults.counts());
    default:
      throw new Error(`no such order: ${order}; known: ${usage}`);
  }
  return `done: ${line.trim()}`;
};
