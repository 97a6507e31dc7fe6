import type { ReactNode } from 'react'
import { timeOf } from '../../../../shared/kubernetes/printers/age.ts'
import type { ContainerView } from '../../../../shared/model/pod-detail.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { clockText, fullTimeText } from '../../../words/time.ts'
import { drawerTabId } from '../drawer-ids.ts'
import { ranText } from '../summary/container-words.ts'
import styles from './LastTermination.module.css'

const words = text.pod.resources

/** How the run before the present one ended, with the way to its log. */
export function LastTermination({ container }: { readonly container: ContainerView }): ReactNode {
  const openLog = useAppState((state) => state.openLog)
  const last = container.lastTermination
  if (last === null) return null
  const at = timeOf(last.finishedAt)
  const ran = ranText(last.startedAt, last.finishedAt)
  const handleClick = (): void => {
    // The button goes with its tab.
    document.getElementById(drawerTabId('logs'))?.focus()
    openLog({ container: container.name, isPrevious: true })
  }
  return (
    <div className={styles['last']}>
      <p>
        <b>{words.lastTermination}</b>{' '}
        {at === null ? null : <span title={fullTimeText(at)}>{clockText(at)}, </span>}
        <span title={text.pod.containers.exit(last.exitCode)}>
          {words.exit(last.exitCode)}
        </span>{' '}
        <span className={last.exitCode === 0 ? undefined : styles['bad']}>{last.reason}</span>
        {ran === '' ? '. ' : `, ${ran}. `}
        <button
          type="button"
          className={styles['link']}
          title={words.itsLogTitle(container.name)}
          onClick={handleClick}
        >
          {words.itsLog}
        </button>
      </p>
      {last.message === '' ? null : <p className={styles['output']}>{last.message}</p>}
    </div>
  )
}
