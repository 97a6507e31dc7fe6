/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a line holds more than the text that an option of a select takes */
import type { ReactNode } from 'react'
import { humanDuration } from '../../../shared/kubernetes/printers/age.ts'
import type { ManifestFile } from '../../../shared/model/manifests.ts'
import { useAppState, useStore, useTicking } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { listKeys } from '../../ui/list/list-keys.ts'
import { ListOption } from '../../ui/list/ListOption.tsx'
import text from '../../ui/text.module.css'
import { fullTimeText } from '../../words/time.ts'
import { FileStateWord } from './FileState.tsx'
import type { ListedFile } from './listed-files.ts'
import styles from './FileList.module.css'
import { placeText } from './problem-place.ts'

/** Files are changed in real time, whatever the cluster's clock does. */
function Modified({
  file,
  cluster,
}: {
  readonly file: ManifestFile
  readonly cluster: string
}): ReactNode {
  const { wallClock } = useStore()
  const age = useTicking(cluster, () => humanDuration(wallClock() - file.modifiedAt), '')
  return (
    <time className={styles['age']} title={`changed ${fullTimeText(file.modifiedAt)}`}>
      {age}
    </time>
  )
}

/** What the file makes, or why it makes nothing. */
function Second({ entry }: { readonly entry: ListedFile }): ReactNode {
  const { file } = entry
  if (file === null) return 'only on this page'
  if (file.problem !== null)
    return (
      <span className={styles['problem']} title={file.problem.message}>
        {placeText(file.problem)}
        {file.problem.message}
      </span>
    )
  if (file.note !== '') return <span title={file.note}>{file.note}</span>
  return file.podName === '' ? '' : `${file.namespace}/${file.podName}`
}

function Line({
  id,
  entry,
  cluster,
  isOpen,
  onOpen,
}: {
  readonly id: string
  readonly entry: ListedFile
  readonly cluster: string
  readonly isOpen: boolean
  readonly onOpen: () => void
}): ReactNode {
  const { name, state, file, isEdited } = entry
  const isDraft = isEdited && file !== null
  return (
    <ListOption
      id={id}
      isSelected={isOpen}
      isActive={isOpen}
      className={classNames(styles['file'], isOpen && styles['open'])}
      onChoose={onOpen}
    >
      <span className={styles['line']}>
        <b className={styles['name']}>
          {name}
          <span className={text['spoken']}>, </span>
        </b>
        {isDraft ? (
          <span className={styles['edited']}>
            edited<span className={text['spoken']}>, </span>
          </span>
        ) : null}
        <span className={styles['grow']} />
        <FileStateWord state={state} />
      </span>
      <span className={classNames(styles['line'], styles['second'])} aria-hidden="true">
        <span className={styles['what']}>
          <Second entry={entry} />
        </span>
        <span className={styles['grow']} />
        {file === null ? null : <Modified file={file} cluster={cluster} />}
      </span>
    </ListOption>
  )
}

/** By its place: a file's name may hold spaces, which no id does. */
function lineId(index: number): string {
  return `file-${index}`
}

/** The files of the folder. Arrows choose, and the chosen one is open beside the list. */
export function FileList({
  entries,
  openName,
  cluster,
}: {
  readonly entries: readonly ListedFile[]
  readonly openName: string | null
  readonly cluster: string
}): ReactNode {
  const showManifest = useAppState((state) => state.showManifest)
  const at = entries.findIndex(({ name }) => name === openName)
  const handleKeyDown = listKeys({
    at,
    count: entries.length,
    pageRows: 10,
    onMove: (index) => showManifest(entries[index]?.name ?? null),
  })
  return (
    <div
      role="listbox"
      tabIndex={0}
      aria-label="Manifest files"
      aria-activedescendant={at === -1 ? undefined : lineId(at)}
      className={styles['list']}
      onKeyDown={handleKeyDown}
    >
      {entries.map((entry, index) => (
        <Line
          key={entry.name}
          id={lineId(index)}
          entry={entry}
          cluster={cluster}
          isOpen={entry.name === openName}
          onOpen={() => showManifest(entry.name)}
        />
      ))}
    </div>
  )
}
