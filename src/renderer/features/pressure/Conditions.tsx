import type { ReactNode } from 'react'
import type { ConditionView, PressureView } from '../../../shared/model/pressure/pressure-view.ts'
import { shownNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { SectionTag } from '../../ui/signs/SectionTag.tsx'
import { lastingText } from '../../words/time.ts'
import styles from './Conditions.module.css'
import panel from './panel.module.css'

const words = text.pressure.conditions

function Condition({
  of: { condition, isTrue, lastObservedAt },
  now,
  inApi,
}: {
  readonly of: ConditionView
  readonly now: number
  /** The status in the Node object; empty: none. */
  readonly inApi: string
}): ReactNode {
  const status = isTrue ? words.isTrue : words.isFalse
  return (
    <li className={classNames(isTrue && styles['true'])}>
      <Icon name={isTrue ? 'warn' : 'check'} />
      <b>{condition}</b>
      <span>{status}</span>
      <p>
        {inApi === '' || inApi === status ? null : <span>{words.api(inApi)}. </span>}
        {lastObservedAt === null
          ? words.never
          : words.observed(lastingText(Math.max(0, now - lastObservedAt)))}
      </p>
    </li>
  )
}

/** Admission of pods while the node is under pressure (eviction manager Admit). */
function Admission({ conditions }: Pick<PressureView, 'conditions'>): ReactNode {
  const [met, ...others] = conditions.filter(({ isTrue }) => isTrue)
  if (met === undefined) return null
  const isMemoryOnly = others.length === 0 && met.condition === 'MemoryPressure'
  const names = [met, ...others].map(({ condition }) => condition).join(' ')
  return (
    <li>
      <Icon name="shield" />
      <p className={styles['wide']}>
        {isMemoryOnly ? words.refuses : words.refusesAll} <code>{words.message(names)}</code>
      </p>
    </li>
  )
}

/** The node's conditions of pressure, as its kubelet and the API have them, and the taints that follow. */
export function Conditions({ view }: { readonly view: PressureView }): ReactNode {
  const node = useAppState(shownNode)
  const taints = (node?.object?.taints ?? []).filter((taint) => taint.includes('-pressure'))
  return (
    <section className={panel['panel']} aria-label={words.title}>
      <header>
        <h2>{words.title}</h2>
        <span />
        <SectionTag section="eviction#node-conditions" />
      </header>
      <ul className={styles['list']}>
        {view.conditions.map((one) => (
          <Condition
            key={one.condition}
            of={one}
            now={view.now}
            inApi={
              node?.object?.conditions.find(({ type }) => type === one.condition)?.status ?? ''
            }
          />
        ))}
        {taints.map((taint) => (
          <li key={taint}>
            <Icon name="node" />
            <code className={styles['wide']}>{taint}</code>
          </li>
        ))}
        {taints.length > 0 ? null : (
          <li>
            <Icon name="node" />
            <p className={styles['wide']}>{words.noTaints}</p>
          </li>
        )}
        <Admission conditions={view.conditions} />
      </ul>
    </section>
  )
}
