import type { CampaignWire, EarningsWire } from '@zakup/contracts/entities';
import { budgetUsePercent } from '@zakup/domain/analytics/budget';
import { costPerLead, showCpl } from '@zakup/domain/analytics/cpl';
import {
  explainFigure,
  type Figure as FigureName,
  type FigureOperands,
  figureTitles,
} from '@zakup/domain/analytics/figures';
import { defaultLeadValue, indicators, roi } from '@zakup/domain/analytics/indicators';
import { formatRoubles, formatRoublesExact, percentOf, toRoubles } from '@zakup/domain/money';
import { may } from '@zakup/domain/permissions';
import { noCreative } from '@zakup/domain/placement/events';
import { formatNumber, formatPercent } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import { lazy, useCallback, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import { CreativeTypeIcon } from '../../shared/campaign/creative-type-icon.tsx';
import { budgetUse, cplFigure, money, termsText, withoutCreativeCount } from '../../shared/campaign/figures.ts';
import { periodText } from '../../shared/campaign/period-text.ts';
import { StatusChip } from '../../shared/campaign/status-chip.tsx';
import { useLive, useScope } from '../../shared/live/live-context.tsx';
import { useAsker } from '../../shared/live/use-may.ts';
import { useNowDoc } from '../../shared/past/moment-context.ts';
import { PastButton } from '../../shared/past/past-button.tsx';
import { useDoc, useDocs } from '../../shared/replica/replica-context.tsx';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Metric, MetricStrip, PageHeader } from '../../shared/ui/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { Figure } from '../../shared/why/figure.tsx';
import { ChartCard } from './chart-card.tsx';
import { RankingFigure } from './ranking-figure.tsx';
import { RankingTable } from './ranking-table.tsx';
import { burnCells, contractorCells, dayCells } from './table-figures.tsx';
import {
  burnDown,
  dayFinding,
  dayPoints,
  priceAgainstCpl,
  type Ranked,
  rankedBuyers,
  rankedCreatives,
} from './report-figures.ts';

const DayChart = lazy(async () => ({ default: (await import('./day-chart.tsx')).DayChart }));
const BurnChart = lazy(async () => ({ default: (await import('./burn-chart.tsx')).BurnChart }));
const PriceChart = lazy(async () => ({ default: (await import('./price-chart.tsx')).PriceChart }));
const RankingChart = lazy(async () => ({ default: (await import('./ranking-chart.tsx')).RankingChart }));

const signed = (percent: number): string => `${percent > 0 ? '+' : ''}${formatPercent(percent)}`;

/** The report of one campaign, live. */
export const Report = ({ campaign, today }: { readonly campaign: CampaignWire; readonly today: string }) => {
  const scope = `campaign:${campaign.id}`;
  const status = useScope(scope);
  useScope('me');
  const live = useLive();
  const asker = useAsker();
  const analytics = useDoc('analytics', campaign.id);
  const present = useNowDoc('analytics', campaign.id);
  const users = useDocs('user');
  const people = useDocs('person');
  const creatives = useDocs('creative');
  const contractors = useDocs('contractor');
  const [licence] = useDocs('license');
  const ofCampaign = useCallback((one: EarningsWire) => one.campaignId === campaign.id, [campaign.id]);
  const earnings = useDocs('earnings', { where: ofCampaign });
  const leadValue = licence ? money(licence.settings.leadValue) : defaultLeadValue;
  const figures = useMemo(
    () =>
      analytics && {
        days: dayPoints(analytics),
        burn: burnDown(analytics, campaign, today),
        prices: priceAgainstCpl(analytics, contractors),
        buyers: rankedBuyers(analytics, users, leadValue),
        creatives: rankedCreatives(analytics, creatives, leadValue),
      },
    [analytics, campaign, today, contractors, users, creatives, leadValue],
  );

  if (status.kind === 'refused')
    return (
      <ErrorState
        error={
          new ApiProblem({
            code: status.problem.code,
            status: status.problem.status,
            message: status.problem.error,
            requestId: status.problem.instance,
          })
        }
        onRetry={() => live.retryNow()}
      />
    );
  const head = (
    <PageHeader
      title={showCampaignName(campaign.name)}
      aside={
        <>
          <StatusChip status={campaign.status} />
          <span className="z-secondary">{periodText(campaign, today)}</span>
        </>
      }
      actions={<PastButton campaignId={campaign.id} />}
    />
  );
  if (!analytics || !figures)
    return (
      <>
        {head}
        <Skeleton rows={1} height={56} label="Загрузка показателей" />
        <Skeleton rows={1} height={300} label="Загрузка отчёта" />
      </>
    );

  const { summary } = analytics;
  const now = present?.summary;
  const note = (text: string | false | undefined): { readonly note?: string } =>
    text ? { note: `сейчас ${text}` } : {};
  const [budget, spent] = [money(summary.totalBudget), money(summary.spentBudget)];
  const use = budgetUse(spent, budget);
  const cpl = cplFigure(spent, summary.totalLeads, money(summary.averageCostPerLead));
  const operands: FigureOperands = {
    totalBudget: budget,
    totals: { spent, paid: money(summary.paidBudget), leads: summary.totalLeads, placements: summary.totalPlacements },
    buyers: analytics.byBuyer.length,
    creatives: analytics.byCreative.filter(({ creativeId }) => creativeId !== noCreative).length,
    leadValue,
  };
  const key = indicators(operands);
  const why = (figure: FigureName) => ({
    label: figureTitles[figure],
    formula: explainFigure(figure, operands).formula,
    about: { of: 'campaign', id: campaign.id, figure } as const,
  });
  const { days, burn, prices, buyers, creatives: ranked } = figures;
  const without = withoutCreativeCount(analytics);
  const file = showCampaignName(campaign.name).replaceAll(/[^\p{L}\p{N}]+/gu, '-');

  const earned = (row: Ranked) => {
    const own = earnings.find(({ userId }) => userId === row.id);
    const rate = people.find(({ id }) => id === row.id)?.salaryRate ?? null;
    const byRate = rate === null ? null : percentOf(row.spent, rate);
    const byTerms = own === undefined ? null : money(own.earnings);
    if (byTerms === null && byRate === null) return <span className="z-quiet">—</span>;
    return (
      <>
        {byTerms !== null && (
          <Figure
            label={`Заработок, ${row.name}`}
            formula={own === undefined ? '' : termsText(own)}
            about={{ of: 'campaign', id: campaign.id, figure: 'earnings', userId: row.id }}
          >
            {formatRoublesExact(byTerms)}
          </Figure>
        )}
        {byRate !== null && byRate !== byTerms && (
          <small
            className="z-ranking-rate"
            title={`Расход × ${formatPercent(rate ?? 0)}: ставка в карточке сотрудника`}
          >
            {byTerms === null ? '' : 'по ставке '}
            <Figure
              label={`По ставке сотрудника, ${row.name}`}
              formula={`${formatRoubles(row.spent)} × ${formatPercent(rate ?? 0)} = ${formatRoublesExact(byRate)}`}
              about={{ of: 'campaign', id: campaign.id, figure: 'ownRate', userId: row.id }}
            >
              {formatRoublesExact(byRate)}
            </Figure>
          </small>
        )}
      </>
    );
  };

  return (
    <>
      {head}
      <div className="z-report-strip">
        <MetricStrip label="Показатели кампании">
          <Metric
            label="Бюджет"
            {...note(now && formatRoubles(money(now.totalBudget)))}
            value={
              <Figure label="Бюджет" formula="задан в кампании">
                {formatRoubles(budget)}
              </Figure>
            }
          />
          <Metric
            label="Использовано"
            {...note(now && formatPercent(budgetUsePercent(money(now.spentBudget), money(now.totalBudget))))}
            tone={use.tone ?? undefined}
            value={<Figure {...why('budgetUse')}>{formatPercent(key.budgetUsePercent)}</Figure>}
          />
          <Metric
            label="Средний CPL"
            {...note(now && showCpl(money(now.spentBudget), now.totalLeads))}
            tone={cpl.tone ?? undefined}
            value={<Figure {...why('cpl')}>{cpl.text}</Figure>}
          />
          <Metric
            label="Приход"
            {...note(now && formatNumber(now.totalLeads))}
            value={<Figure {...why('leads')}>{formatNumber(summary.totalLeads)}</Figure>}
          />
          <Metric
            label="Размещения"
            {...note(now && formatNumber(now.totalPlacements))}
            value={<Figure {...why('placements')}>{formatNumber(summary.totalPlacements)}</Figure>}
          />
          <Metric
            label="Байеры"
            {...note(present !== null && formatNumber(present.byBuyer.length))}
            value={
              <Figure label="Байеры" formula="сотрудники, у которых есть размещение в кампании">
                {formatNumber(buyers.length)}
              </Figure>
            }
          />
          <Metric
            label="ROI"
            {...note(now && signed(roi(money(now.spentBudget), now.totalLeads, leadValue)))}
            tone={spent === 0 ? undefined : key.roi < 0 ? 'bad' : 'good'}
            value={<Figure {...why('roi')}>{spent === 0 ? '—' : signed(key.roi)}</Figure>}
          />
          <Metric
            label="Конверсия"
            value={<Figure {...why('conversion')}>{formatPercent(key.conversionRate)}</Figure>}
          />
        </MetricStrip>
      </div>
      {summary.totalPlacements === 0 ? (
        <EmptyState title="Размещений ещё нет">Отчёт появится с первым размещением кампании.</EmptyState>
      ) : (
        <div className="z-report">
          <div className="z-report-column">
            <ChartCard
              title="Расход и приход по дням"
              finding={dayFinding(days)}
              legend={
                <>
                  <span className="z-legend z-legend-c1">Расход</span>
                  <span className="z-legend z-legend-c3">Приход</span>
                  <span className="z-legend z-legend-line">CPL</span>
                </>
              }
              fileName={`${file}-по-дням`}
              height={240}
              table={{
                header: ['Дата', 'Расход', 'Приход', 'CPL'],
                rows: days.map(({ date, spent: sum, leads, cpl: each }) => [date, sum, leads, each]),
                show: dayCells(days),
              }}
            >
              <DayChart points={days} />
            </ChartCard>
            <ChartCard
              title="Анализ байеров"
              finding=""
              aside="по расходу, топ 3 выделены"
              fileName={`${file}-байеры`}
              height={Math.max(120, buyers.length * 28 + 40)}
              table={{
                header: ['Байер', 'Расход', 'Приход', 'Размещения', 'ROI, %'],
                rows: buyers.map((row) => [row.name, toRoubles(row.spent), row.leads, row.placements, row.roi]),
                show: (cell) => cell,
              }}
              tableFirst={
                <RankingTable
                  label="Анализ байеров"
                  rows={buyers.map((row) => ({
                    ...row,
                    icon: <Avatar id={row.id} name={row.name} size={20} />,
                    last: earned(row),
                  }))}
                  by="spent"
                  campaignId={campaign.id}
                  leadValue={leadValue}
                  lastTitle="Заработок"
                />
              }
            >
              <RankingChart
                money
                colour="var(--c1)"
                points={buyers.map((row) => ({
                  name: row.name,
                  value: toRoubles(row.spent),
                  label: formatRoubles(row.spent),
                }))}
              />
            </ChartCard>
            <ChartCard
              title="Анализ креативов"
              finding=""
              aside={without === 0 ? 'по лидам, топ 3 выделены' : `по лидам, без креатива: ${formatNumber(without)}`}
              fileName={`${file}-креативы`}
              height={Math.max(120, ranked.length * 28 + 40)}
              table={{
                header: ['Креатив', 'Приход', 'CPL', 'Расход', 'Размещения', 'ROI, %'],
                rows: ranked.map((row) => [
                  row.name,
                  row.leads,
                  row.leads === 0 ? null : toRoubles(costPerLead(row.spent, row.leads)),
                  toRoubles(row.spent),
                  row.placements,
                  row.roi,
                ]),
                show: (cell) => cell,
              }}
              tableFirst={
                ranked.length === 0 ? (
                  <p className="z-chart-none">Ни у одного размещения нет креатива.</p>
                ) : (
                  <RankingTable
                    label="Анализ креативов"
                    rows={ranked.map((row) => ({
                      ...row,
                      icon: <CreativeTypeIcon type={row.type} />,
                      last: (
                        <RankingFigure
                          campaignId={campaign.id}
                          by="leads"
                          row={row}
                          figure="spent"
                          leadValue={leadValue}
                        >
                          {formatRoubles(row.spent)}
                        </RankingFigure>
                      ),
                    }))}
                    by="leads"
                    campaignId={campaign.id}
                    leadValue={leadValue}
                    lastTitle="Расход"
                  />
                )
              }
            >
              <RankingChart
                colour="var(--c3)"
                points={ranked.map((row) => ({
                  name: row.name,
                  value: row.leads,
                  label:
                    row.leads === 0
                      ? 'лидов пока нет'
                      : `${formatNumber(row.leads)} · CPL ${formatRoubles(costPerLead(row.spent, row.leads))}`,
                }))}
              />
            </ChartCard>
          </div>
          <div className="z-report-column">
            <ChartCard
              title="Бюджет и прогноз"
              finding={burn.finding}
              legend={
                <>
                  <span className="z-legend z-legend-c1">Факт</span>
                  {burn.expected !== null && <span className="z-legend z-legend-dash">Прогноз</span>}
                  <span className="z-legend z-legend-dots">План</span>
                </>
              }
              fileName={`${file}-бюджет`}
              height={240}
              table={{
                header: ['Дата', 'Потрачено', 'Прогноз', 'План'],
                rows: burn.points.map(({ date, fact, forecast, plan }) => [date, fact, forecast, plan]),
                show: burnCells,
              }}
            >
              <BurnChart points={burn.points} budget={toRoubles(budget)} />
            </ChartCard>
            <ChartCard
              title="Цена и CPL"
              finding={
                prices.withoutLeads === 0
                  ? prices.finding
                  : `${prices.finding} Ещё без лидов: ${formatNumber(prices.withoutLeads)}.`
              }
              legend={
                <>
                  <span className="z-legend z-good">▼ до 100</span>
                  <span className="z-legend z-mid">◆ до 200</span>
                  <span className="z-legend z-bad">▲ выше</span>
                </>
              }
              fileName={`${file}-контрагенты`}
              height={320}
              table={{
                header: ['Контрагент', 'Средняя цена', 'CPL', 'Размещения'],
                rows: prices.points.map(({ nick, price, cpl: each, placements }) => [nick, price, each, placements]),
                show: contractorCells(prices.points, campaign.id),
              }}
            >
              <PriceChart points={prices.points} />
            </ChartCard>
          </div>
          <dl className="z-panel z-indicators" aria-label="Ключевые показатели">
            <div>
              <dt>Лидов на размещение</dt>
              <dd>
                <Figure {...why('leadsPerPlacement')}>{formatNumber(key.leadsPerPlacement)}</Figure>
              </dd>
            </div>
            <div>
              <dt>Размещений на байера</dt>
              <dd>
                <Figure {...why('placementsPerBuyer')}>{formatNumber(key.placementsPerBuyer)}</Figure>
              </dd>
            </div>
            <div>
              <dt>Бюджет на креатив</dt>
              <dd>
                <Figure {...why('budgetPerCreative')}>{formatRoubles(key.budgetPerCreative)}</Figure>
              </dd>
            </div>
            <div>
              <dt>
                Лид стоит{' '}
                <Figure label="Цена лида" formula="параметр лицензии: по нему считается ROI">
                  {formatRoubles(leadValue)}
                </Figure>{' '}
                в ROI
              </dt>
              {asker !== null && may(asker, 'licence.settings').allowed && (
                <dd>
                  <Link className="z-link" to="/settings?tab=parameters">
                    изменить
                  </Link>
                </dd>
              )}
            </div>
          </dl>
        </div>
      )}
    </>
  );
};
