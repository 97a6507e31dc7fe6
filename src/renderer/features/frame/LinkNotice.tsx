import type { ReactNode } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import styles from './LinkNotice.module.css'

/** Shown when a link leads to something that does not exist. */
export function LinkNotice(): ReactNode {
  const sentence = useAppState((state) => state.linkNotice)
  const setLinkNotice = useAppState((state) => state.setLinkNotice)
  if (sentence === '') return null
  return (
    <div className={styles['notice']}>
      <Icon name="unlink" />
      <p role="alert">{sentence}</p>
      <Button
        variant="quiet"
        icon="close"
        label={text.frame.links.close}
        isSmall
        onClick={() => setLinkNotice('')}
      />
    </div>
  )
}
