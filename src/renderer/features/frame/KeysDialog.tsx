import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { paletteKey } from '../../words/keys.ts'
import styles from './KeysDialog.module.css'

/** All keys, by where they work. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title={text.common.keys} onClose={onClose}>
      {/* It scrolls in a small window, so the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={styles['body']} aria-label={text.frame.keys.all} tabIndex={0}>
        <h2>{text.common.keys}</h2>
        <p className={styles['rule']}>{text.frame.keys.rule}</p>
        {text.frame.keyGroups(paletteKey).map((group) => (
          <section key={group.title} aria-label={group.title}>
            <h3 className={styles['title']}>{group.title}</h3>
            <dl className={styles['list']}>
              {group.keys.map(([action, ...keys]) => (
                <div key={action} className={styles['pair']}>
                  <dt>
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dt>
                  <dd>{action}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
      <div className={styles['foot']} data-autofocus>
        <Button onClick={onClose}>{text.common.close}</Button>
      </div>
    </Dialog>
  )
}
