import type { ReactNode } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import styles from './LinkNotice.module.css'

/** A link led to something that is not here. */
export function LinkNotice(): ReactNode {
  const sentence = useAppState((state) => state.linkNotice)
  const setLinkNotice = useAppState((state) => state.setLinkNotice)
  if (sentence === '') return null
  return (
    <div className={styles['notice']}>
      <Icon name="unlink" />
      <p role="alert">{sentence}</p>
      <Button
        look="quiet"
        icon="close"
        label="Close the notice"
        isSmall
        onClick={() => setLinkNotice('')}
      />
    </div>
  )
}
