import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { openManifestName } from '../../store/slices/manifests-slice.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { AddManifestDialog } from './AddManifestDialog.tsx'
import { FileList } from './FileList.tsx'
import { FilePane, useRefusal } from './FilePane.tsx'
import type { ListedFile } from './listed-files.ts'
import { listedFiles } from './listed-files.ts'
import styles from './ManifestsView.module.css'
import { UrlSource } from './UrlSource.tsx'

const words = text.manifests

function useEntries(): readonly ListedFile[] {
  const manifests = useAppState((state) => state.manifests)
  const drafts = useAppState((state) => state.manifestDrafts)
  return useMemo(() => listedFiles(manifests, drafts), [manifests, drafts])
}

function Undo(): ReactNode {
  const undo = useAppState((state) => state.manifests?.undo ?? null)
  const undoChange = useAppState((state) => state.undoManifestChange)
  const isWriting = useAppState((state) => state.isWritingManifest)
  if (undo === null) return null
  const label = words.undo(undo.text)
  return (
    <Button icon="undo" isRefused={isWriting} title={label} onClick={() => void undoChange()}>
      {label}
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
  const whyNot = isSingleFile ? words.singleFile : refusal
  return (
    <div className={styles['head']}>
      <h1>{text.common.views.manifests}</h1>
      <p>
        {words.files(entries.length)}
        {rejected === 0 ? null : <span className={styles['bad']}>{words.rejected(rejected)}</span>}
      </p>
      <p className={styles['folder']}>
        <code>{folder}</code>
        <CopyButton value={folder} label={words.copyFolder} />
      </p>
      <span className={styles['grow']} />
      <Undo />
      <Button
        variant="primary"
        icon="plus"
        isRefused={whyNot !== ''}
        title={whyNot === '' ? undefined : whyNot}
        onClick={onAdd}
      >
        {words.add}
      </Button>
    </div>
  )
}

function NoFolder(): ReactNode {
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>{text.common.views.manifests}</h1>
      </div>
      <EmptyState title={words.noFolder}>{words.noFolderRule}</EmptyState>
    </div>
  )
}

function NoFiles({ onAdd }: { readonly onAdd: () => void }): ReactNode {
  const refusal = useRefusal()
  return (
    <EmptyState
      title={words.noFiles}
      act={
        refusal === '' ? (
          <Button variant="primary" icon="plus" onClick={onAdd}>
            {words.add}
          </Button>
        ) : (
          <p>{refusal}</p>
        )
      }
    >
      {words.noFilesRule}
    </EmptyState>
  )
}

/** The manifest folder: the state of each file, and an editor for the open one. */
export function ManifestsView(): ReactNode {
  const manifests = useAppState((state) => state.manifests)
  const phase = useAppState((state) => state.manifestsState)
  const openName = useAppState(openManifestName)
  const entries = useEntries()
  const [isAdding, setAdding] = useState(false)
  if (phase === 'absent') return <NoFolder />
  if (manifests === null) return <h1 className={styles['alone']}>{text.common.views.manifests}</h1>
  const open = entries.find(({ name }) => name === openName)
  return (
    <div className={styles['view']}>
      <Head entries={entries} onAdd={() => setAdding(true)} />
      <div className={styles['columns']}>
        <div className={styles['side']}>
          {entries.length === 0 ? null : <FileList entries={entries} openName={openName} />}
          {manifests.url === null ? null : <UrlSource url={manifests.url} />}
        </div>
        {open === undefined ? <NoFiles onAdd={() => setAdding(true)} /> : <FilePane entry={open} />}
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
