import type { ReactNode } from 'react'
import { themes } from '../../store/theme.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import styles from './SettingsDialog.module.css'

const words = text.frame.settings

/** The page's own settings, stored in this browser; no cluster data. */
export function SettingsDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const theme = useAppState((state) => state.theme)
  const setTheme = useAppState((state) => state.setTheme)
  const forget = useAppState((state) => state.clearPreferences)
  const addToast = useAppState((state) => state.addToast)
  const setOpenDialog = useAppState((state) => state.setOpenDialog)
  const program = useAppState((state) => state.program)
  return (
    <Dialog title={text.common.settings} onClose={onClose}>
      <div className={styles['body']}>
        <h2>{text.common.settings}</h2>
        <section className={styles['part']}>
          <h3>{words.theme}</h3>
          <p>{words.themeRule}</p>
          <Segmented
            label={words.theme}
            value={theme}
            onChange={setTheme}
            segments={themes.map((value) => ({ value, label: text.common.themes[value] }))}
          />
        </section>
        <section className={styles['part']}>
          <h3>{words.stored}</h3>
          <p>{words.storedRule}</p>
          <Button
            onClick={() => {
              forget()
              addToast(words.cleared)
            }}
          >
            {text.common.clear}
          </Button>
        </section>
        <section className={styles['part']}>
          <h3>{text.common.keys}</h3>
          <p>{words.keysRule}</p>
          <Button onClick={() => setOpenDialog('keys')}>{text.frame.keys.all}</Button>
        </section>
        <div className={styles['foot']} data-autofocus>
          <span className={styles['version']}>
            {program === null ? '' : words.version(program.version, program.host)}
          </span>
          <Button onClick={onClose}>{text.common.close}</Button>
        </div>
      </div>
    </Dialog>
  )
}
