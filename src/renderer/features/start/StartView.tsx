import type { ReactNode } from 'react'
import { useCallback, useRef, useSyncExternalStore } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { isCutOff } from '../../store/state.ts'
import type { RowScope } from '../../store/shown-node.ts'
import { isInScope, shownCluster, shownManifestsPath, shownNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { countOf } from '../../words/time.ts'
import { HereNow } from './HereNow.tsx'
import { ClockLesson, GraceLesson, ManifestLesson, MirrorLesson } from './Lessons.tsx'
import { graceExample, mirrorExample, whatIsHere } from './start-facts.ts'
import styles from './StartView.module.css'

function byName(left: PodRow, right: PodRow): number {
  if (left.kind !== right.kind) return left.kind === 'static' ? -1 : right.kind === 'static' ? 1 : 0
  return left.name < right.name ? -1 : 1
}

/** All rows of a scope, sorted; a new array only when something has changed. */
function useRows(scope: RowScope): readonly PodRow[] {
  const { rows } = useStore()
  const cache = useRef<readonly PodRow[] | undefined>(undefined)
  const subscribe = useCallback(
    (listener: () => void) =>
      rows.subscribe(() => {
        cache.current = undefined
        listener()
      }),
    [rows],
  )
  return useSyncExternalStore(subscribe, () => {
    cache.current ??= [...rows.values()].filter((row) => isInScope(row, scope)).toSorted(byName)
    return cache.current
  })
}

function Kubectl({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const equals = cluster.exportLine.indexOf('=')
  if (cluster.exportLine === '')
    return (
      <p className={styles['own']}>
        kubectl reaches this cluster through your own kubeconfig, context{' '}
        <code>{cluster.label}</code>: what it does shows here at once.
      </p>
    )
  return (
    <div>
      <div className={styles['line']}>
        <Icon name="term" />
        <code className={styles['export']}>
          {cluster.exportLine.slice(0, equals + 1)}
          <em>{cluster.exportLine.slice(equals + 1)}</em>
        </code>
        <CopyButton value={cluster.exportLine} label="Copy the export line" words="Copy" />
      </div>
      <p className={styles['after']}>
        Paste it into a terminal and use your own kubectl. Changes show on both sides at once.
      </p>
    </div>
  )
}

function Hero({
  cluster,
  node,
  rows,
}: {
  readonly cluster: ClusterView
  readonly node: string
  readonly rows: readonly PodRow[]
}): ReactNode {
  return (
    <div className={styles['hero']}>
      <div>
        <h1 className={styles['title']}>
          {cluster.sandbox ? 'A cluster is running.' : `A node of ${cluster.label}.`}
        </h1>
        <p className={styles['facts']}>
          {whatIsHere(cluster, node, rows)}{' '}
          {cluster.sandbox
            ? 'Nothing outside Nodescope is affected.'
            : `The API server is ${cluster.server}.`}
        </p>
      </div>
      <Kubectl cluster={cluster} />
    </div>
  )
}

function Lessons({
  cluster,
  node,
  rows,
}: {
  readonly cluster: ClusterView
  readonly node: string
  /** Of the whole cluster: a pod of another node does where the shown one has none. */
  readonly rows: readonly PodRow[]
}): ReactNode {
  const from = { node, now: cluster.clock.now }
  const mirror = mirrorExample(rows, from)
  const grace = graceExample(rows, from)
  const isGraceTried = useAppState((state) => state.graceTry !== null)
  const manifestsPath = useAppState(shownManifestsPath)
  const lessons = [
    mirror === undefined
      ? null
      : (number: number) => (
          <MirrorLesson key="mirror" number={number} row={mirror} cluster={cluster} />
        ),
    grace === undefined && !isGraceTried
      ? null
      : (number: number) => (
          <GraceLesson key="grace" number={number} row={grace} cluster={cluster} />
        ),
    cluster.clock.virtual
      ? (number: number) => <ClockLesson key="clock" number={number} cluster={cluster} />
      : manifestsPath === ''
        ? null
        : (number: number) => (
            <ManifestLesson key="manifest" number={number} path={manifestsPath} />
          ),
  ].filter((lesson) => lesson !== null)
  if (lessons.length === 0) return null
  const title = countOf(lessons.length, 'thing')
  return (
    <>
      <h2
        className={styles['try']}
      >{`${title.charAt(0).toUpperCase()}${title.slice(1)} to try`}</h2>
      <ol className={styles['lessons']}>{lessons.map((lesson, index) => lesson(index + 1))}</ol>
    </>
  )
}

function Opened({
  cluster,
  node,
}: {
  readonly cluster: ClusterView
  readonly node: string
}): ReactNode {
  const all = useRows({ cluster: cluster.id, node: null })
  const rows = all.filter((row) => row.node === node)
  return (
    <>
      <div className={styles['page']}>
        <Hero cluster={cluster} node={node} rows={rows} />
        <Lessons cluster={cluster} node={node} rows={all} />
      </div>
      <HereNow rows={rows} />
    </>
  )
}

/** A first success within a minute: what runs, how kubectl gets at it, what to try. */
export function StartView({ notices }: { readonly notices: ReactNode }): ReactNode {
  const isCut = useAppState((state) => isCutOff(state.link))
  const cluster = useAppState(shownCluster)
  const node = useAppState((state) => shownNode(state)?.name ?? '')
  return (
    <div className={styles['view']}>
      {notices}
      {cluster === undefined ? (
        <p className={styles['opening']}>{isCut ? '' : 'Loading.'}</p>
      ) : (
        <Opened key={`${cluster.id}/${node}`} cluster={cluster} node={node} />
      )}
    </div>
  )
}
