import type { CSSProperties, ReactNode } from 'react'
import type { Replacement } from '../../../shared/model/workloads/workloads.ts'
import { useShownTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { at, between } from '../../ui/axis-style.ts'
import { classNames } from '../../ui/class-names.ts'
import { clockText } from '../../words/time.ts'
import { replacementAxis } from './replacement-axis.ts'
import textStyles from '../../ui/text.module.css'
import styles from './Replaced.module.css'

const words = text.workloads.replaced

/** The end of a name, which tells the pods of one owner apart. */
function shortName(name: string): string {
  const end = name.slice(name.lastIndexOf('-') + 1)
  return end === name ? name : `…${end}`
}

function Part({
  className,
  place,
}: {
  readonly className: string | undefined
  readonly place: { readonly from: number; readonly to: number } | undefined
}): ReactNode {
  if (place === undefined) return null
  const style: CSSProperties = between(place.from, place.to)
  return <i className={classNames(className)} style={style} />
}

/** A pod that its owner made in place of another one: both on one axis, with the time between. */
export function Replaced({ replacement }: { readonly replacement: Replacement }): ReactNode {
  const { gone, made } = replacement
  // Ends that are still to come move with the clock.
  const isOver = gone.endedAt !== null && made.boundAt !== null
  const now = useShownTicking((time) => (isOver ? 0 : Math.floor(time / 1000) * 1000), 0)
  const axis = replacementAxis(replacement, now)
  const [old, next] = [shortName(gone.name), shortName(made.name)]
  const seconds = Math.max(0, made.createdAt - gone.leftAt) / 1000
  return (
    <div className={styles['pair']}>
      <div className={styles['words']}>
        <p>{words.gone(old, gone.how, clockText(gone.leftAt))}</p>
        <p>
          {words.made(next, clockText(made.createdAt))}{' '}
          <b>{words.later(`${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`)}</b>
        </p>
      </div>
      <div className={styles['axis']}>
        <span className={textStyles['hidden']}>{words.axis(gone.name, made.name)}</span>
        <div>
          <Part className={styles['ran']} place={axis.ran} />
          <Part className={styles['stopping']} place={axis.stopping} />
        </div>
        <div>
          <i className={styles['made']} style={at(axis.made)} />
          <Part className={styles['withoutNode']} place={axis.withoutNode} />
          <Part className={styles['onNode']} place={axis.onNode} />
        </div>
      </div>
    </div>
  )
}
