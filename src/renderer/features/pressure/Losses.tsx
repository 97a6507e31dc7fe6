import type { ReactNode } from 'react'
import { useState } from 'react'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import { lossWays } from '../../../shared/model/loss/loss.ts'
import type { PressureView, RankedPod } from '../../../shared/model/pressure/pressure-view.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Note } from '../../ui/Note.tsx'
import { SectionTag } from '../../ui/signs/SectionTag.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { LossRows } from './LossRows.tsx'
import styles from './Losses.module.css'
import panel from './panel.module.css'
import { podKeyOn } from './use-pressure.ts'
import { tally, useLosses } from './use-losses.ts'

const words = text.pressure.losses

const { columns } = words

function Table({ losses }: { readonly losses: ReturnType<typeof useLosses> }): ReactNode {
  const { forecasts, refusal, outcomes, isRunning, run } = losses
  if (refusal !== '')
    return (
      <Note variant="plain" icon="info">
        <p>{refusal}</p>
      </Note>
    )
  if (forecasts === null) return <p className={panel['none']}>{words.loading}</p>
  return (
    <table className={styles['table']} aria-label={words.title}>
      <thead>
        <tr>
          <th scope="col" colSpan={2}>
            {columns.way}
          </th>
          <th scope="col">{columns.grace}</th>
          <th scope="col">{columns.end}</th>
          <th scope="col">{columns.condition}</th>
          <th scope="col">{columns.object}</th>
          <th scope="col">{columns.budget}</th>
          <th scope="col">{columns.owner}</th>
          <th scope="col">{columns.run}</th>
        </tr>
      </thead>
      {forecasts.map((forecast) => (
        <LossRows
          key={forecast.way}
          forecast={forecast}
          outcome={outcomes[forecast.way]}
          isRefused={isRunning}
          onRun={() => run([forecast.way])}
        />
      ))}
    </table>
  )
}

function OfPod({
  podKey,
  choice,
}: {
  readonly podKey: PodKey
  readonly choice: ReactNode
}): ReactNode {
  const losses = useLosses(podKey)
  const { forecasts, outcomes, isRunning, run, clear } = losses
  const { run: runs, same } = tally(outcomes)
  const runAll = (): void => {
    if (forecasts !== null) run(lossWays)
  }
  usePageKeys(({ key }) => {
    if (key === 'a') runAll()
    else if (key === 'r') clear()
    else return false
    return true
  })
  return (
    <section
      className={classNames(panel['panel'], panel['fill'], styles['losses'])}
      aria-label={words.title}
    >
      <header>
        {choice}
        <output>{runs === 0 ? '' : words.count(runs, same)}</output>
        <Button
          isSmall
          variant="primary"
          isRefused={isRunning || forecasts === null}
          onClick={runAll}
        >
          {words.runAll}
        </Button>
        <Button isSmall isRefused={isRunning || Object.keys(outcomes).length === 0} onClick={clear}>
          {words.clear}
        </Button>
        <SectionTag section="termination#ways-to-stop-a-pod" />
      </header>
      <p className={panel['none']}>{words.meaning}</p>
      <div className={styles['scroll']}>
        <Table losses={losses} />
      </div>
    </section>
  )
}

function podsOf({ rankings }: PressureView): readonly RankedPod[] {
  return rankings.find(({ signal }) => signal === 'memory.available')?.pods ?? []
}

/** All ways to lose a pod of the node, as they are forecast and as they are on a copy. */
export function Losses({
  node,
  view,
}: {
  readonly node: NodeRef
  readonly view: PressureView
}): ReactNode {
  const cursor = useAppState((state) => state.cursor)
  const [chosen, setChosen] = useState<string | null>(null)
  const pods = podsOf(view)
  const isThere = (uid: string | null): boolean => pods.some((pod) => pod.uid === uid)
  const selected = pods.find(({ uid }) => podKeyOn(node, uid) === cursor)?.uid
  const uid =
    chosen !== null && isThere(chosen)
      ? chosen
      : (selected ?? (pods.find(({ never }) => never === '') ?? pods[0])?.uid)
  if (uid === undefined) return <p className={panel['none']}>{words.noPods}</p>
  const choice = (
    <label className={styles['choice']}>
      {words.pod}{' '}
      <select value={uid} onChange={({ target }) => setChosen(target.value)}>
        {pods.map((pod) => (
          <option key={pod.uid} value={pod.uid}>
            {pod.namespace}/{pod.name}
          </option>
        ))}
      </select>
    </label>
  )
  return <OfPod key={uid} podKey={podKeyOn(node, uid)} choice={choice} />
}
