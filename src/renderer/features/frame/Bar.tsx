import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { paletteKey } from '../../words/keys.ts'
import { LiveClock } from '../clusters/LiveClock.tsx'
import { Plate } from '../clusters/Plate.tsx'
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

/** The clock of the shown cluster, or how current a cluster is that is only looked at. */
function Time({ cluster }: { readonly cluster: ClusterView | undefined }): ReactNode {
  if (cluster === undefined) return <span />
  return cluster.seen === null || cluster.recording !== null ? (
    <Clock cluster={cluster} />
  ) : (
    <LiveClock cluster={cluster} seen={cluster.seen} />
  )
}

/** The shown cluster with its node and their acts. */
function Place({ acts }: { readonly acts: ReactNode }): ReactNode {
  const cluster = useAppState(shownCluster)
  if (cluster !== undefined && cluster.seen !== null)
    return <Plate cluster={cluster} seen={cluster.seen} />
  return (
    <>
      <NodeSwitcher />
      {acts}
    </>
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
        {subject ?? <Place acts={acts} />}
      </div>
      <Time cluster={subject === undefined ? cluster : undefined} />
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
