import type { ReactNode } from 'react'
import { useState } from 'react'
import { useAppState, useRow } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import type { Segment } from '../../../ui/Segmented.tsx'
import { Segmented } from '../../../ui/Segmented.tsx'
import { useIsPaused } from '../arrows/motion.ts'
import { useFlow, useFlowPlace } from '../flow-context.ts'
import { body, fitText } from '../layout/fit.ts'
import styles from './FollowBar.module.css'
import { PodChooser } from './PodChooser.tsx'

type Choice = 'everything' | 'cause' | 'pod'

const words = text.flow.follow

function Replay(): ReactNode {
  const replay = useAppState((state) => state.replay)
  const isPaused = useIsPaused()
  const isEverything = useAppState((state) => state.follow.kind === 'everything')
  if (isEverything) return null
  const { label, title } = isPaused ? words.nextStep : words.replay
  return (
    <span className={styles['replay']}>
      {isPaused ? (
        <Button variant="quiet" title={words.back.title} onClick={() => replay('back')}>
          {words.back.label}
        </Button>
      ) : null}
      <Button
        variant="quiet"
        icon={isPaused ? 'step' : 'play'}
        title={title}
        onClick={() => replay()}
      >
        {label}
        <Kbd>.</Kbd>
      </Button>
    </span>
  )
}

/** Chooses what the picture marks: everything, the last cause, or one pod. */
export function FollowBar(): ReactNode {
  const { cluster } = useFlowPlace()
  const follow = useAppState((state) => state.follow)
  const setFollow = useAppState((state) => state.setFollow)
  const newest = useFlow((flow) => flow.roots?.[0] ?? null) ?? null
  const row = useRow(follow.kind === 'pod' ? follow.key : '')
  const [isChoosing, setChoosing] = useState(false)
  const cause = follow.kind === 'cause' ? follow : newest
  const causeLabel = (
    <>
      <Icon name="link" />
      {fitText(cause?.text ?? '', 180, body)}
    </>
  )
  const segments: readonly Segment<Choice>[] = [
    { value: 'everything', ...words.everything },
    ...(cause === null
      ? []
      : [{ value: 'cause' as const, label: causeLabel, title: words.effectsOf(cause.text) }]),
    {
      value: 'pod',
      label: follow.kind === 'pod' && row !== undefined ? fitText(row.name, 150, body) : words.aPod,
      title: words.podTitle,
    },
  ]
  const handleChange = (choice: Choice): void => {
    setChoosing(choice === 'pod')
    if (choice === 'everything') setFollow({ kind: 'everything' })
    if (choice === 'cause' && newest !== null)
      setFollow({ kind: 'cause', cluster, seq: newest.seq, at: newest.at, text: newest.text })
  }
  return (
    <div className={styles['bar']}>
      <Replay />
      <span className={styles['label']} aria-hidden="true">
        {words.label}
      </span>
      <Segmented
        label={words.label}
        value={isChoosing ? 'pod' : follow.kind}
        segments={segments}
        onChange={handleChange}
      />
      {follow.kind === 'pod' && !isChoosing ? (
        <Button variant="quiet" onClick={() => setChoosing(true)}>
          {words.another}
        </Button>
      ) : null}
      {isChoosing ? (
        <PodChooser
          onChoose={(key) => {
            setFollow({ kind: 'pod', key })
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      ) : null}
    </div>
  )
}
