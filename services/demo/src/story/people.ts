import type { EmployeeRole } from '@zakup/domain/employee/events';
import type { Format } from '@zakup/domain/topics';

/** How a person buys. */
export interface Habits {
  /** Placements beside the others'. */
  readonly pace: number;
  /** Share of the first price that is paid after the talk. */
  readonly bargain: number;
  /** Topics they look into first. */
  readonly topics: readonly string[];
  readonly formats: Readonly<Record<Format, number>>;
  /** Share of placements that are paid when they are booked. */
  readonly paysAhead: number;
  /** Share of a working day that Saturday and Sunday are. */
  readonly weekend: number;
  /** Sets the status to DONE together with the leads. */
  readonly tidy: boolean;
  /** Share of what is done on the phone. */
  readonly phone: number;
}

export interface Person {
  readonly key: string;
  readonly name: string;
  readonly email: string;
  readonly role: EmployeeRole;
  readonly authCode: string;
  readonly salaryType: 'budget' | 'performance' | 'percentage' | null;
  /** Percent. */
  readonly salaryRate: number | null;
  /** Roubles. */
  readonly performanceThreshold: number | null;
  readonly permissions?: Readonly<Record<string, boolean>>;
  /** Absent = buys nothing. */
  readonly habits?: Habits;
  /** Shares of the story's length. */
  readonly joins?: number;
  readonly leaves?: number;
}

const at = (name: string): string => `${name}@demo.example`;
const none = { salaryType: null, salaryRate: null, performanceThreshold: null } as const;

const usual: Readonly<Record<Format, number>> = { '1/24': 0.66, '1/48': 0.2, '1/72': 0.05, '1/∞': 0.09 };
const lasting: Readonly<Record<Format, number>> = { '1/24': 0.42, '1/48': 0.2, '1/72': 0.08, '1/∞': 0.3 };
const long: Readonly<Record<Format, number>> = { '1/24': 0.45, '1/48': 0.38, '1/72': 0.12, '1/∞': 0.05 };

export const owner = {
  key: 'owner',
  name: 'Елена Воронова',
  email: at('voronova'),
  telegram: '@elena_voronova',
  authCode: 'DEMOVLADELEC',
} as const;

/** Everybody but the owner. Codes of the first one of each role are words, so that they can be typed. */
export const people: readonly Person[] = [
  {
    key: 'lisitsyn',
    name: 'Артём Лисицын',
    email: at('lisitsyn'),
    role: 'CBDO',
    authCode: 'DEMODIRECTOR',
    ...none,
  },
  {
    key: 'sokolova',
    name: 'Марина Соколова',
    email: at('sokolova'),
    role: 'TEAM_LEAD',
    authCode: 'DEMOTEAMLEAD',
    salaryType: 'percentage',
    salaryRate: 4,
    performanceThreshold: null,
    habits: {
      pace: 0.5,
      bargain: 0.9,
      topics: ['Финансы', 'Бизнес'],
      formats: usual,
      paysAhead: 0.4,
      weekend: 0.15,
      tidy: true,
      phone: 0.1,
    },
  },
  {
    key: 'tkachev',
    name: 'Игорь Ткачёв',
    email: at('tkachev'),
    role: 'TEAM_LEAD',
    authCode: 'TKACHEV24K7W',
    salaryType: 'budget',
    salaryRate: 5,
    performanceThreshold: null,
    habits: {
      pace: 0.4,
      bargain: 0.95,
      topics: ['Технологии', 'Наука'],
      formats: long,
      paysAhead: 0.3,
      weekend: 0.1,
      tidy: false,
      phone: 0.05,
    },
  },
  {
    key: 'klimova',
    name: 'Дарья Климова',
    email: at('klimova'),
    role: 'MEDIA_BUYER',
    authCode: 'DEMOMEDBUYER',
    salaryType: 'budget',
    salaryRate: 10,
    performanceThreshold: null,
    habits: {
      pace: 1.3,
      bargain: 0.92,
      topics: ['Кулинария', 'Женское', 'Дом и ремонт'],
      formats: usual,
      paysAhead: 0.2,
      weekend: 0.45,
      tidy: true,
      phone: 0.25,
    },
  },
  {
    key: 'zotov',
    name: 'Павел Зотов',
    email: at('zotov'),
    role: 'MEDIA_BUYER',
    authCode: 'ZOTOV6PHM3QX',
    salaryType: 'performance',
    salaryRate: 12,
    performanceThreshold: 100,
    habits: {
      pace: 1.1,
      bargain: 0.85,
      topics: ['Финансы', 'Инвестиции', 'Криптовалюты'],
      formats: usual,
      paysAhead: 0.1,
      weekend: 0.25,
      tidy: false,
      phone: 0.1,
    },
  },
  {
    key: 'ryabova',
    name: 'Светлана Рябова',
    email: at('ryabova'),
    role: 'MEDIA_BUYER',
    authCode: 'RYABOVA9TD4F',
    salaryType: 'percentage',
    salaryRate: 8,
    performanceThreshold: null,
    habits: {
      pace: 1,
      bargain: 0.97,
      topics: ['Путешествия', 'Региональные', 'Фото'],
      formats: lasting,
      paysAhead: 0.5,
      weekend: 0.5,
      tidy: true,
      phone: 0.4,
    },
  },
  {
    key: 'galiev',
    name: 'Тимур Галиев',
    email: at('galiev'),
    role: 'MEDIA_BUYER',
    authCode: 'GALIEV5NR8CZ',
    salaryType: 'performance',
    salaryRate: 15,
    performanceThreshold: 90,
    habits: {
      pace: 1.2,
      bargain: 0.88,
      topics: ['Технологии', 'Программирование', 'Игры'],
      formats: usual,
      paysAhead: 0.15,
      weekend: 0.3,
      tidy: true,
      phone: 0.05,
    },
  },
  {
    key: 'shubin',
    name: 'Олег Шубин',
    email: at('shubin'),
    role: 'MEDIA_BUYER',
    authCode: 'SHUBIN7WXA2J',
    salaryType: 'budget',
    salaryRate: 9,
    performanceThreshold: null,
    leaves: 0.62,
    habits: {
      pace: 0.8,
      bargain: 1,
      topics: ['Мемы', 'Юмор', 'Новости'],
      formats: usual,
      paysAhead: 0.6,
      weekend: 0.1,
      tidy: false,
      phone: 0.3,
    },
  },
  {
    key: 'belova',
    name: 'Анастасия Белова',
    email: at('belova'),
    role: 'MEDIA_BUYER',
    authCode: 'BELOVA3HGT6Y',
    salaryType: 'percentage',
    salaryRate: 7,
    performanceThreshold: null,
    habits: {
      pace: 0.9,
      bargain: 0.93,
      topics: ['Дети и семья', 'Здоровье', 'Психология'],
      formats: long,
      paysAhead: 0.25,
      weekend: 0.35,
      tidy: true,
      phone: 0.2,
    },
  },
  {
    key: 'moroz',
    name: 'Кирилл Мороз',
    email: at('moroz'),
    role: 'MEDIA_BUYER',
    authCode: 'MOROZ8VKD5RU',
    ...none,
    permissions: { dashboard: true, analytics: true, creatives: true },
    habits: {
      pace: 0.9,
      bargain: 0.95,
      topics: ['Авто', 'Спорт', 'Видео'],
      formats: lasting,
      paysAhead: 0.2,
      weekend: 0.2,
      tidy: false,
      phone: 0.15,
    },
  },
  {
    key: 'orehova',
    name: 'Юлия Орехова',
    email: at('orehova'),
    role: 'MEDIA_BUYER',
    authCode: 'OREHOVA4MZ9P',
    salaryType: 'performance',
    salaryRate: 10,
    performanceThreshold: 110,
    joins: 0.52,
    habits: {
      pace: 1,
      bargain: 0.94,
      topics: ['Психология', 'Книги', 'Образование'],
      formats: usual,
      paysAhead: 0.1,
      weekend: 0.4,
      tidy: true,
      phone: 0.5,
    },
  },
  {
    key: 'nazarova',
    name: 'Вера Назарова',
    email: at('nazarova'),
    role: 'ANALYTIC',
    authCode: 'DEMOANALITIK',
    ...none,
  },
];

/** Logins of one person per role, in the order in which they are shown. */
export const shownLogins = [
  { role: 'CEO', name: owner.name, code: owner.authCode },
  ...people
    .filter(({ authCode }) => authCode.startsWith('DEMO'))
    .map(({ role, name, authCode }) => ({
      role,
      name,
      code: authCode,
    })),
] as const;

/** Whose codes a wrong code is answered with: they sign in by code alone (TEXT-4). */
export const codesThatWork = ['DEMOTEAMLEAD', 'DEMOMEDBUYER'] as const;
