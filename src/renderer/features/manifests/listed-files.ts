import type { ManifestFile, ManifestState, ManifestsView } from '../../../shared/model/manifests.ts'
import type { ManifestDraft } from '../../store/slices/manifests-slice.ts'

/** A file, or a text that is not saved as a file yet. */
export type FileState = ManifestState | 'unsaved'

/** One line of the list. */
export interface ListedFile {
  readonly name: string
  readonly state: FileState
  /** Null: the text is only on this page. */
  readonly file: ManifestFile | null
  /** Whether this page has an unsaved text for it. */
  readonly isEdited: boolean
}

/** The folder's files and the unsaved texts, sorted by name. Pure. */
export function listedFiles(
  manifests: ManifestsView | null,
  drafts: Readonly<Record<string, ManifestDraft>>,
): readonly ListedFile[] {
  const files = manifests?.files ?? []
  const known = new Set(files.map(({ name }) => name))
  const onDisk = files.map((file): ListedFile => ({
    name: file.name,
    state: file.state,
    file,
    isEdited: Object.hasOwn(drafts, file.name),
  }))
  const onPage = Object.keys(drafts)
    .filter((name) => !known.has(name))
    .map((name): ListedFile => ({ name, state: 'unsaved', file: null, isEdited: true }))
  return [...onDisk, ...onPage].toSorted((left, right) =>
    left.name < right.name ? -1 : left.name > right.name ? 1 : 0,
  )
}
