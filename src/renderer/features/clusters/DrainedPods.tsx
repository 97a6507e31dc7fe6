import type { ReactNode } from 'react'
import type { DrainedPod } from '../../../shared/model/seen/drain.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { Icon } from '../../ui/Icon.tsx'
import tone from '../../ui/tone.module.css'
import styles from './drain.module.css'

const words = text.clusters.seenActs

const signs: Readonly<
  Record<DrainedPod['fate'], readonly [icon: IconName, tone: 'none' | 'warn' | 'error']>
> = {
  evicts: ['evict', 'none'],
  skips: ['minus', 'none'],
  blocks: ['shield', 'warn'],
  refuses: ['error', 'error'],
}

/** What a drain does with each pod of the node, in kubectl's order. */
export function DrainedPods({ pods }: { readonly pods: readonly DrainedPod[] }): ReactNode {
  return (
    // Long lists scroll, with the keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className={styles['pods']} aria-label={words.pods} tabIndex={0}>
      {pods.map(({ key, namespace, name, fate, why, graceSeconds, controlledBy }) => {
        const [icon, color] = signs[fate]
        return (
          <li key={key}>
            <span className={classNames(styles['fate'], tone[color])}>
              <Icon name={icon} />
              {words.fates[fate]}
            </span>
            <span className={styles['pod']}>
              {namespace}/{name}
            </span>
            <span className={styles['faint']}>{controlledBy}</span>
            <span className={styles['faint']}>
              {fate === 'skips' ? '' : words.grace(graceSeconds)}
            </span>
            {why === '' ? null : <span className={styles['why']}>{why}</span>}
          </li>
        )
      })}
    </ul>
  )
}
