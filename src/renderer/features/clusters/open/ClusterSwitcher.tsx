import type { ReactNode } from 'react'
import type { ClusterView } from '../../../../shared/model/cluster-view.ts'
import { isLive } from '../../../store/offered-views.ts'
import { shownCluster } from '../../../store/shown-node.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { movedIndex } from '../../../ui/list/list-keys.ts'
import { clusterStyle } from '../cluster-color.ts'
import { showCluster } from './show-cluster.ts'
import styles from './ClusterSwitcher.module.css'

const words = text.clusters.switcher
const withNumber = 9

function factsOf({ kind, seen, nodes }: ClusterView): string {
  if (seen !== null) {
    const state =
      seen.changes.kind === 'allowed' ? text.clusters.changesAllowed : text.clusters.readOnly
    return `${state}, ${words.nodes(seen.nodes.length)}`
  }
  return kind === 'log' ? words.kinds.log : `${words.kinds[kind]}, ${words.nodes(nodes.length)}`
}

/** Starts or stops the recording of a live cluster. */
function RecordItem({
  cluster,
  onLeave,
}: {
  readonly cluster: ClusterView
  readonly onLeave: () => void
}): ReactNode {
  const start = useAppState((state) => state.startRecording)
  const stop = useAppState((state) => state.stopRecording)
  if (!isLive(cluster)) return null
  const isRunning = cluster.recorder?.isRunning === true
  const { recorder } = text.recording
  return (
    <button
      type="button"
      className={styles['item']}
      onClick={() => {
        onLeave()
        void (isRunning ? stop : start)(cluster.id)
      }}
    >
      <Icon name={isRunning ? 'stop' : 'record'} />
      {(isRunning ? recorder.stop : recorder.start)(cluster.label)}
    </button>
  )
}

/** What a page has opened: a cluster to look at, or a recording. */
function isClosable({ kind, recording }: ClusterView): boolean {
  return kind === 'seen' || recording?.isPageOpened === true
}

/** The open clusters with their numbers, the way to others, and Close. */
export function ClusterSwitcher(): ReactNode {
  const clusters = useAppState((state) => state.clusters)
  const here = useAppState(shownCluster)
  const setOpen = useAppState((state) => state.setSwitcherOpen)
  const showNode = useAppState((state) => state.showNode)
  const show = useAppState((state) => state.show)
  const close = useAppState((state) => state.closeCluster)
  const askLeave = useAppState((state) => state.askLeave)
  const leave = (): void => setOpen(false)
  const choose = (cluster: ClusterView): void => {
    leave()
    showCluster(cluster, { showNode, show })
  }
  return (
    <Dialog title={words.title} place="top" onClose={leave}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the buttons inside */}
      <div
        className={styles['menu']}
        onKeyDown={(event) => {
          const numbered = clusters[Number(event.key) - 1]
          if (numbered !== undefined) return choose(numbered)
          const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
          const at = buttons.findIndex((button) => button === document.activeElement)
          const index = movedIndex(event.key, { at, count: buttons.length })
          if (index === undefined) return undefined
          event.preventDefault()
          return buttons[index]?.focus()
        }}
      >
        <h2>{words.open}</h2>
        <ul>
          {clusters.map((cluster, index) => (
            <li key={cluster.id} data-autofocus={cluster === here ? true : undefined}>
              <button
                type="button"
                className={classNames(styles['item'], cluster === here && styles['here'])}
                aria-current={cluster === here ? 'true' : undefined}
                style={clusterStyle(cluster.seen?.color ?? 0)}
                onClick={() => choose(cluster)}
              >
                <span className={cluster.seen === null ? styles['none'] : styles['swatch']} />
                <b>{cluster.label}</b>
                <span className={styles['faint']}>{cluster.seen?.user}</span>
                <span className={styles['facts']}>{factsOf(cluster)}</span>
                {index < withNumber ? <Kbd>{String(index + 1)}</Kbd> : null}
              </button>
            </li>
          ))}
        </ul>
        <div className={styles['foot']}>
          <button
            type="button"
            className={styles['item']}
            onClick={() => {
              leave()
              show('clusters')
            }}
          >
            <Icon name="plug" />
            {words.more}
          </button>
          {here === undefined ? null : <RecordItem cluster={here} onLeave={leave} />}
          {here === undefined || !isClosable(here) ? null : (
            <button
              type="button"
              className={styles['item']}
              onClick={() => {
                leave()
                void close(here.id)
              }}
            >
              <Icon name="close" />
              {words.closeThis(here.label)}
            </button>
          )}
          {here?.isPageJoined === true ? (
            <button
              type="button"
              className={styles['item']}
              onClick={() => {
                leave()
                askLeave(here.id)
              }}
            >
              <Icon name="close" />
              {text.clusters.nodes.leave.act(here.nodes[0]?.name ?? '')}
            </button>
          ) : null}
          <span data-autofocus={here === undefined ? true : undefined} className={styles['end']}>
            <Button variant="quiet" onClick={leave}>
              {text.common.close}
            </Button>
          </span>
        </div>
      </div>
    </Dialog>
  )
}
