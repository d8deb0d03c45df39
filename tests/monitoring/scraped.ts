/** A process that is asked for its figures once a minute, as Prometheus would. */

/** What one look brought: the text, null where nothing answered, undefined where nobody was found to be asked. */
export type Look = string | null | undefined;

export interface InputSeries {
  readonly series: string;
  /** A value a minute; `_`: there was none. */
  readonly values: string;
}

const instance = 'job="zakup",instance="server:3000"';

const nameWith = (series: string): string =>
  series.endsWith('}') ? `${series.slice(0, -1)},${instance}}` : `${series}{${instance}}`;

/** The looks as series of Prometheus, with `up` as it sets it: those of the figures that `isWanted`, by name. */
export const seriesOf = (looks: readonly Look[], isWanted: (name: string) => boolean): readonly InputSeries[] => {
  const values = new Map<string, string[]>();
  looks.forEach((text, minute) => {
    for (const line of (text ?? '').split('\n')) {
      const space = line.lastIndexOf(' ');
      if (line.startsWith('#') || space < 0 || !isWanted(/^\w+/u.exec(line)?.[0] ?? '')) continue;
      const series = nameWith(line.slice(0, space));
      const known = values.get(series) ?? [];
      values.set(series, [...known, ...Array<string>(minute - known.length).fill('_'), line.slice(space + 1)]);
    }
  });
  const up = looks.map((text) => (text === undefined ? '_' : text === null ? '0' : '1'));
  return [[`up{${instance}}`, up] as const, ...values].map(([series, all]) => ({ series, values: all.join(' ') }));
};
