import type { ReactNode } from 'react'
import { useState } from 'react'
import { shownCluster } from '../../../store/shown-node.ts'
import { useAppState, useRow } from '../../../store/store-context.ts'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import type { Segment } from '../../../ui/Segmented.tsx'
import { Segmented } from '../../../ui/Segmented.tsx'
import { body, fitText } from '../layout/fit.ts'
import { useFlow, useFlowPlace } from '../flow-context.ts'
import styles from './FollowBar.module.css'
import { PodChooser } from './PodChooser.tsx'

type Choice = 'everything' | 'cause' | 'pod'

function Replay(): ReactNode {
  const replay = useAppState((state) => state.replay)
  const isPaused = useAppState((state) => shownCluster(state)?.clock.paused ?? false)
  const isEverything = useAppState((state) => state.follow.kind === 'everything')
  if (isEverything) return null
  return (
    <span className={styles['replay']}>
      {isPaused ? (
        <Button look="quiet" title="One step back" onClick={() => replay('back')}>
          Back
        </Button>
      ) : null}
      <Button
        look="quiet"
        icon={isPaused ? 'step' : 'play'}
        title={isPaused ? 'Show one more step' : 'Replay from the first step'}
        onClick={() => replay()}
      >
        {isPaused ? 'Next step' : 'Replay'}
        <Kbd>.</Kbd>
      </Button>
    </span>
  )
}

/** What the picture marks: everything, the last cause, or one pod. */
export function FollowBar(): ReactNode {
  const { cluster } = useFlowPlace()
  const follow = useAppState((state) => state.follow)
  const setFollow = useAppState((state) => state.setFollow)
  const newest = useFlow((flow) => flow.roots[0] ?? null) ?? null
  const row = useRow(follow.kind === 'pod' ? follow.key : '')
  const [isChoosing, setChoosing] = useState(false)
  const cause = follow.kind === 'cause' ? follow : newest
  const segments: readonly Segment<Choice>[] = [
    { value: 'everything', label: 'Everything', title: 'All moves' },
    ...(cause === null
      ? []
      : [
          {
            value: 'cause' as const,
            label: (
              <>
                <Icon name="link" />
                {fitText(cause.text, 180, body)}
              </>
            ),
            title: `Effects of: ${cause.text}`,
          },
        ]),
    {
      value: 'pod',
      label: follow.kind === 'pod' && row !== undefined ? fitText(row.name, 150, body) : 'A pod…',
      title: 'Mark one pod in every part, with its last moves',
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
        Follow
      </span>
      <Segmented
        label="Follow"
        value={isChoosing ? 'pod' : follow.kind}
        segments={segments}
        onChange={handleChange}
      />
      {follow.kind === 'pod' && !isChoosing ? (
        <Button look="quiet" onClick={() => setChoosing(true)}>
          Another…
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
