import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { keyGroups } from './key-groups.ts'
import styles from './KeysDialog.module.css'

/** Every key there is, by where it works. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keys" onClose={onClose}>
      {/* In a small window it scrolls, which must go by keys too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={styles['body']} aria-label="All keys" tabIndex={0}>
        <h2>Keys</h2>
        <p className={styles['rule']}>
          Action keys open a dialog with the focus on Cancel. While you type, only the palette key
          works.
        </p>
        {keyGroups.map((group) => (
          <section key={group.title} aria-label={group.title}>
            <h3 className={styles['title']}>{group.title}</h3>
            <dl className={styles['list']}>
              {group.keys.map((entry) => (
                <div key={entry.does} className={styles['pair']}>
                  <dt>
                    {entry.keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dt>
                  <dd>{entry.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
      <div className={styles['foot']} data-autofocus>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
