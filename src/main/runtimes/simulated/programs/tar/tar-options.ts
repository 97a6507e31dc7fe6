import { WorkingFolder } from '../../files/working-folder.ts'
import type { Running } from '../../process/running.ts'
import type { ProgramIo } from '../program.ts'
import { complain } from '../program.ts'

/** The operands of one run. */
export interface TarOptions {
  /** `-`: standard input or output. */
  readonly archive: string
  /** The folder that names are relative to. */
  readonly folder: string | undefined
  readonly names: readonly string[]
  readonly flags: ReadonlySet<string>
}

/** The working folder after -C; undefined: it is missing, which is said. */
export function* folderOf(
  io: ProgramIo,
  { folder }: TarOptions,
): Running<WorkingFolder | undefined> {
  if (folder === undefined) return io.files
  const found = io.files.node(folder)
  const error = !found.ok ? found.error : found.value.kind === 'folder' ? undefined : 'ENOTDIR'
  if (error === undefined) return new WorkingFolder(() => io.files.tree, io.files.absolute(folder))
  yield* complain(io, `tar: can't change directory to '${folder}'`, error)
  return undefined
}
