import type { ReactNode } from 'react'
import type { InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import type { KubeletEndpoint } from '../../../shared/model/inspect/kubelet-facts.ts'
import { useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { lastingText } from '../../words/time.ts'
import styles from './InspectView.module.css'

const words = text.inspect.readings

/** What the page shows, by what is read together. */
const origins: readonly {
  readonly origin: string
  readonly paths: readonly KubeletEndpoint[]
}[] = [
  { origin: '/pods, /runningpods', paths: ['/pods', '/runningpods/'] },
  { origin: '/healthz', paths: ['/healthz', '/healthz/syncloop'] },
  { origin: '/metrics', paths: ['/metrics'] },
  { origin: '/configz', paths: ['/configz'] },
]

interface Reading {
  readonly origin: string
  /** Of the oldest part; null: it is current. */
  readonly at: number | null
  /** Why it was not read; else empty. */
  readonly problem: string
}

function readingsOf({ apiReadAt, apiAwaySince, kubelet }: InspectView): readonly Reading[] {
  const ofKubelet = origins.flatMap(({ origin, paths }): readonly Reading[] => {
    const read = kubelet.readings.filter(({ path }) => paths.includes(path))
    if (read.length === 0) return []
    const problem = read.find((each) => each.problem !== null)?.problem?.message ?? ''
    const at = Math.min(...read.map((each) => each.at))
    return [{ origin, at, problem }]
  })
  const at = apiAwaySince === null ? null : apiReadAt
  return [{ origin: words.api, at, problem: '' }, ...ofKubelet]
}

function ReadingAge({
  cluster,
  reading: { origin, at, problem },
}: {
  readonly cluster: string
  readonly reading: Reading
}): ReactNode {
  const word = useTicking(
    cluster,
    (now) => {
      if (at === null) return words.current(origin)
      return (problem === '' ? words.ago : words.failed)(origin, lastingText(now - at))
    },
    origin,
  )
  return (
    <li
      className={classNames(styles['source'], problem !== '' && styles['missed'])}
      title={problem === '' ? undefined : problem}
    >
      {word}
    </li>
  )
}

/** How old what the page shows is, by where it was read. */
export function Readings({
  cluster,
  view,
}: {
  readonly cluster: string
  readonly view: InspectView
}): ReactNode {
  return (
    <ul className={styles['readings']} aria-label={words.label}>
      {readingsOf(view).map((reading) => (
        <ReadingAge key={reading.origin} cluster={cluster} reading={reading} />
      ))}
    </ul>
  )
}
