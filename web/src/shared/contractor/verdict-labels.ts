/** The lists that a contractor may stand on, as they are named. */
export const verdictLabels: Readonly<Record<string, string>> = { white: 'Белый список', black: 'Чёрный список' };
