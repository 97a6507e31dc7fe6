import type { ReactNode } from 'react'
import { useCallback, useRef, useSyncExternalStore } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { isCutOff } from '../../store/state.ts'
import type { RowScope } from '../../store/shown-node.ts'
import { isInScope, shownCluster, shownManifestsPath, shownNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { CurrentPods } from './CurrentPods.tsx'
import { ClockLesson, GraceLesson, ManifestLesson, MirrorLesson } from './Lessons.tsx'
import { clusterSummary, graceExample, mirrorExample } from './start-facts.ts'
import styles from './StartView.module.css'

const words = text.start

function byName(left: PodRow, right: PodRow): number {
  if (left.kind !== right.kind) return left.kind === 'static' ? -1 : right.kind === 'static' ? 1 : 0
  return left.name < right.name ? -1 : 1
}

/** All rows of a scope, sorted; the same array until a row changes. */
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

function KubectlAccess({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const { exportLine, label } = cluster
  const equals = exportLine.indexOf('=')
  if (exportLine === '')
    return <p className={styles['own']}>{words.ownKubeconfig(<code>{label}</code>)}</p>
  return (
    <div>
      <div className={styles['line']}>
        <Icon name="term" />
        <code className={styles['export']}>
          {exportLine.slice(0, equals + 1)}
          <em>{exportLine.slice(equals + 1)}</em>
        </code>
        <CopyButton value={exportLine} label={words.copyExport} words={words.copy} />
      </div>
      <p className={styles['after']}>{words.paste}</p>
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
  /** Of the whole cluster: a lesson may use a pod of another node. */
  readonly rows: readonly PodRow[]
}): ReactNode {
  const from = { node, now: cluster.clock.now }
  const mirror = mirrorExample(rows, from)
  const grace = graceExample(rows, from)
  const isGraceTried = useAppState((state) => state.graceTry !== null)
  const manifestsPath = useAppState(shownManifestsPath)
  const lessons = [
    mirror === undefined ? null : <MirrorLesson key="mirror" row={mirror} cluster={cluster} />,
    grace === undefined && !isGraceTried ? null : (
      <GraceLesson key="grace" row={grace} cluster={cluster} />
    ),
    cluster.clock.virtual ? (
      <ClockLesson key="clock" cluster={cluster} />
    ) : manifestsPath === '' ? null : (
      <ManifestLesson key="manifest" path={manifestsPath} />
    ),
  ].filter((lesson) => lesson !== null)
  if (lessons.length === 0) return null
  return (
    <>
      <h2 className={styles['try']}>{words.toTry(lessons.length)}</h2>
      <ol className={styles['lessons']}>{lessons}</ol>
    </>
  )
}

function Page({
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
        <div className={styles['hero']}>
          <div>
            <h1 className={styles['title']}>
              {words.title(cluster.kind === 'sandbox' ? '' : cluster.label)}
            </h1>
            <p className={styles['facts']}>
              {clusterSummary(cluster, node, rows)}{' '}
              {cluster.kind === 'sandbox' ? words.sandbox : words.server(cluster.server)}
            </p>
          </div>
          <KubectlAccess cluster={cluster} />
        </div>
        <Lessons cluster={cluster} node={node} rows={all} />
      </div>
      <CurrentPods rows={rows} />
    </>
  )
}

/** The first view: what runs, how kubectl reaches it, and what to try. */
export function StartView({ notices }: { readonly notices: ReactNode }): ReactNode {
  const isCut = useAppState((state) => isCutOff(state.link))
  const cluster = useAppState(shownCluster)
  const node = useAppState((state) => shownNode(state)?.name ?? '')
  return (
    <div className={styles['view']}>
      {notices}
      {cluster === undefined ? (
        <p className={styles['opening']}>{isCut ? '' : words.loading}</p>
      ) : (
        <Page key={`${cluster.id}/${node}`} cluster={cluster} node={node} />
      )}
    </div>
  )
}
