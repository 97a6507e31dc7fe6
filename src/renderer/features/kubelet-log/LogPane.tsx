import type { ReactNode, Ref } from 'react'
import { useEffect, useState } from 'react'
import type { KubeletLogView, LogHits, LogLine } from '../../../shared/model/kubelet-log.ts'
import type { TimelineLane } from '../../../shared/model/timeline/timeline.ts'
import { useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { SearchField } from '../../ui/SearchField.tsx'
import type { Segment } from '../../ui/Segmented.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { lastingText } from '../../words/time.ts'
import { LogLines } from './LogLines.tsx'
import type { LaneSelection } from '../../ui/lanes/lane-selection.ts'
import styles from './LogLines.module.css'
import { useLogLines } from './use-log-lines.ts'

const words = text.log

type Which = 'pod' | 'all' | 'foreign'

/** Lines that are no entry, by their numbers. */
function useForeignLines(view: KubeletLogView, isWanted: boolean): readonly LogLine[] {
  const { bridge } = useStore()
  const [lines, setLines] = useState<readonly LogLine[]>([])
  const numbers = view.notUnderstood.slice(0, 200).join(',')
  const { id } = view
  useEffect(() => {
    if (!isWanted || numbers === '') return undefined
    let isCurrent = true
    const asked = numbers.split(',').map(async (line) => {
      const query = { id, from: Number(line), count: 1, pod: null, isBack: false }
      return (await bridge.request('log.lines', query))?.lines ?? []
    })
    void Promise.all(asked)
      .then((found) => {
        if (isCurrent) setLines(found.flat())
      })
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [bridge, id, numbers, isWanted])
  return lines
}

interface Found {
  readonly of: string
  readonly lines: readonly LogLine[]
  readonly next: number | null
}

/** Searches as long as something is missing and less than a pane is full. */
function useSearch(
  id: string,
  wanted: string,
): { readonly found: Found | null; readonly more: () => void } {
  const { bridge } = useStore()
  const [found, setFound] = useState<Found | null>(null)
  const [asked, setAsked] = useState({ from: 1, of: wanted })
  const from = asked.of === wanted ? asked.from : 1
  useEffect(() => {
    if (wanted === '') return undefined
    let isCurrent = true
    const search = async (): Promise<void> => {
      let next: number | null = from
      let count = 0
      while (next !== null && count < 200 && isCurrent) {
        const hits: LogHits | null = await bridge.request('log.search', {
          id,
          text: wanted,
          from: next,
        })
        if (!isCurrent || hits === null) return
        count += hits.hits.length
        next = hits.next
        setFound((now) => ({
          of: wanted,
          lines: now?.of === wanted && from > 1 ? [...now.lines, ...hits.hits] : hits.hits,
          next: hits.next,
        }))
      }
    }
    // A pause in typing: each search reads the log.
    const timer = setTimeout(() => void search().catch(() => undefined), 200)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [bridge, id, wanted, from])
  return {
    found: wanted === '' || found?.of !== wanted ? null : found,
    more: () => setAsked({ from: found?.next ?? 1, of: wanted }),
  }
}

function endWords(view: KubeletLogView, pod: TimelineLane | undefined, isAll: boolean): string {
  if (pod === undefined || !isAll || !view.isRead || pod.state !== 'terminating') return ''
  const silentMs = view.to - pod.lastAt
  return silentMs < 1000 ? '' : words.noMore(lastingText(silentMs))
}

/** The log itself: about the selected pod, all of it, what is not understood, or what a search finds. */
export function LogPane({
  view,
  pod,
  selection,
  onLine,
  paneRef,
  searchRef,
}: {
  readonly view: KubeletLogView
  readonly pod: TimelineLane | undefined
  readonly selection: LaneSelection
  readonly onLine: (line: LogLine) => void
  readonly paneRef: Ref<HTMLDivElement>
  readonly searchRef: Ref<HTMLInputElement>
}): ReactNode {
  const [chosen, setWhich] = useState<Which>('pod')
  const [wanted, setWanted] = useState('')
  const which = chosen === 'pod' && pod === undefined ? 'all' : chosen
  const foreign = useForeignLines(view, which === 'foreign')
  const search = useSearch(view.id, wanted.trim())
  // While it is read, its lines are asked for when there are some, and again when there are all.
  const total = view.isFollowed || view.isRead ? view.lines : Math.min(view.lines, 1)
  const podId = which === 'pod' ? (pod?.id ?? null) : null
  const around = useLogLines({ id: view.id, pod: podId, line: selection.line, total })
  const notUnderstood = view.lines - view.understood
  const segments: readonly Segment<Which>[] = [
    ...(pod === undefined ? [] : [{ value: 'pod' as const, label: words.thisPod }]),
    { value: 'all', label: words.all },
    ...(notUnderstood === 0
      ? []
      : [{ value: 'foreign' as const, label: words.notUnderstood(notUnderstood) }]),
  ]
  const isSearch = search.found !== null
  return (
    <section className={styles['pane']} aria-label={words.log}>
      <div className={styles['head']}>
        <h2>{words.log}</h2>
        {pod === undefined ? null : (
          <span className={styles['of']}>
            {words.linesOf(pod.name === '' ? (pod.uid ?? '') : pod.name)}
          </span>
        )}
        <Segmented label={words.whichLines} segments={segments} value={which} onChange={setWhich} />
        <span className={styles['grow']} />
        <div className={styles['search']}>
          <SearchField
            ref={searchRef}
            icon="search"
            aria-label={words.search}
            placeholder={words.searchExample}
            value={wanted}
            count={
              isSearch ? words.hits(search.found.lines.length, search.found.next !== null) : ''
            }
            clearLabel={text.common.filter.clear}
            hasKeyHint={false}
            isMono
            onChange={setWanted}
            onKey={() => false}
          />
        </div>
      </div>
      <LogLines
        ref={paneRef}
        label={words.log}
        lines={isSearch ? search.found.lines : which === 'foreign' ? foreign : around.lines}
        chosen={selection.line}
        onChoose={onLine}
        onEarlier={
          isSearch || which === 'foreign' || around.previous === null
            ? undefined
            : around.addEarlier
        }
        onLater={
          isSearch
            ? search.found.next === null
              ? undefined
              : search.more
            : which === 'foreign' || around.next === null
              ? undefined
              : around.addLater
        }
        end={endWords(view, pod, which === 'pod' && !isSearch && around.next === null)}
      />
    </section>
  )
}
