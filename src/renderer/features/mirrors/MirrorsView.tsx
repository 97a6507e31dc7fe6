import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'
import type { Pair } from '../../store/rows/mirrors-order.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import styles from './MirrorsView.module.css'
import { PairCompare } from './PairCompare.tsx'
import { PairList } from './PairList.tsx'
import { UidTranslator } from './UidTranslator.tsx'

const words = text.mirrors

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
      <h1>{words.title}</h1>
      <p>
        {words.counts(statics, mirrors)}
        {broken === 0 ? null : <span className={styles['broken']}>{words.broken(broken)}</span>}
      </p>
      <span className={styles['grow']} />
      <Segmented
        label={words.filter.label}
        value={segment}
        onChange={setSegment}
        segments={[
          { value: 'all', label: words.filter.all(pairs.length) },
          { value: 'broken', label: words.filter.broken(broken), title: words.filter.brokenTitle },
        ]}
      />
    </div>
  )
}

function NoPairs(): ReactNode {
  const isKnown = useAppState((state) => state.program !== null)
  const showManifest = useAppState((state) => state.showManifest)
  if (!isKnown) return null
  const { title, act, explanation } = words.noPairs
  const button = (
    <Button variant="primary" icon="plus" onClick={() => showManifest(null)}>
      {act}
    </Button>
  )
  return (
    <EmptyState title={title} act={button}>
      {explanation}
    </EmptyState>
  )
}

function NoBrokenPairs({ count }: { readonly count: number }): ReactNode {
  const setSegment = useAppState((state) => state.setPairSegment)
  const { title, act, explanation } = words.noBrokenPairs
  return (
    <EmptyState title={title} act={<Button onClick={() => setSegment('all')}>{act(count)}</Button>}>
      {explanation}
    </EmptyState>
  )
}

/** Each static pod next to its mirror, and whether the API shows what runs. */
export function MirrorsView(): ReactNode {
  const { pairs: order } = useStore()
  const pairs = useSyncExternalStore(order.subscribe, order.pairs)
  const segment = useAppState((state) => state.pairSegment)
  const chosenId = useAppState((state) => state.pairId)
  const shown = segment === 'all' ? pairs : pairs.filter(isBroken)
  const chosen = shown.find(({ id }) => id === chosenId)
  return (
    <div className={styles['view']}>
      <Head pairs={pairs} />
      <UidTranslator />
      {shown.length === 0 ? (
        <div className={styles['nothing']}>
          {pairs.length === 0 ? <NoPairs /> : <NoBrokenPairs count={pairs.length} />}
        </div>
      ) : (
        <>
          <div className={styles['columns']} aria-hidden="true">
            {words.columns.map((column) => (
              <span key={column}>{column}</span>
            ))}
          </div>
          <PairList pairs={shown} />
          {chosen === undefined ? null : <PairCompare pair={chosen} />}
        </>
      )}
    </div>
  )
}
