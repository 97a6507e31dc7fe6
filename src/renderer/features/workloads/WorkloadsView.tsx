import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import type { WorkloadsView as Workloads } from '../../../shared/model/workloads/workloads.ts'
import { canApply } from '../../store/offered-views.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { useObserved } from '../../store/use-observed.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterField } from '../../ui/FilterField.tsx'
import { KeysLine } from '../../ui/KeysLine.tsx'
import { Note } from '../../ui/Note.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { NoNode } from './NoNode.tsx'
import { OwnerActs } from './OwnerActs.tsx'
import { OwnerCard, PodLines } from './OwnerCard.tsx'
import { hasName, isUnready, ownerTrees } from './owner-tree.ts'
import type { OwnerTree } from './owner-tree.ts'
import { useOwnedPods } from './use-owned-pods.ts'
import { useWorkloadKeys } from './use-workload-keys.ts'
import styles from './WorkloadsView.module.css'

const words = text.workloads

type OwnerSegment = 'all' | 'unready'

/** How many static and mirror pods the cluster has: their owner is a node. */
function useOfNode(cluster: string): number {
  const { rows } = useStore()
  return useObserved(rows, () => {
    let count = 0
    for (const row of rows.values())
      if (row.cluster === cluster && row.kind !== 'regular') count += 1
    return count
  })
}

function OfNode({ cluster }: { readonly cluster: string }): ReactNode {
  const count = useOfNode(cluster)
  const show = useAppState((state) => state.show)
  if (count === 0) return null
  return (
    <section className={styles['line']}>
      <Glyph name="static" />
      <h2>{words.ofNode}</h2>
      <span>{words.ofNodeMeaning(count)}</span>
      <Button isSmall onClick={() => show('mirrors')}>
        {words.toMirrors}
      </Button>
    </section>
  )
}

function Problems({ problems }: Pick<Workloads, 'problems'>): ReactNode {
  return problems.map(({ resource, message, missingRule }) => (
    <Note key={resource} variant="warn" icon="warn">
      <p>
        {words.problem(resource)} {message}
      </p>
      {missingRule === '' ? null : <pre>{missingRule}</pre>}
    </Note>
  ))
}

function Owners({
  cluster,
  view,
  trees,
  isFiltered,
}: {
  readonly cluster: string
  readonly view: Workloads
  readonly trees: readonly OwnerTree[]
  readonly isFiltered: boolean
}): ReactNode {
  const free = useOwnedPods(cluster).get('') ?? []
  const replacements = new Map(view.replacements.map((one) => [one.owner, one]))
  return (
    <>
      <Problems problems={view.problems} />
      {trees.map((tree) => (
        <OwnerCard
          key={tree.owner.uid}
          tree={tree}
          replacements={replacements}
          acts={<OwnerActs owner={tree.owner} />}
        />
      ))}
      {isFiltered || free.length === 0 ? null : (
        <section className={styles['card']} aria-label={words.noOwner}>
          <header>
            <h2>{words.noOwner}</h2>
            <span className={styles['namespace']}>{words.noOwnerMeaning}</span>
          </header>
          <PodLines of={words.noOwner} pods={free} />
        </section>
      )}
      {isFiltered ? null : <OfNode cluster={cluster} />}
    </>
  )
}

function View({ cluster, view }: { readonly cluster: string; readonly view: Workloads }) {
  const [segment, setSegment] = useState<OwnerSegment>('all')
  const [typed, setTyped] = useState('')
  const filter = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const openApply = useAppState((state) => state.openApply)
  const canBeApplied = useAppState((state) => canApply(shownCluster(state)))
  const pods = useOwnedPods(cluster)
  const all = ownerTrees(view.owners, pods)
  const unready = all.filter(isUnready)
  const trees = (segment === 'all' ? all : unready).filter((tree) => hasName(tree, typed))
  useWorkloadKeys({ list, filter })
  const isFiltered = segment !== 'all' || typed.trim() !== ''
  const podCount = [...pods.values()].reduce((sum, { length }) => sum + length, 0)
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>{words.title}</h1>
        <p>{words.summary}</p>
        <span className={styles['grow']} />
        {canBeApplied ? (
          <Button icon="edit" title={text.apply.keys.open} onClick={() => openApply(cluster)}>
            {text.apply.open}
          </Button>
        ) : null}
        <Segmented
          label={words.segment}
          value={segment}
          onChange={setSegment}
          segments={[
            { value: 'all', label: words.all },
            {
              value: 'unready',
              label: (
                <>
                  {words.notReady} <span className={styles['count']}>{unready.length}</span>
                </>
              ),
            },
          ]}
        />
        <FilterField
          ref={filter}
          label={words.filter}
          placeholder={words.filterHint}
          text={typed}
          shown={trees.length}
          total={all.length}
          onChange={setTyped}
          onLeave={() => list.current?.querySelector<HTMLElement>('[data-pod]')?.focus()}
        />
      </div>
      <div className={styles['columns']}>
        <div ref={list} className={styles['list']}>
          <Owners cluster={cluster} view={view} trees={trees} isFiltered={isFiltered} />
          {trees.length > 0 ? null : (
            <div className={styles['nothing']}>
              {isFiltered ? (
                <p>{words.noMatch}</p>
              ) : (
                <EmptyState title={words.none}>{words.noneMeaning}</EmptyState>
              )}
            </div>
          )}
        </div>
        <NoNode cluster={cluster} pods={view.unbound} />
      </div>
      <KeysLine keys={words.keys}>
        <span className={styles['total']}>{words.counts(all.length, podCount)}</span>
      </KeysLine>
    </div>
  )
}

/** The pods of a cluster below their owners, and the pods that no node has. */
export function WorkloadsView(): ReactNode {
  const cluster = useAppState((state) => shownCluster(state)?.id ?? '')
  const view = useAppState((state) => state.workloads)
  if (view === null) return <p className={styles['loading']}>{words.loading}</p>
  if (view.nothing !== '') return <EmptyState title={words.nothing}>{view.nothing}</EmptyState>
  return <View key={cluster} cluster={cluster} view={view} />
}
