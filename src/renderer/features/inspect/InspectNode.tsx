import type { ReactNode, RefObject } from 'react'
import { useRef, useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { InspectRow, InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import { shownCluster, shownSeenNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { ChooseNode } from '../../ui/ChooseNode.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { KeysLine } from '../../ui/KeysLine.tsx'
import { nothingSelected } from '../../ui/lanes/lane-selection.ts'
import { Note } from '../../ui/Note.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import tone from '../../ui/tone.module.css'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { useAge } from '../../ui/use-times.ts'
import { InspectTable, Sure, Worker } from './InspectTable.tsx'
import { InspectTimeline } from './InspectTimeline.tsx'
import styles from './InspectView.module.css'
import { NodeColumn } from './NodeColumn.tsx'
import { Readings } from './Readings.tsx'
import { StopSteps } from './StopSteps.tsx'

const words = text.inspect

/** How the kubelet is asked. */
function Contact({ kubelet }: Pick<InspectView, 'kubelet'>): ReactNode {
  const { contact, way, address } = kubelet
  const answers = words.contact.answers(way ?? '', address ?? '')
  return (
    <p className={styles['origin']}>{contact === 'answers' ? answers : words.contact[contact]}</p>
  )
}

/** What is missing to ask the kubelet, and its certificate if the cluster's CA did not sign it. */
function Problem({ cluster, view }: { readonly cluster: string; readonly view: InspectView }) {
  const { bridge } = useStore()
  const { problem, notKnown, certificate } = view.kubelet
  const isUntrusted = problem?.kind === 'untrusted' && certificate !== null
  return (
    <>
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
              {certificate.isPast ? null : (
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
              )}
            </>
          ) : null}
        </Note>
      )}
    </>
  )
}

/** What the chosen pod's state rests on. */
function Facts({
  row,
  now,
  ref,
}: {
  readonly row: InspectRow
  readonly now: number
  readonly ref: RefObject<HTMLElement | null>
}): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={ref} className={styles['facts']} aria-label={words.chosen} tabIndex={0}>
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
        <p className={styles['chips']}>
          <Worker worker={row.worker} />
          <Sure certainty={row.certainty} />
        </p>
        {row.disagreement === null ? null : (
          <p className={styles['mark']}>{row.disagreement.text}</p>
        )}
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

/**
 * Enter opens the chosen pod, W why it is where it is, Y its YAML. The API may not have it, and then there are only its facts.
 * While the focus is in the drawer, these keys are the drawer's.
 */
function useOpenKeys(
  key: PodKey | undefined,
  main: RefObject<HTMLElement | null>,
  facts: RefObject<HTMLElement | null>,
): void {
  const { rows } = useStore()
  const isDrawerOpen = useAppState((state) => state.isDrawerOpen)
  const openDrawer = useAppState((state) => state.openDrawer)
  usePageKeys((event) => {
    const focused = document.activeElement
    const isOpen = event.key === 'Enter' && focused?.matches('[data-pod]') === true
    const tab = ({ w: 'summary', y: 'yaml' } as const)[event.key]
    if (key === undefined || (tab === undefined && !isOpen)) return false
    if (isDrawerOpen && main.current?.contains(focused) !== true) return false
    if (rows.lastKnown(key) === undefined) facts.current?.focus()
    else openDrawer(key, tab)
    return true
  })
}

type Shown = 'table' | 'timeline'
type Which = 'all' | 'marked' | 'static'

const matches: Readonly<Record<Which, (row: InspectRow) => boolean>> = {
  all: () => true,
  marked: ({ disagreement }) => disagreement !== null,
  static: ({ isStatic }) => isStatic,
}

/** Which pods are shown, with how many they are. */
function Filter({
  rows,
  which,
  onChange,
}: {
  readonly rows: readonly InspectRow[]
  readonly which: Which
  readonly onChange: (which: Which) => void
}): ReactNode {
  const segments = (['all', 'marked', 'static'] as const).map((value) => ({
    value,
    label: words.filter[value](rows.filter(matches[value]).length),
  }))
  return (
    <Segmented label={words.filter.label} segments={segments} value={which} onChange={onChange} />
  )
}

const shownAs: readonly { readonly value: Shown; readonly label: string }[] = [
  { value: 'table', label: words.shown.table },
  { value: 'timeline', label: words.shown.timeline },
]

function View({ cluster, view }: { readonly cluster: ClusterView; readonly view: InspectView }) {
  const showLog = useAppState((state) => state.showLog)
  const [shown, setShown] = useState<Shown>('table')
  const [which, setWhich] = useState<Which>('all')
  const [selection, select] = useState(nothingSelected)
  const rows = view.rows.filter(matches[which])
  // Lanes have the keys of the API's objects.
  const keyOf = ({ apiUid, uid }: InspectRow): string =>
    `${cluster.id}/${view.node}/${apiUid ?? uid}`
  const chosen = rows.find((row) => keyOf(row) === selection.pod)
  const row = selection.pod === null || shown === 'table' ? (chosen ?? rows[0]) : chosen
  const keys = new Set(rows.map(keyOf))
  const main = useRef<HTMLDivElement>(null)
  const facts = useRef<HTMLElement>(null)
  useOpenKeys(row === undefined ? undefined : keyOf(row), main, facts)
  const choose = (uid: string): void => {
    const found = view.rows.find((each) => each.uid === uid)
    if (found !== undefined && keyOf(found) !== selection.pod)
      select({ ...nothingSelected, pod: keyOf(found) })
  }
  return (
    <div className={styles['columns']}>
      <div ref={main} className={styles['main']}>
        <div className={styles['head']}>
          <div className={styles['line']}>
            <h1>{view.node}</h1>
            <NodeFacts cluster={cluster.id} />
            <Contact kubelet={view.kubelet} />
            <span className={styles['grow']} />
            <Segmented
              label={words.shown.label}
              segments={shownAs}
              value={shown}
              onChange={setShown}
            />
            <Button icon="log" onClick={() => showLog(null)}>
              {words.readLog}
            </Button>
          </div>
          <div className={styles['line']}>
            <Readings cluster={cluster.id} view={view} />
            <Filter rows={view.rows} which={which} onChange={setWhich} />
          </div>
          <Problem cluster={cluster.id} view={view} />
        </div>
        {shown === 'timeline' ? (
          <InspectTimeline
            cluster={cluster}
            node={view.node}
            isShown={({ id }) => which === 'all' || keys.has(id)}
            selection={selection}
            onSelect={select}
          />
        ) : rows.length === 0 ? (
          <EmptyState title={words.filter.none}>{words.filter.noneMeaning[which]}</EmptyState>
        ) : (
          <InspectTable rows={rows} chosen={row?.uid} onChoose={choose} />
        )}
        {row === undefined ? null : <Facts ref={facts} row={row} now={view.at} />}
        <KeysLine keys={shown === 'table' ? words.keys : words.timelineKeys}>
          <span>{words.summary(view.rows.length, view.rows.filter(matches.marked).length)}</span>
        </KeysLine>
      </div>
      <NodeColumn cluster={cluster.id} view={view} />
    </div>
  )
}

/** One node of a real cluster: its pods as the API and its kubelet have them, and the state that each worker must be in. */
export function InspectNode(): ReactNode {
  const cluster = useAppState(shownCluster)
  const node = useAppState((state) => shownSeenNode(state)?.name)
  const view = useAppState((state) => state.inspected)
  const answer = useAppState((state) => state.inspectState)
  if (cluster === undefined || node === undefined)
    return <ChooseNode meaning={words.chooseMeaning} />
  // What was asked of another node must not stand under this node's name.
  if (view === null || view.node !== node)
    return (
      <p className={styles['nothing']}>{answer === 'gone' ? words.gone(node) : words.loading}</p>
    )
  if (view.nothing !== undefined) return <p className={styles['nothing']}>{view.nothing}</p>
  return <View key={node} cluster={cluster} view={view} />
}
