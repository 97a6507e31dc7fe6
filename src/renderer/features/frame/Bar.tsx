import type { ReactNode } from 'react'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { paletteKey } from '../../words/keys.ts'
import styles from './Bar.module.css'
import { Brand } from './Brand.tsx'
import { Clock } from './Clock.tsx'
import { NodeSwitcher } from './NodeSwitcher.tsx'
import { ThemeMenu } from './ThemeMenu.tsx'

/** Opens the palette. */
function PaletteButton(): ReactNode {
  const setOpenDialog = useAppState((state) => state.setOpenDialog)
  return (
    <button
      type="button"
      className={styles['find']}
      aria-label={text.common.searchOrRun}
      title={text.frame.findTitle(paletteKey)}
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      onClick={() => setOpenDialog('palette')}
    >
      <Icon name="search" />
      <span>{text.common.searchOrRun}</span>
      <kbd className={styles['key']} data-key={paletteKey} aria-hidden="true" />
    </button>
  )
}

/**
 * The top bar: cluster and node, the clock, and the page's own controls. `acts`: the menu of the shown node; `subject`: what
 * the view is about if that is no cluster.
 */
export function Bar({
  acts,
  subject,
}: {
  readonly acts: ReactNode
  readonly subject?: ReactNode
}): ReactNode {
  const cluster = useAppState(shownCluster)
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  const setOpenDialog = useAppState((state) => state.setOpenDialog)
  return (
    <header className={styles['bar']}>
      <div className={styles['side']}>
        <Brand />
        {subject ?? (
          <>
            <NodeSwitcher />
            {acts}
          </>
        )}
      </div>
      {cluster === undefined || subject !== undefined ? <span /> : <Clock cluster={cluster} />}
      <div className={classNames(styles['side'], styles['end'])}>
        {isReadOnly ? (
          <span className={styles['mode']} title={text.frame.readOnlyTitle}>
            {text.frame.readOnly}
          </span>
        ) : null}
        <PaletteButton />
        <ThemeMenu />
        <Button
          variant="quiet"
          icon="help"
          label={text.common.keys}
          title={text.frame.keysTitle}
          onClick={() => setOpenDialog('keys')}
        />
      </div>
    </header>
  )
}
