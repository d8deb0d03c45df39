import type { CreativeType } from '@zakup/domain/creative/events';
import { type Campaign, campaigns } from './campaigns.ts';
import { chance } from './chance.ts';

export interface Creative {
  readonly key: string;
  readonly campaign: Campaign;
  readonly name: string;
  readonly abbreviation: string;
  readonly type: CreativeType;
  readonly notes: string;
  /** What leads cost with it beside the usual; less is better. */
  readonly dear: number;
}

/** First lines of the posts, by channel. */
const ideas: Readonly<Record<string, readonly string[]>> = {
  money: [
    'Куда уходит зарплата',
    'Подушка за полгода',
    'Три ошибки новичка',
    'Кэшбэк, о котором молчат',
    'Сколько стоит кофе за год',
    'Письмо себе через 10 лет',
    'Кредит закрыт раньше срока',
    'Вклад или облигации',
    'Семейный бюджет на салфетке',
    'Налоговый вычет за вечер',
    'Пенсия своими руками',
    'Финансовый чек-лист',
    'Что делать с премией',
    'История одной ипотеки',
  ],
  kitchen: [
    'Ужин за 20 минут',
    'Пять блюд из курицы',
    'Завтрак без плиты',
    'Суп, который просят дети',
    'Секрет мягкого теста',
    'Меню на неделю',
    'Что приготовить из кабачка',
    'Пирог на кефире',
    'Заготовки без банок',
    'Список покупок на 2 000 ₽',
  ],
  weekend: [
    'Город за один день',
    'Электричкой к морю',
    'Где встретить рассвет',
    'Маршрут с детьми',
    'Пять усадеб рядом',
    'Поход без палатки',
    'Гастротур выходного дня',
    'Карта смотровых',
    'Баня и озеро',
  ],
  code: [
    'Собеседование мечты',
    'Ошибка за миллион',
    'Git без слёз',
    'Один день тестировщика',
    'Пишем бота за час',
    'Шпаргалка по SQL',
    'Кофе, код и дедлайн',
  ],
};

const types: readonly CreativeType[] = ['TEXT_WITH_IMAGE', 'TEXT_ONLY', 'TEXT_WITH_IMAGE', 'TEXT_WITH_VIDEO'];
const remarks = [
  '',
  '',
  '',
  'Первая строка решает: не менять.',
  'Лучше работает с картинкой 1:1.',
  'Не ставить в крипто-каналы.',
  'Ссылка в конце поста.',
  'Просят менять раз в две недели.',
];
const initials: Readonly<Record<string, string>> = { money: 'ДБП', kitchen: 'КНД', weekend: 'ВР', code: 'КК' };

/** Each channel's ideas dealt out to its campaigns: 40 in all. */
export const creatives = (seed: number): readonly Creative[] => {
  const luck = chance(seed, 'creatives');
  return Object.entries(ideas).flatMap(([channel, names]) => {
    const own = campaigns.filter((campaign) => campaign.channel.key === channel);
    return names.map((name, index): Creative => {
      const campaign = own[index % own.length];
      if (campaign === undefined) throw new Error(`No campaign for ${channel}`);
      return {
        key: `${channel}-${index + 1}`,
        campaign,
        name,
        abbreviation: `${initials[channel] ?? ''}-${index + 1}`,
        type: types[(index + channel.length) % types.length] ?? 'TEXT_ONLY',
        notes: luck.oneOf(remarks),
        dear: 0.78 + 0.5 * luck.next(),
      };
    });
  });
};
