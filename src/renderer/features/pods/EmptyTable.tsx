import type { ReactNode } from 'react'
import type { SeenView } from '../../../shared/model/seen-cluster.ts'
import { noSelectors, podSelector } from '../../../shared/model/row-selectors.ts'
import { shownManifestsPath, shownSeen, shownSeenNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { CommandLine } from '../../ui/CommandLine.tsx'
import { notRead } from '../../words/not-read.ts'
import styles from './EmptyTable.module.css'

const words = text.pods.empty
const { unreadableTitle, unreadableMeaning } = text.tables.selectors

function emptySeen(
  seen: SeenView,
  node: string | undefined,
): { readonly title: string; readonly meaning: string } {
  const { emptyTitle, empty, inCluster, onNode } = text.clusters.pods
  const nothing = {
    title: emptyTitle,
    meaning: empty(node === undefined ? inCluster : onNode(node)),
  }
  return notRead(seen, 'pods') ?? nothing
}

/** Stands in for the rows of an empty table. */
export function EmptyTable({ total }: { readonly total: number }): ReactNode {
  const segment = useAppState((state) => state.segment)
  const link = useAppState((state) => state.link)
  const seen = useAppState(shownSeen)
  const node = useAppState((state) => shownSeenNode(state)?.name)
  const manifests = useAppState(shownManifestsPath)
  const setFilterText = useAppState((state) => state.setFilterText)
  const setSelectors = useAppState((state) => state.setSelectors)
  const setNamespace = useAppState((state) => state.setNamespace)
  const selectors = useAppState((state) => state.tables.pods.selectors)
  const setSegment = useAppState((state) => state.setSegment)
  const reset = (): void => {
    setFilterText('pods', '')
    setSelectors('pods', noSelectors)
    setNamespace('')
    setSegment('all')
  }
  // Before the first answer, the number of pods is unknown.
  if (link.kind !== 'open' && total === 0) return null
  const { title, meaning } =
    total === 0
      ? seen === undefined
        ? words.cluster
        : emptySeen(seen, node)
      : !podSelector(selectors).ok
        ? { title: unreadableTitle, meaning: unreadableMeaning }
        : segment === 'attention'
          ? words.attention
          : words.filter
  const folder =
    manifests === '' ? undefined : (
      <CommandLine line={manifests} prompt="" label={text.common.copyManifestsPath} />
    )
  return (
    <div className={styles['place']}>
      <EmptyState
        title={title}
        act={total === 0 ? folder : <Button onClick={reset}>{words.showAll(total)}</Button>}
      >
        {meaning}
      </EmptyState>
    </div>
  )
}
