/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a line holds more than the text that an option of a select takes */
import type { ReactNode } from 'react'
import { humanDuration } from '../../../shared/kubernetes/printers/age.ts'
import type { ManifestFile } from '../../../shared/model/manifests.ts'
import { useAppState, useShownTicking, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { listKeys } from '../../ui/list/list-keys.ts'
import { ListOption } from '../../ui/list/ListOption.tsx'
import textStyles from '../../ui/text.module.css'
import { fullTimeText } from '../../words/time.ts'
import { FileStateWord } from './FileState.tsx'
import type { ListedFile } from './listed-files.ts'
import styles from './FileList.module.css'

const words = text.manifests.list

/** The age of the file, in real time: the cluster's clock does not apply to files. */
function Modified({ file }: { readonly file: ManifestFile }): ReactNode {
  const { wallClock } = useStore()
  const age = useShownTicking(() => humanDuration(wallClock() - file.modifiedAt), '')
  return (
    <time className={styles['age']} title={words.changed(fullTimeText(file.modifiedAt))}>
      {age}
    </time>
  )
}

/** The pod that the file defines, or why it defines none. */
function FileSummary({ entry }: { readonly entry: ListedFile }): ReactNode {
  const { file } = entry
  if (file === null) return words.onlyHere
  if (file.problem !== null)
    return (
      <span className={styles['problem']} title={file.problem.message}>
        {words.place(file.problem.line, file.problem.column)}
        {file.problem.message}
      </span>
    )
  if (file.note !== '') return <span title={file.note}>{file.note}</span>
  return file.podName === '' ? '' : `${file.namespace}/${file.podName}`
}

function Line({
  id,
  entry,
  isOpen,
  onOpen,
}: {
  readonly id: string
  readonly entry: ListedFile
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
          <span className={textStyles['spoken']}>, </span>
        </b>
        {isDraft ? (
          <span className={styles['edited']}>
            {words.edited}
            <span className={textStyles['spoken']}>, </span>
          </span>
        ) : null}
        <span className={styles['grow']} />
        <FileStateWord state={state} />
      </span>
      <span className={classNames(styles['line'], styles['second'])} aria-hidden="true">
        <span className={styles['what']}>
          <FileSummary entry={entry} />
        </span>
        <span className={styles['grow']} />
        {file === null ? null : <Modified file={file} />}
      </span>
    </ListOption>
  )
}

/** From the index, since a file's name may have spaces. */
function lineId(index: number): string {
  return `file-${index}`
}

/** The files of the folder. Arrows select, and the selected file is open next to the list. */
export function FileList({
  entries,
  openName,
}: {
  readonly entries: readonly ListedFile[]
  readonly openName: string | null
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
      aria-label={words.label}
      aria-activedescendant={at === -1 ? undefined : lineId(at)}
      className={styles['list']}
      onKeyDown={handleKeyDown}
    >
      {entries.map((entry, index) => (
        <Line
          key={entry.name}
          id={lineId(index)}
          entry={entry}
          isOpen={entry.name === openName}
          onOpen={() => showManifest(entry.name)}
        />
      ))}
    </div>
  )
}
