import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import styles from './KeysDialog.module.css'

const keys: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['J', 'K', '↓', '↑'], does: 'move through the pods' },
  { keys: ['Home', 'End'], does: 'first and last pod' },
  { keys: ['PageUp', 'PageDown'], does: 'a screen up and down' },
  { keys: ['Enter'], does: 'open the pod’s panel' },
  { keys: ['Esc'], does: 'close, one layer at a time' },
  { keys: ['/'], does: 'filter; !word hides' },
  { keys: ['X'], does: 'Kill…' },
  { keys: ['E'], does: 'Evict through the API…' },
  { keys: ['Shift E'], does: 'Evict by the kubelet…' },
  { keys: ['?'], does: 'these keys' },
]

export function KeysDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className={styles['body']}>
        <h2>Keys</h2>
        <p className={styles['rule']}>
          Letters never act at once: they open the dialog of the act, with the focus on Cancel.
        </p>
        <dl className={styles['list']}>
          {keys.map((entry) => (
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
        <div className={styles['foot']} data-autofocus>
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  )
}
