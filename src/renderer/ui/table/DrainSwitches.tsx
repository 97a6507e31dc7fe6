import type { ReactNode } from 'react'
import type { DrainOptions } from '../../../shared/model/seen/drain.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import styles from './DrainSwitches.module.css'

const words = text.clusters.seenActs
const switches = ['ignoreDaemonSets', 'deleteEmptyDirData', 'force'] as const

/** The options of kubectl drain, for one node or several. */
export function DrainSwitches(): ReactNode {
  const options = useAppState((state) => state.drainOptions)
  const setOptions = useAppState((state) => state.setDrainOptions)
  const toggle = (name: (typeof switches)[number], isOn: boolean): void => {
    const changed: DrainOptions = { ...options, [name]: isOn }
    setOptions(changed)
  }
  return (
    <fieldset className={styles['options']}>
      <legend>{words.optionsTitle}</legend>
      {switches.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={options[name]}
            onChange={({ target }) => toggle(name, target.checked)}
          />
          {words.options[name]}
        </label>
      ))}
    </fieldset>
  )
}
