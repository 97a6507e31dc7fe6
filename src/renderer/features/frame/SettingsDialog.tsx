import type { ReactNode } from 'react'
import { themes } from '../../store/theme.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import styles from './SettingsDialog.module.css'
import { themeLooks } from './theme-looks.ts'

/** How the page looks and what it remembers: all of it in this browser, nothing of a cluster. */
export function SettingsDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const theme = useAppState((state) => state.theme)
  const setTheme = useAppState((state) => state.setTheme)
  const forget = useAppState((state) => state.forgetMemory)
  const addToast = useAppState((state) => state.addToast)
  const setKeysOpen = useAppState((state) => state.setKeysOpen)
  const program = useAppState((state) => state.program)
  return (
    <Dialog title="Settings" onClose={onClose}>
      <div className={styles['body']}>
        <h2>Settings</h2>
        <section className={styles['part']}>
          <h3>Theme</h3>
          <p>System follows the desktop’s light, dark or high-contrast setting.</p>
          <Segmented
            label="Theme"
            value={theme}
            onChange={setTheme}
            segments={themes.map((value) => ({ value, label: themeLooks[value].word }))}
          />
        </section>
        <section className={styles['part']}>
          <h3>Stored in this browser</h3>
          <p>
            The theme, your last palette choices, and that you have seen the start page and
            dismissed the note on kubectl’s ages. No cluster data is stored.
          </p>
          <Button
            onClick={() => {
              forget()
              addToast('Nothing is stored.')
            }}
          >
            Clear
          </Button>
        </section>
        <section className={styles['part']}>
          <h3>Keys</h3>
          <p>Every act can be reached by keys; letters open a dialog and never act at once.</p>
          <Button
            onClick={() => {
              onClose()
              setKeysOpen(true)
            }}
          >
            All keys
          </Button>
        </section>
        <div className={styles['foot']} data-autofocus>
          <span className={styles['version']}>
            {program === null ? '' : `Nodescope ${program.version}, ${program.host} host`}
          </span>
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  )
}
