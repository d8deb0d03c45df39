import { Edit } from '@blueprintjs/icons';
import type { CreativeWire } from '@zakup/contracts/wire-entities';
import { channelSizeLabels, channelSizeNames } from '@zakup/domain/analytics/channel-size';
import { showDateWithYear } from '@zakup/domain/calendar';
import { showCreativeType } from '@zakup/domain/topics';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { efficiencyFigure } from '../../shared/campaign/figures.ts';
import { SumsTable, type SumsLine } from '../../shared/explanations/sums-table.tsx';
import { DealTable } from '../../shared/contractor/deal-table.tsx';
import { unmade } from '../../shared/kept/kept-kinds.ts';
import { KeptMark } from '../../shared/kept/kept-mark.tsx';
import { useKeptDocs } from '../../shared/kept/use-kept-docs.ts';
import { useScope } from '../../shared/live/live-context.tsx';
import { QueryFailure } from '../../shared/load/query-failure.tsx';
import { ScopeWaiting } from '../../shared/live/scope-waiting.tsx';
import { money } from '../../shared/money/roubles.ts';
import { useDrawn } from '../../shared/replica/replica-context.tsx';
import { useSession } from '../../shared/session/session-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { Metric, MetricStrip, PageHeader, Panel } from '../../shared/ui/page.tsx';
import { EmptyState, Skeleton } from '../../shared/ui/states.tsx';
import { useGo } from '../../shared/ui/use-go.ts';
import { useTitle } from '../../shared/moment/use-title.ts';
import { CreativeClass, CreativeFigure, type Sums } from './creative-figure.tsx';
import { CreativeDialog } from './creative-dialog.tsx';
import { CreativeIcon } from './creative-icon.tsx';
import { type CreativeResults, useCreativeResults } from './use-creative-results.ts';
import { useTurnCreative } from './use-turn-creative.ts';
import { KindNote } from '../../shared/explanations/figure-kind.tsx';
import './creatives.css';

const classLimits = {
  good: 'CPL ниже 100 ₽',
  mid: 'CPL 100–200 ₽',
  bad: 'CPL от 200 ₽',
  none: 'лидов пока нет',
} as const;

const Total = ({ creative, sums }: { readonly creative: CreativeWire; readonly sums: Sums }) => {
  const { tone } = efficiencyFigure(money(sums.spent), sums.leads);
  return (
    <MetricStrip label="Итоги по креативу">
      <Metric label="Потрачено" value={<CreativeFigure creative={creative} sums={sums} figure="spent" />} />
      <Metric label="Приход" value={<CreativeFigure creative={creative} sums={sums} figure="leads" />} />
      <Metric
        label="CPL"
        tone={tone ?? undefined}
        value={<CreativeFigure creative={creative} sums={sums} figure="cpl" />}
      />
      <Metric label="Класс" value={<CreativeClass sums={sums} />} note={classLimits[tone ?? 'none']} />
      <Metric label="Размещения" value={<CreativeFigure creative={creative} sums={sums} figure="placements" />} />
    </MetricStrip>
  );
};

/** Where it was used: by the size of channels, by campaign, the newest placements. */
const Parts = ({
  creative: { id },
  results,
}: {
  readonly creative: CreativeWire;
  readonly results: CreativeResults;
}) => {
  const campaigns = results.byCampaign.map((line) => ({
    ...line,
    id: line.campaignId,
    spent: money(line.spent),
    name: line.campaignName,
    shownName: (
      <Link className="z-creative-campaign" to={`/dashboard?campaign=${line.campaignId}`}>
        {line.campaignName}
      </Link>
    ),
    about: { of: 'campaign', id: line.campaignId, creativeId: id } as const,
  }));
  return (
    <>
      <div className="z-creative-parts">
        <SumsTable title="По размеру каналов" lines={sizeLines(id, results.sizes)} />
        <SumsTable title="По кампаниям" lines={campaigns} />
      </div>
      <Panel title="Последние размещения" className="z-panel-flush z-table-scroll">
        <DealTable
          label="Последние размещения"
          className="z-table-stacked z-creative-last"
          explained
          placements={results.lastPlacements}
          columns={['date', 'campaign', 'buyer', 'price', 'leads', 'cpl']}
          dayText={showDateWithYear}
        />
      </Panel>
    </>
  );
};

const sizeLines = (id: string, sizes: NonNullable<CreativeWire['results']>['sizes']): readonly SumsLine[] =>
  sizes.map(({ size, spent, ...sums }) => ({
    ...sums,
    id: size,
    spent: money(spent),
    name: channelSizeLabels[size],
    shownName: channelSizeNames[size],
    about: { of: 'creative', id, size },
  }));

const Results = ({ creative }: { readonly creative: CreativeWire }) => {
  const query = useCreativeResults(creative.id, creative.results);
  const known = query.data?.total ?? creative.results;
  if (known !== undefined && known.placements === 0)
    return (
      <EmptyState title="Размещений с ним ещё не было">
        Выберите его в размещении: здесь будет видно, что он принёс.
      </EmptyState>
    );
  return (
    <>
      {known !== undefined && <Total creative={creative} sums={known} />}
      <QueryFailure query={query} />
      {query.data === undefined ? (
        query.error === null && <Skeleton rows={6} />
      ) : (
        <Parts creative={creative} results={query.data} />
      )}
    </>
  );
};

/** One creative: what it is, what it brought and where. */
export const CreativePage = () => {
  const { id = '' } = useParams();
  const go = useGo();
  const { readOnly, licence } = useSession();
  const status = useScope('workspace');
  const drawn = useDrawn('workspace');
  const kept = useKeptDocs('creative').find(({ doc }) => doc.id === id) ?? null;
  const [edited, setEdited] = useState(false);
  const { turn, turning } = useTurnCreative();
  useTitle(kept?.doc.name ?? 'Креатив');
  if (kept === null && (status.kind === 'refused' || !drawn))
    return <ScopeWaiting status={status} rows={8} height={44} />;
  if (kept === null)
    return (
      <EmptyState
        level={1}
        title="Такого креатива нет"
        actions={
          <Button look="primary" onClick={() => go('/creatives')}>
            К креативам
          </Button>
        }
      >
        Адрес набран с ошибкой, или креатив другой команды.
      </EmptyState>
    );
  const { doc, entry } = kept;
  const editable = readOnly === null && licence?.status !== 'suspended';
  return (
    <div className="z-page">
      <nav aria-label="Где это" className="z-creative-way">
        <Link to="/creatives">Креативы</Link>
      </nav>
      <PageHeader
        title={doc.name}
        aside={
          <>
            {doc.abbreviation !== '' && <span className="z-quiet">{doc.abbreviation}</span>}
            <span className="z-creative-page-type z-secondary">
              <CreativeIcon type={doc.type} /> {showCreativeType(doc.type)}
            </span>
            {!doc.isActive && <Chip>отключён</Chip>}
            <KeptMark entry={entry} name={doc.name} />
            <KindNote campaignId={null} />
          </>
        }
        actions={
          editable && (
            <>
              <Button disabled={turning === id} onClick={() => turn(doc)}>
                {doc.isActive ? 'Отключить' : 'Включить'}
              </Button>
              <Button icon={<Edit size={14} />} onClick={() => setEdited(true)}>
                Изменить
              </Button>
            </>
          )
        }
      />
      {doc.notes !== '' && <p className="z-creative-notes">{doc.notes}</p>}
      {doc.revision === unmade ? (
        <EmptyState title="Ещё не отправлен">Итоги появятся, когда он будет сохранён на сервере.</EmptyState>
      ) : (
        <Results key={doc.id} creative={doc} />
      )}
      {edited && <CreativeDialog creative={doc} entry={entry} onClose={() => setEdited(false)} />}
    </div>
  );
};
