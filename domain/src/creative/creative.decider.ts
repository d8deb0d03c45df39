import { accept, type Decider, type Decision, type FieldError, reject, rejectFields } from '../decider.ts';
import { limits, parseName } from '../limits.ts';
import { messages } from '../messages.ts';
import type { CreativeCommand, CreativeFacts } from './commands.ts';
import type { CreativeEvent } from './events.ts';
import type { Creative } from './state.ts';

/** Decides and folds creatives: CRV-1, CRV-2. Deleting is deactivating, whether it is in use or not. */
export const creativeDecider: Decider<Creative, CreativeCommand, CreativeEvent, CreativeFacts> = {
  category: 'creative',

  decide(command, state) {
    if (command.type === 'CreateCreative') {
      if (state !== null) return reject('DUPLICATE', messages.alreadyExists);
      return checked(command, ({ name, abbreviation, notes }) =>
        accept({ type: 'CreativeCreated', data: { name, abbreviation, type: command.creativeType, notes } }),
      );
    }
    if (state === null) return reject('NOT_FOUND', messages.creativeNotFound);
    switch (command.type) {
      case 'ChangeCreative': {
        const { type, isActive } = command.changes;
        return checked({ ...state, ...command.changes }, ({ name, abbreviation, notes }) => {
          const events: CreativeEvent[] = [];
          if (name !== state.name) events.push({ type: 'CreativeRenamed', data: { name } });
          if (abbreviation !== state.abbreviation)
            events.push({ type: 'CreativeAbbreviationChanged', data: { abbreviation } });
          if (type !== undefined && type !== state.type) events.push({ type: 'CreativeTypeChanged', data: { type } });
          if (notes !== state.notes) events.push({ type: 'CreativeNotesChanged', data: { notes } });
          if (isActive !== undefined && isActive !== state.isActive)
            events.push({ type: isActive ? 'CreativeReactivated' : 'CreativeDeactivated', data: {} });
          return accept(...events);
        });
      }
      case 'DeactivateCreative':
        return state.isActive
          ? accept({ type: 'CreativeDeactivated', data: {} })
          : reject('NOT_FOUND', messages.creativeNotFound);
    }
  },

  evolve(state, event) {
    if (event.type === 'CreativeCreated') return { ...event.data, isActive: true };
    if (state === null) throw new Error(`${event.type} before CreativeCreated`);
    switch (event.type) {
      case 'CreativeRenamed':
      case 'CreativeAbbreviationChanged':
      case 'CreativeTypeChanged':
      case 'CreativeNotesChanged':
        return { ...state, ...event.data };
      case 'CreativeDeactivated':
        return { ...state, isActive: false };
      case 'CreativeReactivated':
        return { ...state, isActive: true };
    }
  },

  changedFields(event) {
    switch (event.type) {
      case 'CreativeCreated':
      case 'CreativeRenamed':
      case 'CreativeAbbreviationChanged':
      case 'CreativeTypeChanged':
      case 'CreativeNotesChanged':
        return Object.keys(event.data);
      case 'CreativeDeactivated':
      case 'CreativeReactivated':
        return ['isActive'];
    }
  },

  fields: (state) => ({ ...state }),
};

interface Texts {
  readonly name: string;
  readonly abbreviation: string;
  readonly notes: string;
}

const checked = (texts: Texts, decide: (trimmed: Texts) => Decision<CreativeEvent>): Decision<CreativeEvent> => {
  const name = parseName(texts.name);
  const abbreviation = texts.abbreviation.trim();
  const errors: FieldError[] = [];
  if (name === null) errors.push({ pointer: '/name', detail: messages.nameInvalid });
  if (abbreviation.length > limits.name) errors.push({ pointer: '/abbreviation', detail: messages.textTooLong });
  if (texts.notes.length > limits.note) errors.push({ pointer: '/notes', detail: messages.textTooLong });
  const [first, ...more] = errors;
  if (first !== undefined) return rejectFields(first, ...more);
  return decide({ name: name ?? '', abbreviation, notes: texts.notes });
};
