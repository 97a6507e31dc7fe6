import type { ReactNode } from 'react'
import type { ViewName } from '../../store/state.ts'
import { useAppState, useRowsValue, useStore } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { Icon } from '../../ui/Icon.tsx'
import styles from './Rail.module.css'

function Place({
  view,
  icon,
  word,
  count,
}: {
  readonly view: ViewName
  readonly icon: IconName
  readonly word: string
  readonly count?: number
}): ReactNode {
  const isHere = useAppState((state) => state.view === view)
  const show = useAppState((state) => state.show)
  return (
    <button
      type="button"
      className={classNames(styles['place'], isHere && styles['here'])}
      aria-current={isHere ? 'page' : undefined}
      title={word}
      onClick={() => show(view)}
    >
      <Icon name={icon} />
      <span className={styles['word']}>{word}</span>
      {count === undefined ? null : (
        <span className={styles['count']} aria-hidden="true">
          {count}
        </span>
      )}
    </button>
  )
}

/** Only what there is. */
export function Rail(): ReactNode {
  const { rows } = useStore()
  const pods = useRowsValue(() => rows.size)
  const isKnown = useAppState((state) => state.program !== null)
  return (
    <nav className={styles['rail']} aria-label="Views">
      <Place view="flow" icon="flow" word="Flow" />
      <Place view="pods" icon="pods" word="Pods" {...(isKnown ? { count: pods } : {})} />
      <Place view="mirrors" icon="mirror" word="Mirror pods" />
      <Place view="manifests" icon="folder" word="Manifests" />
      <Place view="start" icon="term" word="Start" />
    </nav>
  )
}
