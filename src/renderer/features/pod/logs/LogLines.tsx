import { useVirtualizer } from '@tanstack/react-virtual'
import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { fullTimeText, preciseClockText } from '../../../words/time.ts'
import type { LogLine, LogView } from './log-follower.ts'
import { piecesOf } from './log-search.ts'
import styles from './LogLines.module.css'

const words = text.pod.logs
const lineHeight = 18

function Line({
  line: { kind, at, text: said },
  hasTimes,
  wanted,
}: {
  readonly line: LogLine
  readonly hasTimes: boolean
  readonly wanted: string
}): ReactNode {
  if (kind === 'restart') return <span className={styles['mark']}>{words.restarted}</span>
  return (
    <>
      {hasTimes ? (
        <time className={styles['time']} title={fullTimeText(at)}>
          {preciseClockText(at)}
        </time>
      ) : null}
      {piecesOf(said, wanted).map((piece, index) =>
        // The pieces keep their order: the index is their identity.
        // oxlint-disable-next-line react/no-array-index-key
        index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
      )}
    </>
  )
}

/** The lines of a log; only visible ones are drawn. While it follows, the newest is in view; scrolling up ends that. */
export function LogLines({
  label,
  view: { lines, count },
  hasTimes,
  isFollowing,
  wanted,
  chosen,
  onScrollBack,
}: {
  readonly label: string
  readonly view: LogView
  readonly hasTimes: boolean
  readonly isFollowing: boolean
  /** The text to mark. */
  readonly wanted: string
  /** The index of the line to bring into view; undefined: none. */
  readonly chosen: number | undefined
  readonly onScrollBack: () => void
}): ReactNode {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const lastTop = useRef(0)
  // It returns functions that must not be memoized; nothing here is compiled.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => lineHeight,
    overscan: 12,
    useFlushSync: false,
  })
  useEffect(() => {
    if (isFollowing && count > 0) virtualizer.scrollToIndex(count - 1, { align: 'end' })
  }, [virtualizer, isFollowing, count, lines, scroller])
  useEffect(() => {
    if (chosen !== undefined) virtualizer.scrollToIndex(chosen, { align: 'center' })
  }, [virtualizer, chosen])
  return (
    <div
      ref={setScroller}
      className={styles['scroller']}
      role="log"
      aria-label={label}
      aria-live="off"
      // Keys scroll it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={({ currentTarget: { clientHeight, scrollHeight, scrollTop } }) => {
        const isBack = scrollTop < lastTop.current
        lastTop.current = scrollTop
        if (isBack && scrollHeight - clientHeight - scrollTop > 2 * lineHeight) onScrollBack()
      }}
    >
      <div className={styles['body']} style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = lines[index]
          return line === undefined ? null : (
            <div
              key={index}
              className={classNames(styles['line'], index === chosen && styles['chosen'])}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Line line={line} hasTimes={hasTimes} wanted={wanted} />
            </div>
          )
        })}
      </div>
    </div>
  )
}
