import type { ReactNode } from 'react'
import { useState } from 'react'
import type { UnboundPod } from '../../../shared/model/workloads/workloads.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { useAge } from '../../ui/use-times.ts'
import styles from './NoNode.module.css'

const words = text.workloads.unbound

function Row({
  cluster,
  pod,
  isChosen,
  onChoose,
}: {
  readonly cluster: string
  readonly pod: UnboundPod
  readonly isChosen: boolean
  readonly onChoose: () => void
}): ReactNode {
  const age = useAge(cluster, pod.createdAt)
  return (
    <li className={classNames(isChosen && styles['selected'])}>
      <Glyph name="noNode" className={styles['waiting']} />
      <button
        type="button"
        className={styles['name']}
        aria-pressed={isChosen}
        title={`${pod.namespace}/${pod.name}`}
        onClick={onChoose}
      >
        {pod.name}
      </button>
      <span className={styles['age']}>{pod.gates.length === 0 ? age : words.held(pod.gates)}</span>
    </li>
  )
}

/** What the scheduler has said of a pod, whole. */
function Why({ pod }: { readonly pod: UnboundPod }): ReactNode {
  const isGated = pod.gates.length > 0
  return (
    <section className={styles['panel']} aria-label={words.why}>
      <header>
        <h2>{words.why}</h2>
        <span>{pod.name}</span>
      </header>
      {isGated ? <p className={styles['note']}>{words.gates(pod.gates)}</p> : null}
      {!isGated && pod.message === '' ? <p className={styles['note']}>{words.notTried}</p> : null}
      {pod.message === '' || isGated ? null : (
        <>
          <p className={styles['message']}>{pod.message}</p>
          <p className={styles['origin']}>
            {words.seen}, {pod.reason}
          </p>
          {pod.nominatedNode === '' ? null : (
            <p className={styles['note']}>{words.nominated(pod.nominatedNode)}</p>
          )}
          <p className={styles['note']}>
            <b>{words.again}</b> {words.againMeaning}
          </p>
        </>
      )}
    </section>
  )
}

/** The pods that no node has, and why. */
export function NoNode({
  cluster,
  pods,
}: {
  readonly cluster: string
  readonly pods: readonly UnboundPod[]
}): ReactNode {
  const [chosen, setChosen] = useState<string>()
  const pod = pods.find(({ uid }) => uid === chosen) ?? pods[0]
  return (
    <div className={styles['column']}>
      <section className={styles['panel']} aria-label={words.title}>
        <header>
          <h2>{words.title}</h2>
          <span>{pods.length === 0 ? words.none : words.meaning}</span>
        </header>
        <ul className={styles['list']}>
          {pods.map((one) => (
            <Row
              key={one.uid}
              cluster={cluster}
              pod={one}
              isChosen={one === pod}
              onChoose={() => setChosen(one.uid)}
            />
          ))}
        </ul>
      </section>
      {pod === undefined ? null : <Why pod={pod} />}
    </div>
  )
}
