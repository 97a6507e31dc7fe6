import type { ReactNode } from 'react'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import tone from '../../ui/tone.module.css'
import { Icon } from '../../ui/Icon.tsx'
import { paletteKey } from '../../words/keys.ts'
import styles from './Bar.module.css'
import { Brand } from './Brand.tsx'
import { Clock } from './Clock.tsx'
import { clusterLook, nodeLook } from './node-look.ts'
import { ThemeMenu } from './ThemeMenu.tsx'

function Cluster({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const isLost = useAppState((state) => isCutOff(state.link))
  const look = clusterLook(cluster, isLost)
  return (
    <span className={styles['pick']} title={`${cluster.server}\n${look.word}`}>
      <span
        className={classNames(styles['sign'], styles[look.sign], tone[look.tone])}
        aria-hidden="true"
      />
      <b>{cluster.label}</b>
      {look.sign !== 'ring' ? (
        <span className={styles['hidden']}>{look.word}</span>
      ) : (
        <span className={classNames(styles['small'], tone[look.tone], tone['ink'])}>
          {look.word}
        </span>
      )}
    </span>
  )
}

function Node({
  node,
  cluster,
}: {
  readonly node: NodeView
  readonly cluster: ClusterView
}): ReactNode {
  const look = nodeLook(node, cluster.connection)
  return (
    <span className={styles['pick']} title={`node ${node.name}, runtime ${node.runtime}`}>
      <b>{node.name}</b>
      <span
        className={classNames(
          styles['small'],
          look.tone === 'plain' ? styles['dim'] : tone[look.tone],
          tone['ink'],
        )}
      >
        {look.word}
      </span>
    </span>
  )
}

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

/** Where we are, what time it is there, and how the page looks. */
export function Bar(): ReactNode {
  const cluster = useAppState((state) => state.clusters[0])
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  const setKeysOpen = useAppState((state) => state.setKeysOpen)
  return (
    <header className={styles['bar']}>
      <div className={styles['side']}>
        <Brand />
        {cluster === undefined ? null : <Cluster cluster={cluster} />}
        {cluster?.nodes.map((node) => (
          <Node key={node.name} node={node} cluster={cluster} />
        ))}
      </div>
      {cluster === undefined ? <span /> : <Clock cluster={cluster} />}
      <div className={classNames(styles['side'], styles['end'])}>
        {isReadOnly ? (
          <span
            className={styles['mode']}
            title="Started with --read-only: it shows and does not act."
          >
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
