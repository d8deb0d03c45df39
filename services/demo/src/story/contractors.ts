import { chance } from './chance.ts';

export interface Contractor {
  readonly index: number;
  /** Without `@`. */
  readonly nick: string;
  readonly channelName: string;
  readonly topic: string;
  /** Roubles for 1/24 on the first day, before any talk. */
  readonly price: number;
  /** How the price grows over the story: 1.2 = by a fifth. */
  readonly growth: number;
  /** What a lead costs here beside the usual; less is better. */
  readonly dear: number;
  /** How gladly it is bought beside the others. */
  readonly fame: number;
  /** Share of the story after which it is known. */
  readonly known: number;
}

/** Topics with what nicks and channels of theirs are made of. */
const topics: readonly (readonly [topic: string, latin: string, nouns: string])[] = [
  ['Финансы', 'fin', 'Кошелёк|Бюджет|Рубль|Финансы|Заначка|Копилка'],
  ['Инвестиции', 'invest', 'Дивиденды|Портфель|Акции|Облигации|Инвестор'],
  ['Криптовалюты', 'crypto', 'Биткоин|Крипта|Блокчейн|Майнинг'],
  ['Бизнес', 'biz', 'Бизнес|Своё дело|Стартап|Предприниматель|Франшиза'],
  ['Маркетинг', 'market', 'Маркетинг|Реклама|Продажи|Бренды'],
  ['Новости', 'news', 'Новости|Сводка|Главное|Лента|Город'],
  ['Работа и карьера', 'job', 'Вакансии|Карьера|Удалёнка|Работа'],
  ['Кулинария', 'food', 'Рецепты|Кухня|Ужин|Выпечка|Вкусно|Сковородка'],
  ['Женское', 'lady', 'Подруги|Женский клуб|Девичник|Сама себе'],
  ['Дом и ремонт', 'dom', 'Ремонт|Уютный дом|Интерьер|Мастер'],
  ['Дети и семья', 'mama', 'Мамы|Семья|Дети|Родители|Малыш'],
  ['Здоровье', 'zdorovo', 'Здоровье|Доктор|Сон|Питание'],
  ['Сад и дача', 'dacha', 'Дача|Огород|Сад|Теплица'],
  ['Путешествия', 'travel', 'Путешествия|Поехали|Билеты|Чемодан|Маршруты'],
  ['Региональные', 'region', 'Казань|Самара|Урал|Кубань|Сибирь|Поволжье'],
  ['Фото', 'photo', 'Фотография|Кадр|Снимок'],
  ['Авто', 'auto', 'Авто|Гараж|За рулём|Трасса'],
  ['Природа', 'nature', 'Природа|Лес|Горы'],
  ['Спорт', 'sport', 'Спорт|Футбол|Бег|Хоккей'],
  ['Технологии', 'tech', 'Гаджеты|Технологии|Железо|Нейросети'],
  ['Программирование', 'dev', 'Код|Разработчик|Бэкенд|Фронтенд'],
  ['Игры', 'game', 'Игры|Геймер|Стрим'],
  ['Наука', 'science', 'Наука|Космос|Факты'],
  ['Образование', 'edu', 'Учёба|Студент|Лекции'],
  ['Книги', 'books', 'Книги|Читаем|Библиотека'],
  ['Мемы', 'mem', 'Мемы|Мемасы|Котики'],
  ['Юмор', 'humor', 'Юмор|Анекдоты|Смешно'],
  ['Видео', 'video', 'Видео|Ролики|Клипы'],
  ['Психология', 'psy', 'Психология|Себя понять|Отношения и мы'],
];
const tails =
  'каждый день|без воды|по делу|сегодня|простыми словами|изнутри|для своих|24|на пальцах|рядом|вслух|в деталях'.split(
    '|',
  );
const managers =
  'olga anna irina maria kate lena vika sveta dasha nata max ivan denis alex roman artem egor pasha stas kirill'.split(
    ' ',
  );
const roles = 'ads pr reklama adm manager promo media sale'.split(' ');

const rounded = (price: number, step: number): number => Math.max(step, Math.round(price / step) * step);

/** As sellers name prices: no odd hundreds in large ones. */
export const roundPrice = (price: number): number =>
  rounded(price, price < 1000 ? 50 : price < 5000 ? 100 : price < 10_000 ? 500 : 1000);

/** Three in five are small, three in ten medium, the rest large. */
const firstPrice = (drawn: number, within: number): number => {
  if (drawn < 0.6) return 400 + 1500 * within;
  return drawn < 0.9 ? 2100 + 2800 * within : 5200 + 9800 * within * within;
};

export const contractors = (seed: number, count: number): readonly Contractor[] => {
  const luck = chance(seed, 'contractors');
  const nicks = new Set<string>();
  const names = new Set<string>();
  const fresh = (taken: Set<string>, make: () => string): string => {
    for (;;) {
      const made = make();
      if (taken.has(made)) continue;
      taken.add(made);
      return made;
    }
  };
  return Array.from({ length: count }, (_, index): Contractor => {
    const [topic, latin, nouns] = luck.oneOf(topics);
    const channelName = fresh(names, () => `${luck.oneOf(nouns.split('|'))} ${luck.oneOf(tails)}`);
    const nick = fresh(nicks, () =>
      luck.happens(0.45)
        ? `${latin}_${luck.oneOf(roles)}${luck.happens(0.4) ? String(luck.between(1, 99)) : ''}`
        : `${luck.oneOf(managers)}_${luck.happens(0.5) ? latin : luck.oneOf(roles)}${luck.happens(0.3) ? String(luck.between(80, 99)) : ''}`,
    );
    return {
      index,
      nick,
      channelName,
      topic,
      price: firstPrice(luck.next(), luck.next()),
      growth: 1.04 + 0.22 * luck.next(),
      dear: 0.62 + 0.55 * luck.next() + 0.5 * luck.next() ** 3,
      fame: 0.15 + luck.next() ** 3 * 3,
      // A third is known from the beginning, the others are found on the way.
      known: index < count / 3 ? 0 : ((index - count / 3) / (count - count / 3)) * 0.93,
    };
  });
};
