import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'
import type { Pair } from '../../store/rows/mirrors-order.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import styles from './MirrorsView.module.css'
import { PairCompare } from './PairCompare.tsx'
import { PairList } from './PairList.tsx'
import { UidTranslator } from './UidTranslator.tsx'

function isBroken({ state }: Pair): boolean {
  return state !== 'equal'
}

function Head({ pairs }: { readonly pairs: readonly Pair[] }): ReactNode {
  const segment = useAppState((state) => state.pairSegment)
  const setSegment = useAppState((state) => state.setPairSegment)
  const broken = pairs.filter(isBroken).length
  const statics = pairs.filter(({ state }) => state !== 'orphaned').length
  const mirrors = pairs.filter(({ state }) => state !== 'missing').length
  return (
    <div className={styles['head']}>
      <h1>Mirror pods</h1>
      <p>
        {statics} {statics === 1 ? 'static pod' : 'static pods'}, {mirrors}{' '}
        {mirrors === 1 ? 'mirror' : 'mirrors'}
        {broken === 0 ? null : <span className={styles['broken']}>, {broken} not a pair</span>}
      </p>
      <span className={styles['grow']} />
      <Segmented
        label="Pair filter"
        value={segment}
        onChange={setSegment}
        segments={[
          { value: 'all', label: `All ${pairs.length}` },
          {
            value: 'broken',
            label: `Not a pair ${broken}`,
            title: 'Mirror missing, orphaned, being deleted, or of another version',
          },
        ]}
      />
    </div>
  )
}

function NoPairs(): ReactNode {
  const isKnown = useAppState((state) => state.program !== null)
  const showManifest = useAppState((state) => state.showManifest)
  if (!isKnown) return null
  return (
    <EmptyState
      title="No static pods yet"
      act={
        <Button look="primary" icon="plus" onClick={() => showManifest(null)}>
          Open Manifests
        </Button>
      }
    >
      A manifest in the kubelet’s folder defines a static pod, which the kubelet runs without the
      API server. To make it visible to kubectl, the kubelet creates a mirror pod in the API. The
      two have different UIDs. The mirror is current while its config.mirror annotation equals the
      static pod’s config.hash.
    </EmptyState>
  )
}

function AllPairs({ count }: { readonly count: number }): ReactNode {
  const setSegment = useAppState((state) => state.setPairSegment)
  return (
    <EmptyState
      title="Every static pod has a mirror"
      act={<Button onClick={() => setSegment('all')}>Show all {count}</Button>}
    >
      All hashes are equal: the API shows the running pods. If you delete a mirror or edit a
      manifest, the pair is listed here until the kubelet recreates the mirror.
    </EmptyState>
  )
}

/** Does the API show what runs: each static pod beside its mirror, and what holds them together. */
export function MirrorsView(): ReactNode {
  const { pairs: order } = useStore()
  const pairs = useSyncExternalStore(order.subscribe, order.pairs)
  const segment = useAppState((state) => state.pairSegment)
  const chosenId = useAppState((state) => state.pairId)
  const shown = segment === 'all' ? pairs : pairs.filter(isBroken)
  const chosen = shown.find(({ id }) => id === chosenId) ?? undefined
  return (
    <div className={styles['view']}>
      <Head pairs={pairs} />
      <UidTranslator />
      {shown.length === 0 ? (
        <div className={styles['nothing']}>
          {pairs.length === 0 ? <NoPairs /> : <AllPairs count={pairs.length} />}
        </div>
      ) : null}
      {shown.length === 0 ? null : (
        <>
          <div className={styles['columns']} aria-hidden="true">
            <span>Static pod, what the kubelet runs</span>
            <span>config.mirror</span>
            <span>Mirror pod, what the API server shows</span>
          </div>
          <PairList pairs={shown} />
          {chosen === undefined ? null : <PairCompare pair={chosen} />}
        </>
      )}
    </div>
  )
}
