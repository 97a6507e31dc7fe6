import type { ReactNode } from 'react'
import { useId } from 'react'
import type { ViewName } from '../../store/view-name.ts'
import { shownCluster, shownNode, shownRef } from '../../store/shown-node.ts'
import { podScope } from '../../store/slices/shown-slice.ts'
import { useAppState, useTally } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { Icon } from '../../ui/Icon.tsx'
import styles from './Rail.module.css'
import { manifestErrors } from './rail-counts.ts'

function Place({
  view,
  icon,
  word,
  keyHint,
  count = '',
  countWords = '',
  tone = 'plain',
}: {
  readonly view: ViewName
  readonly icon: IconName
  readonly word: string
  readonly keyHint?: string
  readonly count?: string
  /** What the count says, for the tooltip and for those who do not see it. */
  readonly countWords?: string
  readonly tone?: 'plain' | 'warn' | 'error'
}): ReactNode {
  const isHere = useAppState((state) => state.view === view)
  const show = useAppState((state) => state.show)
  const description = useId()
  const title = [word, countWords].filter((part) => part !== '').join(', ')
  return (
    <>
      <button
        type="button"
        className={classNames(styles['place'], isHere && styles['here'])}
        aria-label={word}
        aria-current={isHere ? 'page' : undefined}
        aria-describedby={countWords === '' ? undefined : description}
        aria-keyshortcuts={keyHint}
        title={keyHint === undefined ? title : `${title} (${keyHint})`}
        onClick={() => show(view)}
      >
        <Icon name={icon} />
        <span className={styles['word']}>{word}</span>
        {count === '' ? null : (
          // Drawn by the style: in the text it would be part of the name that people say to press it.
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

function Mirrors(): ReactNode {
  const broken = useTally(shownRef, ({ outOfStep }) => outOfStep)
  const isAway = useAppState((state) => shownCluster(state)?.connection.kind === 'away')
  const count = isAway ? '?' : broken === 0 ? '' : String(broken)
  const words = isAway
    ? 'unknown while the API server is unreachable'
    : broken === 0
      ? ''
      : `${broken} out of sync`
  return (
    <Place
      view="mirrors"
      icon="mirror"
      word="Mirror pods"
      keyHint="3"
      count={count}
      countWords={words}
      tone="warn"
    />
  )
}

function Manifests(): ReactNode {
  const errors = useAppState((state) => manifestErrors(shownNode(state)))
  return (
    <Place
      view="manifests"
      icon="folder"
      word="Manifests"
      keyHint="4"
      count={errors === 0 ? '' : String(errors)}
      countWords={
        errors === 0 ? '' : `${errors} ${errors === 1 ? 'is' : 'are'} rejected by the kubelet`
      }
      tone="error"
    />
  )
}

/** Only what there is. */
export function Rail(): ReactNode {
  const pods = useTally(podScope, ({ rows }) => rows)
  const isKnown = useAppState((state) => state.program !== null)
  const setSettingsOpen = useAppState((state) => state.setSettingsOpen)
  return (
    <nav className={styles['rail']} aria-label="Views">
      <Place view="flow" icon="flow" word="Flow" keyHint="1" />
      <Place
        view="pods"
        icon="pods"
        word="Pods"
        keyHint="2"
        {...(isKnown ? { count: String(pods) } : {})}
      />
      <Mirrors />
      <Manifests />
      <h2 className={styles['title']}>Learn</h2>
      <Place view="gotchas" icon="labs" word="Gotchas" keyHint="8" />
      <Place view="handbook" icon="book" word="Handbook" keyHint="9" />
      <div className={styles['grow']} />
      <Place view="start" icon="term" word="kubectl access" />
      <button
        type="button"
        className={styles['place']}
        aria-label="Settings"
        aria-haspopup="dialog"
        title="Settings"
        onClick={() => setSettingsOpen(true)}
      >
        <Icon name="gear" />
        <span className={styles['word']}>Settings</span>
      </button>
    </nav>
  )
}
