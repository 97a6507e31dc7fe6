import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { useAppState } from '../../store/store-context.ts'
import styles from './PodDrawer.module.css'

const leastWidth = 364
const keyStep = 24

function clamped(width: number): number {
  return Math.round(Math.min(Math.max(width, leastWidth), window.innerWidth))
}

/** The left edge of the drawer: drag it or use the arrow keys to set its width; a double click or Home restores it. */
export function DrawerEdge({
  drawer,
}: {
  readonly drawer: RefObject<HTMLElement | null>
}): ReactNode {
  const chosen = useAppState((state) => state.drawerWidth)
  const setWidth = useAppState((state) => state.setDrawerWidth)
  const widthNow = (): number => drawer.current?.getBoundingClientRect().width ?? leastWidth
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowLeft') setWidth(clamped(widthNow() + keyStep))
    else if (event.key === 'ArrowRight') setWidth(clamped(widthNow() - keyStep))
    else if (event.key === 'Home') setWidth(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // A separator that has a value is a control, by the ARIA pattern of a window splitter.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <hr
      aria-label="Drawer width"
      aria-orientation="vertical"
      aria-valuemin={leastWidth}
      aria-valuemax={window.innerWidth}
      aria-valuenow={chosen ?? 408}
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
