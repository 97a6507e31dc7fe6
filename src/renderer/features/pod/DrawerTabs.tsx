import type { KeyboardEvent, ReactNode } from 'react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import type { DrawerTab } from '../../store/slices/detail-slice.ts'
import { drawerTabs } from '../../store/slices/detail-slice.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { MenuButton } from '../../ui/list/MenuButton.tsx'
import styles from './DrawerTabs.module.css'
import { drawerPanelId, drawerTabId } from './drawer-ids.ts'

function tabAfter(tab: DrawerTab, key: string): DrawerTab | undefined {
  if (key === 'Home') return drawerTabs[0]
  if (key === 'End') return drawerTabs.at(-1)
  const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  return by === 0 ? undefined : drawerTabs.at((drawerTabs.indexOf(tab) + by) % drawerTabs.length)
}

/**
 * The tabs that a narrow drawer shows; the others are in the menu next to them. The chosen one is always shown, in place of those
 * that would leave it no room. Pure.
 */
export function tabsWhenNarrow(chosen: DrawerTab): readonly DrawerTab[] {
  const first = drawerTabs.slice(0, 4)
  if (first.includes(chosen)) return first
  // Its name is as long as those of the other three.
  return chosen === 'volumes' ? ['summary', chosen] : [...first.slice(0, 3), chosen]
}

/** The tabs for which a narrow drawer has no room. */
function MoreTabs({
  tabs,
  onChoose,
}: {
  readonly tabs: readonly DrawerTab[]
  readonly onChoose: (tab: DrawerTab) => void
}): ReactNode {
  const names = tabs.map((tab) => text.pod.tabs[tab])
  return (
    <div className={styles['more']}>
      <MenuButton
        icon="down"
        words={text.pod.moreTabs(tabs.length)}
        label={text.pod.moreTabsLabel(tabs.length, names.join(', '))}
        title={names.join(', ')}
        menu={text.pod.moreTabsMenu}
        items={tabs.map((tab) => ({
          id: tab,
          words: text.pod.tabs[tab],
          onChoose: () => onChoose(tab),
        }))}
        isAtEnd
      />
    </div>
  )
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
    show(next)
  }
  const show = (next: DrawerTab): void => {
    // A folded tab is there only when it is chosen.
    flushSync(() => choose(next))
    list.current?.querySelector<HTMLElement>(`#${drawerTabId(next)}`)?.focus()
  }
  const whenNarrow = new Set(tabsWhenNarrow(chosen))
  const folded = drawerTabs.filter((tab) => !whenNarrow.has(tab))
  return (
    <div className={styles['bar']}>
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
            className={classNames(
              styles['tab'],
              tab === chosen && styles['on'],
              !whenNarrow.has(tab) && styles['folded'],
            )}
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
      <MoreTabs tabs={folded} onChoose={show} />
    </div>
  )
}
