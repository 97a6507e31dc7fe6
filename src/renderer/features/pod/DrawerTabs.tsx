import type { KeyboardEvent, ReactNode } from 'react'
import { useRef } from 'react'
import type { DrawerTab } from '../../store/slices/detail-slice.ts'
import { drawerTabs } from '../../store/slices/detail-slice.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import styles from './DrawerTabs.module.css'
import { drawerPanelId, drawerTabId } from './drawer-ids.ts'

function tabAfter(tab: DrawerTab, key: string): DrawerTab | undefined {
  if (key === 'Home') return drawerTabs[0]
  if (key === 'End') return drawerTabs.at(-1)
  const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  return by === 0 ? undefined : drawerTabs.at((drawerTabs.indexOf(tab) + by) % drawerTabs.length)
}

/** The tabs of the drawer: arrows choose a tab at once, Tab moves into its panel. */
export function DrawerTabs({
  counts,
}: {
  readonly counts: Readonly<Partial<Record<DrawerTab, number>>>
}): ReactNode {
  const chosen = useAppState((state) => state.drawerTab)
  const choose = useAppState((state) => state.setDrawerTab)
  const list = useRef<HTMLDivElement>(null)
  const handleKeyDown = (event: KeyboardEvent): void => {
    const next = tabAfter(chosen, event.key)
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    choose(next)
    list.current?.querySelector<HTMLElement>(`#${drawerTabId(next)}`)?.focus()
  }
  return (
    <div
      ref={list}
      className={styles['tabs']}
      role="tablist"
      aria-label={text.pod.tabList}
      tabIndex={-1}
      onKeyDown={handleKeyDown}
    >
      {drawerTabs.map((tab) => (
        <button
          key={tab}
          id={drawerTabId(tab)}
          type="button"
          role="tab"
          className={classNames(styles['tab'], tab === chosen && styles['on'])}
          aria-selected={tab === chosen}
          aria-controls={tab === chosen ? drawerPanelId : undefined}
          tabIndex={tab === chosen ? 0 : -1}
          onClick={() => choose(tab)}
        >
          {text.pod.tabs[tab]}
          {counts[tab] === undefined ? null : (
            <span className={styles['count']}>{counts[tab]}</span>
          )}
        </button>
      ))}
    </div>
  )
}
