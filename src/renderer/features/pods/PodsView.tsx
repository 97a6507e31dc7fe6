import type { ReactNode } from 'react'
import { useCallback, useRef, useSyncExternalStore } from 'react'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { podScope } from '../../store/slices/shown-slice.ts'
import { useAppState, useStore, useTally } from '../../store/store-context.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { NamespaceFilter } from './NamespaceFilter.tsx'
import { NothingHere } from './NothingHere.tsx'
import { PodFilter } from './PodFilter.tsx'
import type { PodGridHandle } from './PodGrid.tsx'
import { PodGrid } from './PodGrid.tsx'
import styles from './PodsView.module.css'
import { usePodKeys } from './use-pod-keys.ts'

function useShownCount(): number {
  const { order } = useStore()
  const subscribe = useCallback((listener: () => void) => order.subscribe(listener), [order])
  return useSyncExternalStore(subscribe, () => order.keys().length)
}

function useCounts(): {
  readonly total: number
  readonly withoutKubelet: number
  readonly attention: number
} {
  const total = useTally(podScope, ({ rows }) => rows)
  const attention = useTally(podScope, (tally) => tally.attention)
  const withoutKubelet = useTally(podScope, (tally) => tally.withoutKubelet)
  return { total, withoutKubelet, attention }
}

/** Whose pods: only where there is a choice. */
function Nodes(): ReactNode {
  const scope = useAppState((state) => state.podScope)
  const setScope = useAppState((state) => state.setPodScope)
  const nodes = useAppState((state) => shownCluster(state)?.nodes.length ?? 0)
  const node = useAppState((state) => shownNode(state)?.name ?? '')
  if (nodes < 2) return null
  return (
    <Segmented
      label="Pods of"
      value={scope}
      onChange={setScope}
      segments={[
        { value: 'node', label: 'This node', title: `Pods on ${node}` },
        { value: 'cluster', label: 'All nodes', title: `Pods on all ${nodes} nodes` },
      ]}
    />
  )
}

function KeysLine(): ReactNode {
  return (
    <div className={styles['under']}>
      <span>
        <Kbd>J</Kbd> <Kbd>K</Kbd> move
      </span>
      <span>
        <Kbd>Enter</Kbd> open
      </span>
      <span>
        <Kbd>X</Kbd> kill…
      </span>
      <span>
        <Kbd>E</Kbd> evict through the API…
      </span>
      <span>
        <Kbd>Shift E</Kbd> by the kubelet…
      </span>
      <span>
        <Kbd>?</Kbd> all keys
      </span>
    </div>
  )
}

/** The table with what stands over and under it. `notices`: trouble that concerns all of it. */
export function PodsView({ notices }: { readonly notices: ReactNode }): ReactNode {
  const filter = useRef<HTMLInputElement>(null)
  const grid = useRef<PodGridHandle>(null)
  const { total, withoutKubelet, attention } = useCounts()
  const shown = useShownCount()
  const segment = useAppState((state) => state.segment)
  const setSegment = useAppState((state) => state.setSegment)
  usePodKeys({ filter, grid })
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>Pods</h1>
        <p>
          {total} {total === 1 ? 'pod' : 'pods'} (one worker per UID)
          {withoutKubelet === 0 ? '' : `, ${withoutKubelet} without a kubelet`}
        </p>
        <span className={styles['grow']} />
        <Nodes />
        <Segmented
          label="Pod filter"
          value={segment}
          onChange={setSegment}
          segments={[
            { value: 'all', label: 'All' },
            { value: 'static', label: 'Static', title: 'Static pods and their mirrors' },
            {
              value: 'attention',
              label: (
                <>
                  Needs attention <span className={styles['count']}>{attention}</span>
                </>
              ),
              title:
                'A failing STATUS, a worker that waits to start, a mirror missing, stale or orphaned, a finalizer that holds the object',
            },
          ]}
        />
      </div>
      <div className={styles['bar']}>
        <NamespaceFilter />
        <PodFilter ref={filter} shown={shown} total={total} onLeave={() => grid.current?.focus()} />
      </div>
      {notices}
      <div className={styles['table']}>
        <PodGrid ref={grid} />
        {shown === 0 ? <NothingHere total={total} /> : null}
      </div>
      <KeysLine />
    </div>
  )
}
