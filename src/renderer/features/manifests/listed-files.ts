import type { ManifestFile, ManifestsView } from '../../../shared/model/manifests.ts'
import type { ManifestDraft } from '../../store/slices/manifests-slice.ts'
import type { FileState } from './manifest-look.ts'

/** One line of the list. */
export interface ListedFile {
  readonly name: string
  readonly state: FileState
  /** Null: only on this page. */
  readonly file: ManifestFile | null
  /** Whether there is a text on this page that is not saved. */
  readonly isEdited: boolean
}

/** The folder's files and the texts that are none yet, by name. Pure. */
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
