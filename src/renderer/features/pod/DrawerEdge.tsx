import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { defaultDrawerWidth } from '../../store/slices/detail-slice.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import styles from './PodDrawer.module.css'

const minWidth = 364
const keyStep = 24

function clamped(width: number): number {
  return Math.round(Math.min(Math.max(width, minWidth), window.innerWidth))
}

/** The left edge of the drawer: dragging and the arrow keys set its width; a double click and Home restore it. */
export function DrawerEdge({
  drawer,
}: {
  readonly drawer: RefObject<HTMLElement | null>
}): ReactNode {
  const chosen = useAppState((state) => state.drawerWidth)
  const setWidth = useAppState((state) => state.setDrawerWidth)
  const widthNow = (): number => drawer.current?.getBoundingClientRect().width ?? minWidth
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowLeft') setWidth(clamped(widthNow() + keyStep))
    else if (event.key === 'ArrowRight') setWidth(clamped(widthNow() - keyStep))
    else if (event.key === 'Home') setWidth(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // ARIA window splitter pattern: a separator with a value is a control.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <hr
      aria-label={text.pod.width}
      aria-orientation="vertical"
      aria-valuemin={minWidth}
      aria-valuemax={window.innerWidth}
      aria-valuenow={chosen ?? defaultDrawerWidth}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={styles['edge']}
      onKeyDown={handleKeyDown}
      onDoubleClick={() => setWidth(null)}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        const right = drawer.current?.getBoundingClientRect().right ?? window.innerWidth
        setWidth(clamped(right - event.clientX))
      }}
    />
  )
}
