import { parseArgs } from 'node:util';

/** Ends the process with a sentence for whoever started it. */
const refused = (text: string): never => {
  console.error(text);
  process.exit(1);
};

/** Options of the command line by their names, as they were given; one that is not known ends the process. */
export const optionsOf = (names: readonly string[]): Readonly<Record<string, string | undefined>> => {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  try {
    return parseArgs({ options }).values;
  } catch {
    return refused(`Неверные параметры. Есть ${names.map((name) => `--${name} ЗНАЧЕНИЕ`).join(', ')}`);
  }
};

/** A whole number, `preset` when it was not given; another value ends the process. */
export const wholeNumber = (name: string, text: string | undefined, preset: number, most: number): number => {
  if (text === undefined) return preset;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value <= most ? value : refused(`--${name}: нужно целое число от 0 до ${most}`);
};

/** What must be said of every such server, whatever it prints. */
export const sayWhatItIs = (product: string): void =>
  console.error(`Подставной сервер ${product}, только для тестов: не хранилище для настоящих данных.`);

/** What the server's start resolves with; a port or a file that cannot be used ends the process. */
export const started = async <Server>(start: () => Promise<Server>): Promise<Server> => {
  try {
    return await start();
  } catch (error) {
    return refused(`Не запущен: ${error instanceof Error ? error.message : String(error)}`);
  }
};
