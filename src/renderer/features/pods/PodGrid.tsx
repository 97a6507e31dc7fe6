/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are placed by transforms and share one grid template, which table elements do not take */
import type { Range } from '@tanstack/react-virtual'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { defaultDrawerWidth } from '../../store/slices/detail-slice.ts'
import type { State } from '../../store/state.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { columnsFor, gridTemplate, nameLetters, widthOf } from './columns.ts'
import { drawnRows } from './drawn-rows.ts'
import { GridHead } from './GridHead.tsx'
import { HeldOrder } from './held-order.ts'
import { PodRowView } from './PodRowView.tsx'
import styles from './PodGrid.module.css'
import { useMarks } from './use-marks.ts'
import { useTableKind } from './use-table-kind.ts'
import { classNames } from '../../ui/class-names.ts'
import { movedIndex } from '../../ui/list/list-keys.ts'
import { useWidth } from '../../ui/use-width.ts'

const rowHeight = 28

/** How much wider the drawer is than its default, in px. */
function drawerExcess({ isDrawerOpen, drawerWidth }: State): number {
  return isDrawerOpen && drawerWidth !== null ? Math.max(0, drawerWidth - defaultDrawerWidth) : 0
}

function useHeldOrder(): HeldOrder {
  const { order } = useStore()
  const held = useMemo(() => new HeldOrder({ order }), [order])
  useEffect(() => {
    held.start()
    return () => held.stop()
  }, [held])
  return held
}

function rowId(key: PodKey): string {
  return `pod-${key}`
}

/** For keys pressed outside the table. */
export interface PodGridHandle {
  readonly focus: () => void
  /** Whether the key moved to a row. */
  readonly move: (key: string) => boolean
}

/** The table of pods. It has the focus as a whole and names its active row; only visible rows are drawn. */
export function PodGrid({ ref }: { readonly ref?: Ref<PodGridHandle> }): ReactNode {
  const store = useStore()
  const held = useHeldOrder()
  const keys = useSyncExternalStore(held.subscribe, held.keys)
  const leaving = useSyncExternalStore(held.subscribe, held.leaving)
  const cursor = useAppState((state) => state.cursor)
  const isDrawerOpen = useAppState((state) => state.isDrawerOpen)
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const inner = useWidth(scroller)
  const excess = useAppState(drawerExcess)
  const kind = useTableKind()
  const { hasNodes, hasWhy, isHandbookOpen, isSeen, chosen } = kind
  const needed = chosen === null ? 0 : widthOf(columnsFor(inner, kind))
  // A wider drawer and the user's own columns hide nothing: the table keeps its width and scrolls sideways.
  const width = Math.max(inner + excess, needed)
  const isSideways = width > inner
  const template = gridTemplate(columnsFor(width, kind), width)
  const columns = useMemo(
    () => columnsFor(width, kind),
    // The same columns stay the same array, so that resizing redraws no row.
    // oxlint-disable-next-line react/exhaustive-deps
    [template, hasNodes, hasWhy, isHandbookOpen, isSeen, chosen],
  )
  const letters = nameLetters(width, kind)
  const hasFocus = useRef(false)
  const visibleRows = Math.ceil((scroller?.clientHeight ?? 0) / rowHeight)
  const rangeExtractor = useCallback(
    (range: Range) => drawnRows({ ...range, visible: visibleRows + 1 }),
    [visibleRows],
  )
  // It returns functions that must not be memoized; React Compiler is not used.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    rangeExtractor,
    scrollPaddingStart: rowHeight,
    useFlushSync: false,
  })

  const choose = useCallback(
    (key: PodKey) => {
      held.hold('focus', key)
      store.state.getState().openDrawer(key)
    },
    [held, store],
  )
  const point = useCallback((key: PodKey) => held.hold('pointer', key), [held])
  const pageRows = Math.max(1, visibleRows - 3)
  const marks = useMarks(held)
  const move = (pressed: string): boolean => {
    const at = cursor === null ? -1 : keys.indexOf(cursor)
    const index = movedIndex(pressed, { at, count: keys.length, pageRows })
    const key = index === undefined ? undefined : keys[index]
    if (index === undefined || key === undefined) return false
    if (hasFocus.current) held.hold('focus', key)
    store.state.getState().moveCursor(key)
    virtualizer.scrollToIndex(index)
    return true
  }
  useImperativeHandle(ref, () => ({ focus: () => scroller?.focus(), move }))
  /** Space marks the active row, Shift with an arrow the rows up to it, Ctrl+A all; Esc ends that. */
  const handleMarkKey = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    if ((ctrlKey || metaKey) && key.toLowerCase() === 'a') marks.markAll()
    else if (ctrlKey || metaKey) return false
    else if (key === 'Escape' && marks.marked.size > 0) marks.clear()
    else if (key === ' ' && cursor !== null) marks.mark(cursor, shiftKey)
    else if (shiftKey && (key === 'ArrowDown' || key === 'ArrowUp') && cursor !== null) {
      if (store.state.getState().tables.pods.anchor === null) marks.mark(cursor, true)
      move(key)
      const to = store.state.getState().cursor
      if (to !== null) marks.mark(to, true)
    } else return false
    return true
  }
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey) return
    if (event.target === scroller && handleMarkKey(event)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (event.ctrlKey || event.metaKey) return
    const isOpened = event.key === 'Enter' && cursor !== null && event.target === scroller
    if (isOpened) choose(cursor)
    if (!isOpened && !move(event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const items = virtualizer.getVirtualItems()
  const minWidth = isSideways ? `${width}px` : undefined
  const isCursorDrawn = cursor !== null && items.some((item) => keys[item.index] === cursor)

  return (
    <div className={styles['wrap']}>
      <div
        ref={setScroller}
        className={classNames(styles['scroller'], isSideways && styles['sideways'])}
        role="grid"
        aria-multiselectable="true"
        tabIndex={0}
        aria-label={text.pods.title}
        aria-rowcount={keys.length + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={isCursorDrawn ? rowId(cursor) : undefined}
        onKeyDown={handleKeyDown}
        onFocus={() => {
          hasFocus.current = true
          held.hold('focus', cursor)
        }}
        onBlur={() => {
          hasFocus.current = false
          held.hold('focus', null)
        }}
        onPointerLeave={() => held.hold('pointer', null)}
      >
        <GridHead
          columns={columns}
          template={template}
          minWidth={minWidth}
          isAllMarked={marks.isAllMarked}
          onMarkAll={marks.markAll}
        />
        <div
          role="rowgroup"
          className={styles['body']}
          style={{ height: `${virtualizer.getTotalSize()}px`, minWidth }}
        >
          {items.map((item) => {
            const key = keys[item.index]
            if (key === undefined) return null
            return (
              <PodRowView
                // A row that scrolls in reuses the elements of one that scrolled out: half the work of new ones.
                key={item.index % items.length}
                podKey={key}
                id={rowId(key)}
                index={item.index}
                top={item.start}
                columns={columns}
                template={template}
                nameLetters={letters}
                isOpen={isDrawerOpen && key === cursor}
                isMarked={marks.marked.has(key)}
                isCursor={key === cursor}
                isLeaving={leaving.has(key)}
                onChoose={choose}
                onMark={marks.mark}
                onPoint={point}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}
