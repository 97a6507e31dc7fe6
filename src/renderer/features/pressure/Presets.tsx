import type { ReactNode } from 'react'
import { pressurePresets } from '../../../shared/model/pressure/presets.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import styles from './PressureView.module.css'

const words = text.pressure.presets

/** Opens shipped scenarios of a node under pressure, each as a sandbox of its own. */
export function Presets(): ReactNode {
  const opening = useAppState((state) => state.openingScenario)
  const isLost = useAppState((state) => isCutOff(state.link))
  const error = useAppState((state) => state.scenarioError)
  const openScenario = useAppState((state) => state.openScenario)
  return (
    <>
      <div className={styles['presets']}>
        <span>{words.label}</span>
        {pressurePresets.map((name) => (
          <Button
            key={name}
            isSmall
            title={words.meaning[name]}
            isRefused={isLost || opening !== null}
            onClick={() => void openScenario({ kind: 'shipped', name })}
          >
            {words.names[name]}
          </Button>
        ))}
      </div>
      {error === '' ? null : (
        <Note variant="error" icon="error" isAlert>
          <p>{error}</p>
        </Note>
      )}
    </>
  )
}
