import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState, useStore, useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import clockStyles from './Clock.module.css'
import { leadText } from './clock-display.ts'
import styles from './LeadHint.module.css'

const noteId = 'clock-note'
const words = text.frame.clock

function useLead(cluster: string): string {
  const { wallClock } = useStore()
  return useTicking(cluster, (now) => leadText(now, wallClock()), '')
}

/** How far the cluster's clock is ahead of the wall clock; the button shows and hides what that means for kubectl. */
export function LeadHint({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const lead = useLead(cluster.id)
  const isOpen = useAppState((state) => state.isClockNoteWanted)
  const show = useAppState((state) => state.showClockNote)
  const dismiss = useAppState((state) => state.dismissClockNote)
  if (lead === '') return null
  return (
    <button
      type="button"
      className={clockStyles['control']}
      aria-expanded={isOpen}
      aria-controls={isOpen ? noteId : undefined}
      aria-label={words.ahead(lead)}
      title={words.aheadNote(lead)}
      onClick={isOpen ? dismiss : show}
    >
      <Icon name="info" />
      <span className={clockStyles['lead']}>+{lead}</span>
    </button>
  )
}

function Note({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const lead = useLead(cluster.id)
  const dismiss = useAppState((state) => state.dismissClockNote)
  if (lead === '') return null
  return (
    <div id={noteId} role="note" className={styles['note']}>
      <Icon name="info" />
      <p>{words.aheadNote(lead)}</p>
      <Button variant="quiet" icon="close" label={words.dismissNote} isSmall onClick={dismiss} />
    </div>
  )
}

/** What a clock ahead of the wall clock means for kubectl: a line of the page, so it covers nothing. */
export function LeadNote(): ReactNode {
  const cluster = useAppState(shownCluster)
  const isWanted = useAppState((state) => state.isClockNoteWanted)
  return isWanted && cluster?.clock.virtual === true ? <Note cluster={cluster} /> : null
}
