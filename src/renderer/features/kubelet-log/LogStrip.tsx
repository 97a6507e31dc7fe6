import type { ReactNode } from 'react'
import type { KubeletLogView } from '../../../shared/model/kubelet-log.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { countText } from '../../words/time.ts'
import styles from './KubeletLogView.module.css'

const words = text.log.strip

function Counts({ view }: { readonly view: KubeletLogView }): ReactNode {
  const { lines, understood, gaps, verbosity, marksLeftOut } = view
  return (
    <>
      <b>{words.title}</b>
      <span>
        <span className={styles['number']}>{countText(understood)}</span> {words.understood}
      </span>
      <span>
        <span className={styles['number']}>{countText(lines - understood)}</span> {words.not}
      </span>
      <span>
        <span className={styles['number']}>{countText(gaps)}</span> {words.gaps(gaps)}
      </span>
      {marksLeftOut > 0 ? <span>{words.leftOut(marksLeftOut)}</span> : null}
      {verbosity === null ? null : (
        <span>{verbosity.level >= 4 ? words.seen : words.inferred(verbosity.level)}</span>
      )}
      <span>{words.local}</span>
    </>
  )
}

/** At the foot of the page: what was read of the log. */
export function LogStrip(): ReactNode {
  const view = useAppState((state) => state.logView)
  return (
    <footer className={styles['strip']}>
      {view === null ? <span>{words.local}</span> : <Counts view={view} />}
    </footer>
  )
}

/** In the top bar, where a cluster's name is otherwise. */
export function LogLabel(): ReactNode {
  const view = useAppState((state) => state.logView)
  if (view === null) return null
  return (
    <span className={styles['label']} title={view.parts.map(({ name }) => name).join('\n')}>
      <b>{view.node || view.name}</b>
      <span>{view.isFollowed ? text.log.followed : text.log.file}</span>
    </span>
  )
}
