import type { ReactNode } from 'react'
import { amountText } from '../../../shared/model/pressure/ranking-words.ts'
import type {
  OtherUseView,
  PressureView,
  SignalView,
} from '../../../shared/model/pressure/pressure-view.ts'
import { otherUseOf, reachedAt } from '../../../shared/model/pressure/what-if.ts'
import type { AssumedUse } from '../../../shared/model/pressure/what-if.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { SectionTag } from '../../ui/signs/SectionTag.tsx'
import { clockText } from '../../words/time.ts'
import panel from './panel.module.css'
import { SignalChart } from './SignalChart.tsx'
import styles from './Signals.module.css'
import { UseSlider } from './UseSlider.tsx'

const words = text.pressure.signals

/** The signals that a slider is drawn for: the others are about the same file system or about pods alone. */
const withSlider: ReadonlySet<string> = new Set([
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'pid.available',
])

/** One short line: what is met, or when a threshold is reached, or what is removed first. */
function note(signal: SignalView, now: number): string {
  const met = signal.thresholds.find(({ metSince }) => metSince !== null)
  if (met !== undefined) return words.met(met.value)
  if (signal.thresholds.length === 0) return words.noThreshold
  const [next] = signal.thresholds.toSorted((a, b) => b.at - a.at)
  const at = next === undefined ? null : reachedAt(signal, now, next.at)
  if (next !== undefined && at !== null && at - now < 3_600_000)
    return words.reached(next.value, clockText(at))
  return signal.reclaims.length === 0 ? '' : words.reclaims(signal.reclaims)
}

interface SignalsProps {
  /** As it is. */
  readonly real: PressureView
  /** With what is assumed. */
  readonly view: PressureView
  readonly assumed: AssumedUse
  readonly onAssume: (part: keyof OtherUseView, amount: number) => void
}

function OtherUse({
  signal,
  real,
  assumed,
  onAssume,
}: Omit<SignalsProps, 'view'> & { readonly signal: SignalView }): ReactNode {
  const part = otherUseOf(signal.signal)
  const { other } = real
  if (part === null || other === null || !withSlider.has(signal.signal)) return null
  const now = real.signals.find((one) => one.signal === signal.signal)
  const { capacity } = signal
  if (capacity === null || now === undefined || now.available === null) return null
  const used = other[part]
  const left = now.available
  return (
    <UseSlider
      label={words.slider(signal.signal)}
      value={assumed.other[part] ?? used}
      most={capacity}
      ticks={signal.thresholds.map(({ at }) => Math.max(0, used + left - at))}
      write={(amount) => words.use(amountText(signal.resource, amount))}
      isAssumed={assumed.other[part] !== undefined}
      onChange={(amount) => onAssume(part, amount)}
    />
  )
}

function Strip({ signal, ...props }: SignalsProps & { readonly signal: SignalView }): ReactNode {
  const { available, capacity, resource, thresholds } = signal
  const isMet = thresholds.some(({ metSince }) => metSince !== null)
  const [area, amount] = signal.signal.split('.')
  return (
    <li className={classNames(styles['strip'], isMet && styles['met'])} data-signal={signal.signal}>
      <div>
        <h3>
          {area}
          <wbr />.{amount}
        </h3>
        <p className={styles['value']}>
          {available === null ? words.unknown : amountText(resource, available)}{' '}
          {capacity === null ? null : <small>{words.of(amountText(resource, capacity))}</small>}
        </p>
        <OtherUse signal={signal} {...props} />
        <p className={styles['note']}>{note(signal, props.view.now)}</p>
      </div>
      <SignalChart signal={signal} now={props.view.now} />
    </li>
  )
}

/** What the eviction manager measures, with its thresholds. */
export function Signals(props: SignalsProps): ReactNode {
  const known = props.view.signals.filter(
    ({ available, thresholds }) => available !== null || thresholds.length > 0,
  )
  return (
    <section className={classNames(panel['panel'], panel['fill'])} aria-label={words.title}>
      <header>
        <h2>{words.title}</h2>
        <span>{words.meaning}</span>
        <SectionTag section="eviction#signals" />
      </header>
      <ul className={styles['strips']}>
        {known.map((signal) => (
          <Strip key={signal.signal} signal={signal} {...props} />
        ))}
      </ul>
    </section>
  )
}
