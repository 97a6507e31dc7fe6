import { renameSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { fileErrorText } from '../files/file-error.ts'
import type { Log } from '../kubelet/ports.ts'
import { asidePath } from './aside-path.ts'
import { readState, stateFormat } from './kept-state.ts'
import type { KeptState, StateMeta, StateProblem, StoredState } from './kept-state.ts'
import { databaseReason, lacksList, openDatabase } from './state-database.ts'
import type { StateDatabase } from './state-database.ts'
import { StateWriter } from './state-writer.ts'

/** The state of a sandbox, open. */
export interface OpenState {
  /** Undefined: the sandbox is new. */
  readonly kept: KeptState | undefined
  /** A sentence for the user about a damaged state that was set aside; empty otherwise. */
  readonly note: string
  /** Starts to write for a sandbox with this seed and these nodes. */
  readonly writer: (run: Pick<StateMeta, 'seed' | 'nodes' | 'now'>) => StateWriter
  /** Without a writer; a writer closes it itself. */
  readonly close: () => Promise<void>
}

interface StateFolder {
  /** Absolute. */
  readonly path: string
  readonly version: string
  readonly log: Log
}

type Reading =
  | { readonly kind: 'open'; readonly database: StateDatabase; readonly kept?: StoredState }
  | StateProblem
  | { readonly kind: 'unusable'; readonly message: string }

async function read(path: string): Promise<Reading> {
  let database: StateDatabase
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (lacksList(path)) return { kind: 'damaged', message: 'the file CURRENT is missing' }
    database = await openDatabase(path)
  } catch (error) {
    return openProblem(error)
  }
  try {
    const kept = readState(await database.entries())
    if (kept.ok) return { kind: 'open', database, ...(kept.value && { kept: kept.value }) }
    await database.close()
    return kept.error
  } catch (error) {
    await database.close()
    return openProblem(error)
  }
}

function openProblem(error: unknown): Reading {
  const { code, text } = databaseReason(error)
  // A table that ends too early is an invalid argument: LevelDB reads after its end.
  const isDamaged =
    code === 'LEVEL_CORRUPTION' || /^Corruption|not an sstable|: Invalid argument$/.test(text)
  return { kind: isDamaged ? 'damaged' : 'unusable', message: text }
}

/** Opens the state in the folder, or a new one. A damaged one is set aside. Error: one sentence, and nothing has changed. */
export async function openState(folder: StateFolder): Promise<Result<OpenState, string>> {
  const { path } = folder
  const reading = await read(path)
  switch (reading.kind) {
    case 'open':
      return ok(opened(folder, reading, ''))
    case 'newer':
      return err(
        `The sandbox's state in ${path} cannot be read: ${reading.message}. It is unchanged; start the newer Nodescope, or use --data-dir or --ephemeral.`,
      )
    case 'unusable':
      return err(
        `The sandbox's state in ${path} cannot be opened (${reading.message}); it is unchanged. Free space or repair access, or use --data-dir or --ephemeral.`,
      )
    default:
      return setAside(folder, reading.message)
  }
}

async function setAside(folder: StateFolder, reason: string): Promise<Result<OpenState, string>> {
  const { path, log } = folder
  const aside = asidePath(path)
  try {
    renameSync(path, aside)
  } catch (error) {
    return err(
      `The sandbox's state in ${path} is damaged (${reason}) and cannot be moved away, ${fileErrorText(error)}: move it, or use --data-dir or --ephemeral.`,
    )
  }
  const note = `The sandbox's state in ${path} is damaged (${reason}). It was moved to ${aside}, and a new sandbox starts.`
  log.error('a damaged state was set aside', { path, aside, reason })
  const reading = await read(path)
  return reading.kind === 'open' ? ok(opened(folder, reading, note)) : err(reading.message)
}

function opened(
  { path, version, log }: StateFolder,
  { database, kept }: Extract<Reading, { kind: 'open' }>,
  note: string,
): OpenState {
  return {
    kept,
    note,
    writer: (run) => {
      const meta: StateMeta = {
        format: stateFormat,
        program: version,
        starts: (kept?.meta.starts ?? 0) + 1,
        resourceVersion: kept?.meta.resourceVersion ?? 0,
        ...run,
      }
      return new StateWriter({ database, path, meta, checksums: kept?.checksums ?? new Map(), log })
    },
    close: () => database.close(),
  }
}
