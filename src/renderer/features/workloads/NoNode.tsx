import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { NodeVerdict, UnboundPod } from '../../../shared/model/workloads/workloads.ts'
import { useAnswer } from '../../store/requests/use-answer.ts'
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

function askVerdicts(
  bridge: Bridge,
  asked: { readonly cluster: string; readonly pod: string },
): Promise<readonly NodeVerdict[] | null> {
  return bridge.request('workloads.verdicts', asked)
}

/** What the filters say of each node; nothing where only the message is known. */
function NodeByNode({
  cluster,
  pod,
  version,
}: {
  readonly cluster: string
  readonly pod: string
  readonly version: unknown
}): ReactNode {
  const verdicts = useAnswer(words.request, { cluster, pod }, askVerdicts, version).value
  if (verdicts === null) return null
  return (
    <>
      <h3 className={styles['nodes']}>
        {words.nodes} <span>{words.nodesMeaning}</span>
      </h3>
      {/* It scrolls, so the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={styles['verdicts']} aria-label={words.nodes} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.node}</th>
              <th scope="col">{words.filter}</th>
              <th scope="col">{words.reason}</th>
            </tr>
          </thead>
          <tbody>
            {verdicts.map(({ node, plugin, reasons, mayPreempt }) => (
              <tr key={node}>
                <th scope="row">{node}</th>
                <td>{plugin}</td>
                <td>
                  {plugin === '' ? words.passes : reasons.join(', ')}
                  {mayPreempt ? ` ${words.mayPreempt}` : ''}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** What the scheduler has said of a pod, whole. */
function Why({
  cluster,
  pod,
  version,
}: {
  readonly cluster: string
  readonly pod: UnboundPod
  /** Changes with the view: the verdicts may be others. */
  readonly version: unknown
}): ReactNode {
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
          <NodeByNode cluster={cluster} pod={pod.uid} version={version} />
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
      {pod === undefined ? null : <Why cluster={cluster} pod={pod} version={pods} />}
    </div>
  )
}
