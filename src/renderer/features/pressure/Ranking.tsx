import type { ReactNode } from 'react'
import { useState } from 'react'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import {
  amountText,
  decidedPlaces,
  firstSentence,
  placeSentence,
} from '../../../shared/model/pressure/ranking-words.ts'
import type {
  DecidedPlace,
  PressureView,
  RankedPod,
  RankingView,
} from '../../../shared/model/pressure/pressure-view.ts'
import { aboveRequest, exceedsRequest } from '../../../shared/model/pressure/ranking.ts'
import type { DecidingKey } from '../../../shared/model/pressure/ranking.ts'
import type { Signal } from '../../../shared/model/pressure/signals.ts'
import { assumedKey } from '../../../shared/model/pressure/what-if.ts'
import type { AssumedUse } from '../../../shared/model/pressure/what-if.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { SectionTag } from '../../ui/signs/SectionTag.tsx'
import textStyles from '../../ui/text.module.css'
import panel from './panel.module.css'
import styles from './Ranking.module.css'
import { podKeyOn } from './use-pressure.ts'
import { UseSlider } from './UseSlider.tsx'

const words = text.pressure.ranking

/** Of several signals that rank alike, the first; in words that fit. */
const segments: readonly { readonly value: Signal; readonly label: string }[] = [
  { value: 'memory.available', label: 'memory' },
  { value: 'nodefs.available', label: 'nodefs' },
  { value: 'nodefs.inodesFree', label: 'inodes' },
  { value: 'imagefs.available', label: 'imagefs' },
  { value: 'pid.available', label: 'pid' },
]

interface RankingProps {
  readonly node: NodeRef
  readonly real: PressureView
  readonly view: PressureView
  readonly assumed: AssumedUse
  readonly onAssume: (key: string, amount: number) => void
}

interface RowProps extends RankingProps {
  readonly ranking: RankingView
  readonly decided: DecidedPlace
  /** Places that it comes earlier than now; 0: none. */
  readonly moved: number
}

function Moved({ places }: { readonly places: number }): ReactNode {
  if (places === 0) return null
  return (
    <span className={styles['moved']} title={words.moved(places)}>
      {places > 0 ? words.up(places) : words.down(-places)}
    </span>
  )
}

function Name({ node, pod }: { readonly node: NodeRef; readonly pod: RankedPod }): ReactNode {
  const showPod = useAppState((state) => state.showPod)
  return (
    <button
      type="button"
      className={styles['name']}
      title={`${pod.namespace}/${pod.name}`}
      onClick={() => showPod(podKeyOn(node, pod.uid))}
    >
      {pod.name}
    </button>
  )
}

function Use({ ranking, decided, real, assumed, onAssume }: RowProps): ReactNode {
  const { resource, signal } = ranking
  const { uid, name, keys, never } = decided.pod
  const most = real.signals.find((one) => one.signal === signal)?.capacity ?? 0
  const key = assumedKey(resource, uid)
  const isSettable = real.other !== null && never === ''
  const use = keys.use === null ? words.unknown : amountText(resource, keys.use)
  return (
    <span className={styles['use']}>
      {isSettable && most > 0 ? (
        <UseSlider
          label={words.slider(resource, name)}
          value={keys.use ?? 0}
          most={most}
          ticks={keys.request > 0 ? [keys.request] : []}
          write={(amount) => amountText(resource, amount)}
          isAssumed={assumed.pods[key] !== undefined}
          onChange={(amount) => onAssume(key, amount)}
        />
      ) : (
        <span />
      )}
      <span>{use}</span>
    </span>
  )
}

function Cell({
  by,
  decided: { key },
  children,
}: {
  readonly by: DecidingKey
  readonly decided: DecidedPlace
  readonly children: ReactNode
}): ReactNode {
  return <td className={classNames(styles['figure'], key === by && styles['key'])}>{children}</td>
}

function Keys({ ranking: { resource }, decided }: RowProps): ReactNode {
  const { keys } = decided.pod
  const priority = (
    <Cell by="priority" decided={decided}>
      {keys.priority}
    </Cell>
  )
  if (resource === 'pids')
    return (
      <>
        {priority}
        <Cell by="processes" decided={decided}>
          {keys.use ?? words.unknown}
        </Cell>
      </>
    )
  const above = aboveRequest(keys)
  return (
    <>
      <Cell by="exceeds" decided={decided}>
        {exceedsRequest(keys) ? words.yes : words.no}
      </Cell>
      {priority}
      <Cell by="above" decided={decided}>
        {above === null ? words.unknown : `${above > 0 ? '+' : ''}${amountText(resource, above)}`}
      </Cell>
    </>
  )
}

function Row(props: RowProps): ReactNode {
  const { decided, ranking, node, moved } = props
  const { pod, place } = decided
  const sentence = placeSentence(ranking.resource, decided)
  if (place === null)
    return (
      <tr className={styles['never']}>
        <td title={words.never}>
          <Icon name="shield" />
          <span className={textStyles['hidden']}>{words.never}</span>
        </td>
        <td colSpan={5}>
          <Name node={node} pod={pod} />
          <p>{words.neverMeaning(sentence)}</p>
        </td>
      </tr>
    )
  return (
    <tr className={classNames(place === 1 && styles['first'])} data-pod={pod.name}>
      <td className={styles['figure']}>{place}</td>
      <td>
        <Name node={node} pod={pod} />
        <Use {...props} />
        <p>{sentence}</p>
      </td>
      <Keys {...props} />
      <td>
        <Moved places={moved} />
      </td>
    </tr>
  )
}

function Heads({ ranking: { resource } }: { readonly ranking: RankingView }): ReactNode {
  const keys =
    resource === 'pids'
      ? [words.priority, words.processes]
      : [words.over, words.priority, words.above]
  return (
    <thead>
      <tr>
        <th>#</th>
        <th>{words.pod}</th>
        {keys.map((key, index) => (
          <th key={key} className={styles['figure']}>
            <em>{index + 1}</em>
            {key}
          </th>
        ))}
        <th aria-hidden="true" />
      </tr>
    </thead>
  )
}

function placesOf(ranking: RankingView | undefined): ReadonlyMap<string, number> {
  const places = ranking === undefined ? [] : decidedPlaces(ranking)
  return new Map(places.flatMap(({ pod, place }) => (place === null ? [] : [[pod.uid, place]])))
}

function Table({ ranking, ...props }: RankingProps & { readonly ranking: RankingView }): ReactNode {
  const before = placesOf(props.real.rankings.find(({ signal }) => signal === ranking.signal))
  const places = decidedPlaces(ranking)
  const shown = [
    ...places.filter(({ place }) => place !== null),
    ...places.filter(({ place }) => place === null),
  ]
  return (
    <table className={styles['table']} aria-label={words.table(ranking.signal)}>
      <Heads ranking={ranking} />
      <tbody>
        {shown.map((decided) => (
          <Row
            key={decided.pod.uid}
            {...props}
            ranking={ranking}
            decided={decided}
            moved={(before.get(decided.pod.uid) ?? 0) - (decided.place ?? 0)}
          />
        ))}
      </tbody>
    </table>
  )
}

/** Which pod would be evicted first, and why, by signal. */
export function Ranking(props: RankingProps): ReactNode {
  const [chosen, setChosen] = useState<Signal | null>(null)
  const met = props.view.signals.find(({ thresholds }) =>
    thresholds.some(({ metSince }) => metSince !== null),
  )
  const isSegment = segments.some(({ value }) => value === met?.signal)
  const signal = chosen ?? (met !== undefined && isSegment ? met.signal : 'memory.available')
  const ranking = props.view.rankings.find((one) => one.signal === signal)
  const first = ranking === undefined ? '' : firstSentence(ranking)
  return (
    <section className={classNames(panel['panel'], panel['fill'])} aria-label={words.title}>
      <header>
        <h2>{words.title}</h2>
        <Segmented
          label={words.segment}
          value={signal}
          segments={segments}
          onChange={setChosen}
          isMono
        />
      </header>
      <p className={styles['say']}>
        <Icon name="evict" />
        <span>{first === '' ? words.none : first}</span>
        <SectionTag section="eviction#ranking" />
      </p>
      <div className={styles['scroll']}>
        {ranking === undefined ? null : <Table {...props} ranking={ranking} />}
      </div>
    </section>
  )
}
