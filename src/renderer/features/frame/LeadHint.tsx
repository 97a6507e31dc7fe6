import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { useAppState, useStore, useTicking } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import styles from './Clock.module.css'
import { leadSentence, leadText } from './clock-look.ts'

/** kubectl's own ages after time has been let run ahead: said once, and kept behind a button. */
export function LeadHint({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const { wallClock } = useStore()
  const lead = useTicking(cluster.id, (now) => leadText(now, wallClock()), '')
  const isDismissed = useAppState((state) => state.isLeadHintDismissed)
  const setDismissed = useAppState((state) => state.setLeadHintDismissed)
  const [isAsked, setAsked] = useState(false)
  const note = useId()
  if (lead === '') return null
  const isOpen = isAsked || !isDismissed
  return (
    <>
      <button
        type="button"
        className={styles['control']}
        aria-expanded={isOpen}
        aria-controls={note}
        aria-label={`${lead} ahead of the wall clock`}
        title={leadSentence(lead)}
        onClick={() => {
          setAsked(!isOpen)
          setDismissed(true)
        }}
      >
        <Icon name="info" />
        <span className={styles['lead']}>+{lead}</span>
      </button>
      {isOpen ? (
        <div id={note} role="note" className={styles['note']}>
          <Icon name="info" />
          <p>{leadSentence(lead)}</p>
          <Button
            look="quiet"
            icon="close"
            label="Close the note"
            isSmall
            onClick={() => {
              setAsked(false)
              setDismissed(true)
            }}
          />
        </div>
      ) : null}
    </>
  )
}
