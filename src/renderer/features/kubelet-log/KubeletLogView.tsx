import type { ReactNode } from 'react'
import { useMemo, useRef, useState } from 'react'
import type { KubeletLogView as LogView } from '../../../shared/model/kubelet-log.ts'
import type { TimelineLane } from '../../../shared/model/timeline/timeline.ts'
import type { TimeRange } from '../../ui/lanes/lane-geometry.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterField } from '../../ui/FilterField.tsx'
import { KeysLine } from '../../ui/KeysLine.tsx'
import { Note } from '../../ui/Note.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { preciseClockText } from '../../words/time.ts'
import { LevelDialog } from './LevelDialog.tsx'
import {
  filteredPods,
  moved,
  sortedPods,
  spotOfMark,
  zoomed,
} from '../../ui/lanes/lane-geometry.ts'
import { Lanes } from '../../ui/lanes/Lanes.tsx'
import { LanesLegend } from '../../ui/lanes/LanesLegend.tsx'
import { LogOpener } from './LogOpener.tsx'
import { LogPane } from './LogPane.tsx'
import { pressLaneKey } from '../../ui/lanes/lane-keys.ts'
import type { LaneSelection } from '../../ui/lanes/lane-selection.ts'
import { nothingSelected, selectionOf } from '../../ui/lanes/lane-selection.ts'
import { SpotWords } from '../../ui/lanes/SpotTip.tsx'
import textStyles from '../../ui/text.module.css'
import styles from './KubeletLogView.module.css'

const words = text.log

const keys = [
  { keys: ['J', 'K'], does: words.keys.pod },
  { keys: ['[', ']'], does: words.keys.mark },
  { keys: ['L'], does: words.keys.line },
  { keys: ['+', '-'], does: words.keys.zoom },
  { keys: ['←', '→'], does: words.keys.move },
  { keys: ['0'], does: words.keys.whole },
  { keys: ['/'], does: words.keys.filter },
  { keys: ['S'], does: words.keys.search },
]

function Head({ view }: { readonly view: LogView }): ReactNode {
  const [isLevelOpen, setLevelOpen] = useState(false)
  const showLog = useAppState((state) => state.showLog)
  const followLog = useAppState((state) => state.followLog)
  const closeLog = useAppState((state) => state.closeLog)
  const { verbosity, isFollowed } = view
  const level =
    verbosity === null ? words.noVerbosity : words.verbosity(verbosity.level, verbosity.isStated)
  return (
    <div className={styles['top']}>
      <h1>{view.node || view.name}</h1>
      <span className={styles['facts']}>
        {view.node === '' ? '' : `${view.name}: `}
        {view.isRead ? '' : `${words.reading(view.bytesRead / Math.max(1, view.bytes))}: `}
        {words.facts(view.lines, level, view.podCount)}
      </span>
      <span className={styles['grow']} />
      <Button icon="help" onClick={() => setLevelOpen(true)}>
        {words.levelButton}
      </Button>
      <Button icon={isFollowed ? 'pause' : 'play'} onClick={() => void followLog(!isFollowed)}>
        {isFollowed ? words.stopFollowing : words.follow}
      </Button>
      <Button icon="folder" onClick={() => showLog(null)}>
        {words.other}
      </Button>
      <Button icon="close" onClick={() => void closeLog()}>
        {words.close}
      </Button>
      {isLevelOpen ? (
        <LevelDialog verbosity={verbosity} onClose={() => setLevelOpen(false)} />
      ) : null}
    </div>
  )
}

/** The selected pod in the newest view. */
function selectedPod(view: LogView, selection: LaneSelection): TimelineLane | undefined {
  return view.pods.find(({ id }) => id === selection.pod)
}

function OpenLog({ view }: { readonly view: LogView }): ReactNode {
  const { state } = useStore()
  const chosenRange = useAppState((each) => each.logRange)
  const setLogWidth = useAppState((each) => each.setLogWidth)
  const [filter, setFilter] = useState('')
  const [selection, setSelection] = useState(nothingSelected)
  const filterField = useRef<HTMLInputElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const pane = useRef<HTMLDivElement>(null)
  const whole: TimeRange = { from: view.from, to: Math.max(view.to, view.from + 1) }
  const range = chosenRange ?? whole
  const pods = useMemo(() => filteredPods(sortedPods(view.pods), filter), [view.pods, filter])
  const pod = selectedPod(view, selection)
  const zoom = (factor: number): void =>
    state
      .getState()
      .setLogRange(
        zoomed({ range, whole, about: selection.at ?? (range.from + range.to) / 2 }, factor),
      )
  usePageKeys((event) =>
    pressLaneKey(event.key, {
      pods,
      selection,
      select: setSelection,
      zoom,
      move: (share) => state.getState().setLogRange(moved(range, whole, share)),
      showWhole: () => state.getState().setLogRange(null),
      focusFilter: () => filterField.current?.focus(),
      focusSearch: () => searchField.current?.focus(),
      focusLine: () => pane.current?.focus(),
    }),
  )
  const selectLine = (line: { readonly line: number; readonly at: number | null }): void => {
    const owner = view.pods.find(({ marks }) => marks.some((mark) => mark.line === line.line))
    const mark = owner?.marks.find((each) => each.line === line.line)
    if (owner !== undefined && mark !== undefined)
      setSelection(selectionOf(owner, spotOfMark(owner, mark)))
    else setSelection({ ...selection, line: line.line, at: line.at, spot: null })
  }
  return (
    <>
      <Head view={view} />
      {view.problem === '' ? null : (
        <Note variant="error" icon="error" isAlert>
          <p>{view.problem}</p>
        </Note>
      )}
      <div className={styles['tools']}>
        <LanesLegend />
        <span className={styles['grow']} />
        <div className={styles['filter']}>
          <FilterField
            ref={filterField}
            label={text.timeline.filter}
            placeholder={text.timeline.filterExample}
            text={filter}
            shown={pods.length}
            total={view.pods.length}
            onChange={setFilter}
            onLeave={() => filterField.current?.blur()}
          />
        </div>
      </div>
      {view.podCount === 0 && view.isRead ? (
        <div className={styles['noPods']}>
          <EmptyState title={words.noPods}>{words.noPodsAdvice}</EmptyState>
        </div>
      ) : (
        <Lanes
          pods={pods}
          total={view.podCount}
          range={range}
          records={view.records}
          nodeMarks={view.nodeMarks}
          selection={selection}
          onWidth={setLogWidth}
          onSelect={(chosen, spot) => setSelection(selectionOf(chosen, spot))}
        />
      )}
      <output className={textStyles['hidden']}>
        {selection.spot === null ? null : (
          <SpotWords spot={selection.spot} records={view.records} />
        )}
      </output>
      <LogPane
        key={view.id}
        view={view}
        pod={pod}
        selection={selection}
        onLine={selectLine}
        paneRef={pane}
        searchRef={searchField}
      />
      <KeysLine keys={keys}>
        {view.understood === 0 ? null : (
          <span className={styles['time']}>
            {words.range(preciseClockText(range.from), preciseClockText(range.to))},{' '}
            {words.zone[view.zone]}
          </span>
        )}
      </KeysLine>
    </>
  )
}

/** A kubelet's log as the timeline of its pod workers, with the lines behind it. */
export function KubeletLogView(): ReactNode {
  const logId = useAppState((state) => state.logId)
  const view = useAppState((state) => state.logView)
  return (
    <div className={styles['view']}>
      {logId === null ? (
        <LogOpener />
      ) : view === null ? (
        <p className={styles['loading']}>{text.common.loading}</p>
      ) : (
        <OpenLog key={view.id} view={view} />
      )}
    </div>
  )
}
