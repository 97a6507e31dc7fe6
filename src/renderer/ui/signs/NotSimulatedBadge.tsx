import type { ReactNode } from 'react'
import { Icon } from '../Icon.tsx'
import styles from './NotSimulatedBadge.module.css'
import text from '../text.module.css'

/** How many fields of a pod the simulator does not act on: about the simulator, so without a state's color. */
export function NotSimulatedBadge({ count }: { readonly count: number }): ReactNode {
  const fields = count === 1 ? '1 field' : `${count} fields`
  return (
    <span
      className={styles['badge']}
      title={`${fields} not simulated: no effect here, or less than on a real node. The pod's summary lists them.`}
    >
      <Icon name="notSimulated" />
      {count}
      <span className={text['hidden']}>{` ${count === 1 ? 'field' : 'fields'} not simulated`}</span>
    </span>
  )
}
