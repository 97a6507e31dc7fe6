import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { openManifestName } from '../../store/slices/manifests-slice.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { AddManifestDialog } from './AddManifestDialog.tsx'
import { FileList } from './FileList.tsx'
import { FilePane } from './FilePane.tsx'
import type { ListedFile } from './listed-files.ts'
import { listedFiles } from './listed-files.ts'
import styles from './ManifestsView.module.css'
import { UrlSource } from './UrlSource.tsx'

function useEntries(): readonly ListedFile[] {
  const manifests = useAppState((state) => state.manifests)
  const drafts = useAppState((state) => state.manifestDrafts)
  return useMemo(() => listedFiles(manifests, drafts), [manifests, drafts])
}

function useRefusal(): string {
  return useAppState((state) =>
    isCutOff(state.link)
      ? 'The page lost its connection to Nodescope.'
      : (state.manifests?.readOnlyBecause ?? ''),
  )
}

function Undo(): ReactNode {
  const undo = useAppState((state) => state.manifests?.undo ?? null)
  const undoChange = useAppState((state) => state.undoManifestChange)
  const isWriting = useAppState((state) => state.isWritingManifest)
  if (undo === null) return null
  return (
    <Button
      icon="undo"
      isRefused={isWriting}
      title={`Undo: ${undo.text}`}
      onClick={() => void undoChange()}
    >
      {`Undo: ${undo.text}`}
    </Button>
  )
}

function Head({
  entries,
  onAdd,
}: {
  readonly entries: readonly ListedFile[]
  readonly onAdd: () => void
}): ReactNode {
  const folder = useAppState((state) => state.manifests?.folder ?? '')
  const isSingleFile = useAppState((state) => state.manifests?.isSingleFile ?? false)
  const refusal = useRefusal()
  const rejected = entries.filter(({ state }) => state === 'rejected').length
  const whyNot = isSingleFile ? 'The source is a single file, not a folder.' : refusal
  return (
    <div className={styles['head']}>
      <h1>Manifests</h1>
      <p>
        {entries.length} {entries.length === 1 ? 'file' : 'files'}
        {rejected === 0 ? null : <span className={styles['bad']}>, {rejected} rejected</span>}
      </p>
      <p className={styles['folder']}>
        <code>{folder}</code>
        <CopyButton value={folder} label="Copy the path of the folder" />
      </p>
      <span className={styles['grow']} />
      <Undo />
      <Button
        look="primary"
        icon="plus"
        isRefused={whyNot !== ''}
        title={whyNot === '' ? undefined : whyNot}
        onClick={onAdd}
      >
        Add manifest…
      </Button>
    </div>
  )
}

function NoFolder(): ReactNode {
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>Manifests</h1>
      </div>
      <EmptyState title="This kubelet has no manifest folder">
        Static pods come from files in a folder that the kubelet watches. Started with --manifests
        FOLDER, Nodescope watches one.
      </EmptyState>
    </div>
  )
}

function NoFiles({ onAdd }: { readonly onAdd: () => void }): ReactNode {
  const refusal = useRefusal()
  return (
    <EmptyState
      title="No manifests yet"
      act={
        refusal === '' ? (
          <Button look="primary" icon="plus" onClick={onAdd}>
            Add manifest…
          </Button>
        ) : (
          <p>{refusal}</p>
        )
      }
    >
      Each file in this folder defines a static pod, which the kubelet runs without the API server.
      Add a file there, or start from a template here.
    </EmptyState>
  )
}

/** The manifest folder: what the kubelet makes of each file, and each file to edit. */
export function ManifestsView(): ReactNode {
  const manifests = useAppState((state) => state.manifests)
  const phase = useAppState((state) => state.manifestsState)
  const openName = useAppState(openManifestName)
  const entries = useEntries()
  const [isAdding, setAdding] = useState(false)
  if (phase === 'absent') return <NoFolder />
  if (manifests === null) return <h1 className={styles['alone']}>Manifests</h1>
  const open = entries.find(({ name }) => name === openName)
  const cluster = manifests.cluster
  return (
    <div className={styles['view']}>
      <Head entries={entries} onAdd={() => setAdding(true)} />
      <div className={styles['columns']}>
        <div className={styles['side']}>
          {entries.length === 0 ? null : (
            <FileList entries={entries} openName={openName} cluster={cluster} />
          )}
          {manifests.url === null ? null : <UrlSource url={manifests.url} cluster={cluster} />}
        </div>
        {open === undefined ? (
          <NoFiles onAdd={() => setAdding(true)} />
        ) : (
          <FilePane entry={open} cluster={cluster} />
        )}
      </div>
      {isAdding ? (
        <AddManifestDialog
          taken={entries.map(({ name }) => name)}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </div>
  )
}
