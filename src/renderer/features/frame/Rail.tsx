import type { ReactNode } from 'react'
import { useId } from 'react'
import type { ViewName } from '../../store/view-name.ts'
import { isOffered } from '../../store/offered-views.ts'
import { shownCluster, shownNode, shownScope, shownSeen } from '../../store/shown-node.ts'
import { podScope } from '../../store/slices/shown-slice.ts'
import { useAppState, useTally } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import styles from './Rail.module.css'
import { manifestErrors, missingRights } from './rail-counts.ts'
import { views } from './views.ts'

const words = text.frame.badges

function RailItem({
  view,
  count = '',
  countWords = '',
  tone = 'plain',
}: {
  readonly view: ViewName
  readonly count?: string
  /** The count in words, for the tooltip and for screen readers. */
  readonly countWords?: string
  readonly tone?: 'plain' | 'warn' | 'error'
}): ReactNode {
  const isHere = useAppState((state) => state.view === view)
  const show = useAppState((state) => state.show)
  const description = useId()
  const word = text.common.views[view]
  const [icon, key] = views[view]
  const title = [word, countWords].filter((part) => part !== '').join(', ')
  return (
    <>
      <button
        type="button"
        className={classNames(styles['place'], isHere && styles['here'])}
        aria-label={word}
        aria-current={isHere ? 'page' : undefined}
        aria-describedby={countWords === '' ? undefined : description}
        aria-keyshortcuts={key === '' ? undefined : key}
        title={key === '' ? title : `${title} (${key})`}
        onClick={() => show(view)}
      >
        <Icon name={icon} />
        <span className={styles['word']}>{word}</span>
        {count === '' ? null : (
          // The style draws it: in the text it would be part of the name by which voice control finds the button.
          <span
            className={classNames(styles['count'], styles[tone])}
            data-count={count}
            data-tone={tone}
            aria-hidden="true"
          />
        )}
      </button>
      {countWords === '' ? null : (
        <span id={description} hidden>
          {countWords}
        </span>
      )}
    </>
  )
}

/** Mirrors that are out of sync; only a kubelet that runs here tells. */
function mirrorBadge(
  broken: number,
  isAway: boolean,
): { readonly count: string; readonly countWords: string } {
  if (isAway) return { count: '?', countWords: words.mirrorsUnknown }
  return broken === 0
    ? { count: '', countWords: '' }
    : { count: String(broken), countWords: words.mirrors(broken) }
}

/** The views, with counts of what needs attention. */
export function Rail(): ReactNode {
  const pods = useTally(podScope, ({ rows }) => rows)
  const cluster = useAppState(shownCluster)
  const isSeen = cluster !== undefined && cluster.seen !== null
  const has = (view: ViewName): boolean => isOffered(view, cluster)
  const nodes = useAppState((state) => (shownSeen(state) ?? shownCluster(state))?.nodes.length ?? 0)
  const missing = useAppState(missingRights)
  const broken = useTally(shownScope, ({ outOfSync }) => outOfSync)
  const isAway = useAppState((state) => shownCluster(state)?.connection.kind === 'away')
  const errors = useAppState((state) => manifestErrors(shownNode(state)))
  const isKnown = useAppState((state) => state.program !== null)
  const setOpenDialog = useAppState((state) => state.setOpenDialog)
  return (
    <nav className={styles['rail']} aria-label={text.frame.views}>
      {has('flow') ? <RailItem view="flow" /> : null}
      {has('nodes') ? (
        <RailItem view="nodes" {...(isKnown ? { count: String(nodes) } : {})} />
      ) : null}
      {has('inspect') && isSeen ? <RailItem view="inspect" /> : null}
      <RailItem view="pods" {...(isKnown ? { count: String(pods) } : {})} />
      {has('workloads') ? <RailItem view="workloads" /> : null}
      {has('pressure') ? <RailItem view="pressure" /> : null}
      {has('mirrors') ? (
        <RailItem view="mirrors" {...(isSeen ? {} : mirrorBadge(broken, isAway))} tone="warn" />
      ) : null}
      <RailItem view="timeline" />
      <RailItem view="events" />
      {has('rights') && isSeen ? (
        <RailItem
          view="rights"
          count={missing === 0 ? '' : String(missing)}
          countWords={missing === 0 ? '' : words.rights(missing)}
          tone="warn"
        />
      ) : null}
      {has('manifests') && !isSeen ? (
        <RailItem
          view="manifests"
          count={errors === 0 ? '' : String(errors)}
          countWords={errors === 0 ? '' : words.manifests(errors)}
          tone="error"
        />
      ) : null}
      <RailItem view="log" />
      <h2 className={styles['title']}>{text.frame.learn}</h2>
      <RailItem view="gotchas" />
      <RailItem view="handbook" />
      <div className={styles['grow']} />
      <RailItem view="clusters" />
      {has('start') && !isSeen ? <RailItem view="start" /> : null}
      <button
        type="button"
        className={styles['place']}
        aria-label={text.common.settings}
        aria-haspopup="dialog"
        title={text.common.settings}
        onClick={() => setOpenDialog('settings')}
      >
        <Icon name="gear" />
        <span className={styles['word']}>{text.common.settings}</span>
      </button>
    </nav>
  )
}
