import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { kopecks } from '../money.ts';
import { channelSizeOf } from './channel-size.ts';
import {
  explainSalaryReport,
  salaryReportBonus,
  salaryReportReason,
  salaryReportShare,
  salaryReportThreshold,
} from './salary-report.ts';

const plain = (text: string | null): string | undefined => text?.replaceAll('\u00a0', ' ');
const performance = { salaryType: 'performance', performanceThreshold: null };
const line = (price: number, leads: number) => ({ price: kopecks(price), leads });

test('SAL-1 every placement counts, or says why it does not', () => {
  const reason = salaryReportReason(performance, { countZeroLeads: true });
  expect(reason(line(99_99, 1))).toBeNull();
  expect(reason(line(500_00, 0))).toBeNull();
  expect(plain(reason(line(100_00, 1)))).toBe('CPL не ниже 100 ₽: 100 ₽ за 1 лид');
  expect(salaryReportReason(performance, { countZeroLeads: false })(line(500_00, 0))).toBe('Лидов пока нет');
  const share = salaryReportReason({ ...performance, salaryType: 'budget' }, { countZeroLeads: true });
  expect(share(line(1, 1))).toBe('Бонус считается только при оплате за результат');
  expect(salaryReportThreshold({ performanceThreshold: kopecks(50_00) })).toBe(50_00);
});

test('SAL-2 the bonus explains itself, and is 10 % of what counted, rounded once', () => {
  const explained = explainSalaryReport(performance, { count: 2, price: kopecks(1_000_05) });
  expect([explained.value, plain(explained.formula)]).toEqual([
    100_01,
    '2 размещения с CPL ниже 100 ₽: 1 000,05 ₽ × 10 ÷ 100 = 100,01 ₽',
  ]);
  const nothing = { salaryType: null, performanceThreshold: null };
  expect(explainSalaryReport(nothing, { count: 0, price: kopecks(0) })).toEqual({
    value: 0,
    formula: 'Бонус считается только при оплате за результат',
  });
  const lines = fc.array(fc.record({ price: fc.nat({ max: 1e9 }).map(kopecks), leads: fc.nat({ max: 1e5 }) }));
  fc.assert(
    fc.property(lines, fc.boolean(), (all, countZeroLeads) => {
      const reason = salaryReportReason(performance, { countZeroLeads });
      const counted = all.filter((one) => reason(one) === null);
      const price = kopecks(counted.reduce((sum, one) => sum + one.price, 0));
      expect(salaryReportBonus(performance, all, { countZeroLeads })).toBe(salaryReportShare(price));
    }),
  );
});

test('SAL-3 a channel is large above 5 000 ₽, medium above 2 000 ₽, else small', () => {
  expect([5000_01, 5000_00, 2000_01, 2000_00, 0].map((price) => channelSizeOf(kopecks(price)))).toEqual([
    'large',
    'medium',
    'medium',
    'small',
    'small',
  ]);
});
