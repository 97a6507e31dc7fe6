/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are placed by transforms, which the elements of a select do not take */
import { useVirtualizer } from '@tanstack/react-virtual'
import type { ReactNode } from 'react'
import { useCallback, useEffect, useState } from 'react'
import { shallow } from 'zustand/shallow'
import type { Pair } from '../../store/rows/mirrors-order.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { listKeys } from '../../ui/list/list-keys.ts'
import { useWidth } from '../../ui/use-width.ts'
import { PairRow } from './PairRow.tsx'
import styles from './PairList.module.css'

const rowHeight = 48
/** Below this width one side is above the other. As in PairRow.module.css. */
const narrowWidth = 700
const narrowRowHeight = 116

function rowId(pair: Pair): string {
  return `pair-${pair.id}`
}

interface HeldPairs {
  readonly shown: readonly Pair[]
  readonly hold: (isHeld: boolean) => void
}

/**
 * While held, rows keep their places: new pairs come last, and pairs that have left stay, dimmed, until they are
 * released.
 */
function useHeldPairs(wanted: readonly Pair[]): HeldPairs {
  const [isHeld, hold] = useState(false)
  const [shown, setShown] = useState(wanted)
  const byId = new Map(wanted.map((pair) => [pair.id, pair]))
  const known = new Set(shown.map(({ id }) => id))
  const added = wanted.filter(({ id }) => !known.has(id))
  const next = isHeld ? [...shown.map((pair) => byId.get(pair.id) ?? pair), ...added] : wanted
  if (shallow(next, shown)) return { shown, hold }
  setShown(next)
  return { shown: next, hold }
}

/** The pairs, as a list that has the focus itself and names its chosen row; only visible rows are drawn. */
export function PairList({ pairs }: { readonly pairs: readonly Pair[] }): ReactNode {
  const { state, rows } = useStore()
  const chosen = useAppState((current) => current.pairId)
  const { shown, hold } = useHeldPairs(pairs)
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const height = useWidth(scroller) <= narrowWidth ? narrowRowHeight : rowHeight
  // It returns functions that must not be memoized; nothing here is compiled.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller,
    estimateSize: () => height,
    overscan: 6,
    useFlushSync: false,
  })
  useEffect(() => virtualizer.measure(), [virtualizer, height])
  const choose = useCallback(
    (pair: Pair) => {
      const row = rows.lastKnown(pair.key)
      if (row !== undefined) state.getState().showMirror(row.uid)
    },
    [rows, state],
  )
  const open = useCallback(({ key }: Pair) => state.getState().openDrawer(key), [state])
  const at = shown.findIndex(({ id }) => id === chosen)
  const handleKeyDown = listKeys({
    at,
    count: shown.length,
    pageRows: Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / height) - 1),
    onMove: (index) => {
      const target = shown[index]
      if (target !== undefined) choose(target)
      virtualizer.scrollToIndex(index)
    },
    onEnter: () => {
      const current = shown[at]
      if (current !== undefined) open(current)
    },
  })
  const present = new Set(pairs.map(({ id }) => id))
  const items = virtualizer.getVirtualItems()
  const active = items.some((item) => item.index === at) ? shown[at] : undefined
  return (
    <div
      ref={setScroller}
      className={styles['scroller']}
      role="listbox"
      tabIndex={0}
      aria-label={text.mirrors.list}
      aria-activedescendant={active === undefined ? undefined : rowId(active)}
      onKeyDown={handleKeyDown}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(document.activeElement === scroller)}
    >
      <div
        className={styles['body']}
        role="presentation"
        style={{ height: `${virtualizer.getTotalSize()}px` }}
      >
        {items.map((item) => {
          const pair = shown[item.index]
          return pair === undefined ? null : (
            <PairRow
              key={pair.id}
              pair={pair}
              id={rowId(pair)}
              index={item.index}
              count={shown.length}
              top={item.start}
              isChosen={pair.id === chosen}
              isLeaving={!present.has(pair.id)}
              onChoose={choose}
              onOpen={open}
            />
          )
        })}
      </div>
    </div>
  )
}
