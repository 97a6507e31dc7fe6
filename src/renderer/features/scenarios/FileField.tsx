import type { ReactNode } from 'react'
import { useId } from 'react'
import styles from './ScenarioDialogs.module.css'

/** Chooses one YAML or JSON file of the page's computer. */
export function FileField({
  label,
  onChoose,
}: {
  readonly label: string
  readonly onChoose: (file: File) => void
}): ReactNode {
  const id = useId()
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept=".yaml,.yml,.json"
        data-autofocus
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same file can be chosen again after it was changed.
          target.value = ''
          if (file !== undefined) onChoose(file)
        }}
      />
    </div>
  )
}
