import type { ReactNode } from 'react'
import { shownManifestsPath } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { CommandLine } from '../../ui/CommandLine.tsx'
import styles from './NothingHere.module.css'

function Contents({ total }: { readonly total: number }): ReactNode {
  const segment = useAppState((state) => state.segment)
  const link = useAppState((state) => state.link)
  const manifests = useAppState((state) => shownManifestsPath(state))
  const setFilterText = useAppState((state) => state.setFilterText)
  const setSegment = useAppState((state) => state.setSegment)
  const reset = (): void => {
    setFilterText('')
    setSegment('all')
  }
  // Nothing is known yet, so nothing is said about it.
  if (link.kind !== 'open' && total === 0) return null
  if (total === 0)
    return (
      <EmptyState
        title="No pods yet"
        act={
          manifests === '' ? undefined : (
            <CommandLine line={manifests} prompt="" label="Copy the path of the manifest folder" />
          )
        }
      >
        A manifest in the folder becomes a static pod within a second and gets a mirror soon after.
        A pod bound to this node appears here at once.
      </EmptyState>
    )
  return (
    <EmptyState
      title={segment === 'attention' ? 'No pod needs attention' : 'No pod matches'}
      act={<Button onClick={reset}>Show all {total}</Button>}
    >
      {segment === 'attention'
        ? 'No pod here has a failing STATUS, waits to start, lacks its mirror, or is held by a finalizer.'
        : 'Every word must match namespace, name, status, worker, source or a UID. A word after ! must not match.'}
    </EmptyState>
  )
}

/** What an empty table says. */
export function NothingHere({ total }: { readonly total: number }): ReactNode {
  return (
    <div className={styles['place']}>
      <Contents total={total} />
    </div>
  )
}
