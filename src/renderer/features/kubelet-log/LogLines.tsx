import type { ReactNode, Ref } from 'react'
import { useEffect, useRef } from 'react'
import type { LogLine } from '../../../shared/model/kubelet-log.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { countText } from '../../words/time.ts'
import styles from './LogLines.module.css'

const words = text.log

function timeText(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString().slice(11, 23)
}

/** Entries as a table of text; a click on one selects it. */
export function LogLines({
  ref,
  label,
  lines,
  chosen,
  onChoose,
  onEarlier,
  onLater,
  end = '',
}: {
  readonly ref?: Ref<HTMLDivElement>
  readonly label: string
  readonly lines: readonly LogLine[]
  /** The number of the marked line. */
  readonly chosen: number
  readonly onChoose: (line: LogLine) => void
  /** Undefined: there are none. */
  readonly onEarlier: (() => void) | undefined
  readonly onLater: (() => void) | undefined
  /** What is said after the last line. */
  readonly end?: string
}): ReactNode {
  const marked = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    marked.current?.scrollIntoView({ block: 'center' })
  }, [chosen, lines])
  return (
    <div
      ref={ref}
      className={styles['console']}
      role="log"
      aria-live="off"
      aria-label={label}
      // Keys scroll it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      {onEarlier === undefined ? null : (
        <Button variant="quiet" isSmall onClick={onEarlier}>
          {words.earlier}
        </Button>
      )}
      {lines.length === 0 ? <p className={styles['none']}>{words.noLines}</p> : null}
      {lines.map((each) => (
        <button
          key={each.line}
          ref={each.line === chosen ? marked : null}
          type="button"
          tabIndex={-1}
          className={classNames(
            styles['line'],
            each.line === chosen && styles['chosen'],
            (each.severity === 'E' || each.severity === 'F') && styles['error'],
          )}
          title={`${each.message} ${each.rest}`.slice(0, 3000)}
          onClick={() => onChoose(each)}
        >
          <span>{countText(each.line)}</span>
          <span>{timeText(each.at)}</span>
          <span>{each.file}</span>
          <span>
            {each.message === '' ? null : <b>{each.message}</b>} {each.rest}
          </span>
        </button>
      ))}
      {end === '' ? null : <p className={styles['end']}>{end}</p>}
      {onLater === undefined ? null : (
        <Button variant="quiet" isSmall onClick={onLater}>
          {words.later}
        </Button>
      )}
    </div>
  )
}
