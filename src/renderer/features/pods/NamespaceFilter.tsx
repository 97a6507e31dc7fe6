import type { ReactNode } from 'react'
import { podScope } from '../../store/slices/shown-slice.ts'
import { useAppState, useTally } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import styles from './NamespaceFilter.module.css'

/** Shows only the pods of one namespace; the chosen one stays in the list after its last pod is gone. */
export function NamespaceFilter(): ReactNode {
  const chosen = useAppState((state) => state.namespace)
  const setNamespace = useAppState((state) => state.setNamespace)
  // A namespace's name contains no space.
  const known = useTally(podScope, ({ namespaces }) => [...namespaces.keys()].toSorted().join(' '))
  const names = new Set(known.split(' ').filter((name) => name !== ''))
  if (chosen !== '') names.add(chosen)
  return (
    <select
      className={styles['select']}
      aria-label={text.pods.namespace}
      value={chosen}
      onChange={(event) => setNamespace(event.target.value)}
    >
      <option value="">{text.pods.allNamespaces}</option>
      {[...names].map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}
