import type { ReactNode } from 'react'
import { useState } from 'react'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { PressureView as Pressure } from '../../../shared/model/pressure/pressure-view.ts'
import { assumedView, isAssumed, nothingAssumed } from '../../../shared/model/pressure/what-if.ts'
import type { AssumedUse } from '../../../shared/model/pressure/what-if.ts'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { KeysLine } from '../../ui/KeysLine.tsx'
import { Note } from '../../ui/Note.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { applyAssumed } from './assumed-changes.ts'
import { Conditions } from './Conditions.tsx'
import { Evictions } from './Evictions.tsx'
import { Losses } from './Losses.tsx'
import { NextSteps } from './NextSteps.tsx'
import styles from './PressureView.module.css'
import { Presets } from './Presets.tsx'
import { Ranking } from './Ranking.tsx'
import { Signals } from './Signals.tsx'
import { Thresholds } from './Thresholds.tsx'
import { usePressure } from './use-pressure.ts'

const words = text.pressure

type Part = 'signals' | 'losses' | 'thresholds'

const parts: readonly { readonly value: Part; readonly label: string }[] = [
  { value: 'signals', label: words.parts.signals },
  { value: 'losses', label: words.parts.losses },
  { value: 'thresholds', label: words.parts.thresholds },
]

interface Assuming {
  readonly assumed: AssumedUse
  readonly failures: readonly string[]
  readonly isApplying: boolean
  readonly assumeOther: (part: keyof AssumedUse['other'], amount: number) => void
  readonly assumePod: (key: string, amount: number) => void
  readonly apply: () => void
  readonly reset: () => void
}

/** Uses that are assumed until they are applied or reset. */
function useAssumed(node: NodeRef, real: Pressure): Assuming {
  const store = useStore()
  const [assumed, setAssumed] = useState(nothingAssumed)
  const [failures, setFailures] = useState<readonly string[]>([])
  const [isApplying, setApplying] = useState(false)
  const reset = (): void => {
    setAssumed(nothingAssumed)
    setFailures([])
  }
  const apply = async (): Promise<void> => {
    setApplying(true)
    const refused = await applyAssumed(store, node, real, assumed)
    setApplying(false)
    setFailures(refused)
    if (refused.length === 0) setAssumed(nothingAssumed)
  }
  return {
    assumed,
    failures,
    isApplying,
    assumeOther: (part, amount) =>
      setAssumed((before) => ({ ...before, other: { ...before.other, [part]: amount } })),
    assumePod: (key, amount) =>
      setAssumed((before) => ({ ...before, pods: { ...before.pods, [key]: amount } })),
    apply: () => {
      if (!isApplying && isAssumed(assumed)) void apply()
    },
    reset,
  }
}

function WhatIf({ assuming }: { readonly assuming: Assuming }): ReactNode {
  const isPaused = useAppState((state) => shownCluster(state)?.clock.paused === true)
  const { assumed, failures, isApplying } = assuming
  if (!isAssumed(assumed)) return null
  return (
    <section className={styles['whatIf']} aria-label={words.whatIf.title}>
      <h2>{words.whatIf.title}</h2>
      <p>
        {words.whatIf.meaning} {isPaused ? words.whatIf.paused : ''}
      </p>
      <Button variant="primary" isRefused={isApplying} onClick={assuming.apply}>
        {words.whatIf.apply}
      </Button>
      <Button onClick={assuming.reset}>{words.whatIf.reset}</Button>
      {failures.length === 0 ? null : (
        <Note variant="error" icon="error" isAlert>
          {failures.map((failure) => (
            <p key={failure}>{failure}</p>
          ))}
        </Note>
      )}
    </section>
  )
}

function Lab({ node, real }: { readonly node: NodeRef; readonly real: Pressure }): ReactNode {
  const assuming = useAssumed(node, real)
  const { assumed, apply, reset } = assuming
  const view = assumedView(real, assumed)
  const press = (key: string): boolean => {
    const act = key === 'a' ? apply : key === 'r' ? reset : undefined
    if (act === undefined || !isAssumed(assumed)) return false
    act()
    return true
  }
  usePageKeys(({ key }) => press(key))
  const shared = { real, view, assumed }
  return (
    <div className={styles['body']}>
      {real.error === '' ? null : (
        <Note variant="warn" icon="warn">
          <p>
            {words.trouble} {real.error}
          </p>
        </Note>
      )}
      {real.isOn ? null : (
        <Note variant="plain" icon="info">
          <h3>{words.off}</h3>
          <p>{words.offMeaning}</p>
        </Note>
      )}
      <WhatIf assuming={assuming} />
      <div className={styles['lab']}>
        <div className={styles['column']}>
          <Signals {...shared} onAssume={assuming.assumeOther} />
        </div>
        <div className={styles['column']}>
          <Ranking {...shared} node={node} onAssume={assuming.assumePod} />
          <Evictions node={node} evictions={real.evictions} />
        </div>
        <div className={styles['column']}>
          <NextSteps view={view} />
          <Conditions view={view} />
        </div>
      </div>
    </div>
  )
}

function Node({ node, part }: { readonly node: NodeRef; readonly part: Part }): ReactNode {
  const { state, value } = usePressure(node)
  if (state === 'gone')
    return (
      <div className={styles['empty']}>
        <EmptyState title={words.gone}>{words.goneMeaning}</EmptyState>
      </div>
    )
  if (value === null) return <p className={styles['empty']}>{words.loading}</p>
  switch (part) {
    case 'losses':
      return <Losses node={node} view={value} />
    case 'thresholds':
      return <Thresholds node={node} />
    case 'signals':
      return <Lab node={node} real={value} />
  }
}

/** What the eviction manager of the shown node measures, and which pods it would evict. */
export function PressureView(): ReactNode {
  const cluster = useAppState((state) => shownCluster(state)?.id ?? '')
  const node = useAppState((state) => shownNode(state)?.name ?? '')
  const [part, setPart] = useState<Part>('signals')
  const foot = part !== 'signals' ? words[part] : { keys: words.keys, foot: words.slidersOnly }
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>{words.title}</h1>
        <Segmented label={words.parts.label} value={part} segments={parts} onChange={setPart} />
        <p>{words.summary}</p>
        <Presets />
      </div>
      {node === '' ? null : (
        <Node key={`${cluster}/${node}`} node={{ cluster, node }} part={part} />
      )}
      <KeysLine keys={foot.keys}>
        <span className={styles['foot']}>{foot.foot}</span>
      </KeysLine>
    </div>
  )
}
