import type { ReactNode } from 'react'
import { useState } from 'react'
import type { InspectRow, InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import { shownCluster, shownSeenNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { ChooseNode } from '../../ui/ChooseNode.tsx'
import { classNames } from '../../ui/class-names.ts'
import { KeysLine } from '../../ui/KeysLine.tsx'
import { Note } from '../../ui/Note.tsx'
import tone from '../../ui/tone.module.css'
import { useAge } from '../../ui/use-times.ts'
import { InspectTable } from './InspectTable.tsx'
import styles from './InspectView.module.css'
import { StopSteps } from './StopSteps.tsx'
import { NodeColumn } from './NodeColumn.tsx'

const words = text.inspect

/** How the kubelet is asked, what is missing for it, and its certificate if the cluster's CA did not sign it. */
function Kubelet({ cluster, view }: { readonly cluster: string; readonly view: InspectView }) {
  const { bridge } = useStore()
  const { contact, way, address, problem, notKnown, certificate } = view.kubelet
  const answers = words.contact.answers(way ?? '', address ?? '')
  const isUntrusted = problem?.kind === 'untrusted' && certificate !== null
  return (
    <>
      <p className={styles['origin']}>{contact === 'answers' ? answers : words.contact[contact]}</p>
      {problem === null ? null : (
        <Note variant="warn" icon="warn">
          <p>{problem.message}</p>
          {notKnown.map((line) => (
            <p key={line}>{line}</p>
          ))}
          {isUntrusted ? (
            <>
              <p>{words.certificate.title}</p>
              <p>{words.certificate.facts(certificate.subject, certificate.fingerprint)}</p>
              <Button
                isSmall
                onClick={() =>
                  void bridge.request('inspect.acceptCertificate', {
                    cluster,
                    node: view.node,
                    fingerprint: certificate.fingerprint,
                  })
                }
              >
                {words.certificate.accept}
              </Button>
            </>
          ) : null}
        </Note>
      )}
    </>
  )
}

/** What the chosen pod's state rests on. */
function Facts({ row, now }: { readonly row: InspectRow; readonly now: number }): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['facts']} aria-label={words.chosen} tabIndex={0}>
      <section aria-label={words.facts}>
        <h2>{row.name}</h2>
        <ul>
          {row.evidence.map(({ fact, value, origin }) => (
            <li key={`${origin} ${fact}`}>
              <span>
                {fact} <code>{value}</code>
              </span>
              <small>{origin}</small>
            </li>
          ))}
        </ul>
      </section>
      <section aria-label={words.because}>
        <h2>{words.because}</h2>
        <p>{row.because}</p>
        <p>{row.notKnown}</p>
      </section>
      {row.stop === null ? null : <StopSteps stop={row.stop} now={now} />}
    </section>
  )
}

/** STATUS, version and age of the Node. */
function NodeFacts({ cluster }: { readonly cluster: string }): ReactNode {
  const node = useAppState(shownSeenNode)
  const age = useAge(cluster, node?.createdAt ?? null)
  if (node === undefined) return null
  const isReady = node.status.startsWith('Ready')
  return (
    <>
      <span className={classNames(styles['status'], tone[isReady ? 'ok' : 'error'])}>
        {node.status}
      </span>
      <p>{[node.kubeletVersion, age].filter(Boolean).join(', ')}</p>
    </>
  )
}

function View({ cluster, view }: { readonly cluster: string; readonly view: InspectView }) {
  const [chosen, setChosen] = useState<string>()
  const row = view.rows.find(({ uid }) => uid === chosen) ?? view.rows[0]
  const marked = view.rows.filter(({ disagreement }) => disagreement !== null).length
  return (
    <div className={styles['columns']}>
      <div className={styles['main']}>
        <div className={styles['head']}>
          <h1>{view.node}</h1>
          <NodeFacts cluster={cluster} />
          <p>{words.summary(view.rows.length, marked)}</p>
          <Kubelet cluster={cluster} view={view} />
        </div>
        <InspectTable rows={view.rows} chosen={row?.uid} onChoose={setChosen} />
        {row === undefined ? null : <Facts row={row} now={view.at} />}
        <KeysLine keys={words.keys} />
      </div>
      <NodeColumn cluster={cluster} view={view} />
    </div>
  )
}

/** One node of a real cluster: its pods as the API and its kubelet have them, and the state that each worker must be in. */
export function InspectNode(): ReactNode {
  const cluster = useAppState((state) => shownCluster(state)?.id ?? '')
  const node = useAppState((state) => shownSeenNode(state)?.name)
  const view = useAppState((state) => state.inspected)
  const answer = useAppState((state) => state.inspectState)
  if (node === undefined) return <ChooseNode meaning={words.chooseMeaning} />
  // What was asked of another node must not stand under this node's name.
  if (view === null || view.node !== node)
    return (
      <p className={styles['nothing']}>{answer === 'gone' ? words.gone(node) : words.loading}</p>
    )
  return <View key={node} cluster={cluster} view={view} />
}
