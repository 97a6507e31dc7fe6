import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { Icon } from '../Icon.tsx'
import styles from './NotSimulatedBadge.module.css'
import textStyles from '../text.module.css'

/** How many fields of a pod the simulator does not act on. It is about the simulator, so it has no color of a state. */
export function NotSimulatedBadge({ count }: { readonly count: number }): ReactNode {
  return (
    <span className={styles['badge']} title={text.common.signs.notSimulatedTitle(count)}>
      <Icon name="notSimulated" />
      {count}
      <span className={textStyles['hidden']}>{text.common.signs.notSimulated(count)}</span>
    </span>
  )
}
