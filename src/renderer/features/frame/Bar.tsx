import type { ReactNode } from 'react'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { paletteKey } from '../../words/keys.ts'
import styles from './Bar.module.css'
import { Brand } from './Brand.tsx'
import { Clock } from './Clock.tsx'
import { NodeSwitcher } from './NodeSwitcher.tsx'
import { ThemeMenu } from './ThemeMenu.tsx'

/** The way to everything by typing. */
function Find(): ReactNode {
  const setPaletteOpen = useAppState((state) => state.setPaletteOpen)
  return (
    <button
      type="button"
      className={styles['find']}
      aria-label="Search or run"
      title={`Search or run (${paletteKey})`}
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      onClick={() => setPaletteOpen(true)}
    >
      <Icon name="search" />
      <span>Search or run</span>
      <kbd className={styles['key']} data-key={paletteKey} aria-hidden="true" />
    </button>
  )
}

/** Where we are, what time it is there, and how the page looks. `acts`: what can be done to the shown node. */
export function Bar({ acts }: { readonly acts: ReactNode }): ReactNode {
  const cluster = useAppState(shownCluster)
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  const setKeysOpen = useAppState((state) => state.setKeysOpen)
  return (
    <header className={styles['bar']}>
      <div className={styles['side']}>
        <Brand />
        <NodeSwitcher />
        {acts}
      </div>
      {cluster === undefined ? <span /> : <Clock cluster={cluster} />}
      <div className={classNames(styles['side'], styles['end'])}>
        {isReadOnly ? (
          <span className={styles['mode']} title="Started with --read-only: actions are disabled.">
            read-only
          </span>
        ) : null}
        <Find />
        <ThemeMenu />
        <Button
          look="quiet"
          icon="help"
          label="Keys"
          title="Keys (?)"
          onClick={() => setKeysOpen(true)}
        />
      </div>
    </header>
  )
}
