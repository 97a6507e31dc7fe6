import { accessSync, constants, mkdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { FolderLock, LockHolder } from './folder-lock.ts'
import { lockFolder } from './folder-lock.ts'

/** `unusable`: cannot be made or written. `held`: another Nodescope uses it. `message` is one sentence for the user. */
export type DataFolderError =
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'held'; readonly holder: LockHolder; readonly message: string }

/** The file by which a second start asks the first for its window. */
const focusRequestName = 'focus-request'

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied'
    case 'EROFS':
      return 'the file system is read-only'
    case 'ENOTDIR':
    case 'EEXIST':
      return 'a part of the path is a file'
    case 'ENOENT':
      return 'a folder cannot be created there'
    case 'ENOSPC':
      return 'the disk is full'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}

/** The folder that holds all that Nodescope keeps; one process owns it at a time. */
export class DataFolder {
  readonly path: string
  readonly #lock: FolderLock
  readonly #isEphemeral: boolean
  #stopWatching: () => void = () => undefined

  constructor(deps: {
    readonly path: string
    readonly lock: FolderLock
    readonly isEphemeral: boolean
  }) {
    this.path = deps.path
    this.#lock = deps.lock
    this.#isEphemeral = deps.isEphemeral
  }

  /** Calls back whenever a second start asks for our window. */
  onFocusRequest(listener: () => void): void {
    const watcher = watch(this.path, (_event, name) => {
      if (name !== focusRequestName) return
      // One request makes several events; only the one that still finds the file counts.
      if (takeRequest(join(this.path, focusRequestName))) listener()
    })
    this.#stopWatching = () => {
      watcher.close()
    }
    // Without a watch a second start cannot raise our window, which harms nothing else.
    watcher.on('error', this.#stopWatching)
  }

  /** Gives the folder back, and removes it when it was for this run only. Synchronous, for the last moment. */
  release(): void {
    this.#stopWatching()
    if (this.#isEphemeral) rmSync(this.path, { recursive: true, force: true, maxRetries: 3 })
    else this.#lock.release()
  }
}

function takeRequest(path: string): boolean {
  try {
    rmSync(path)
    return true
  } catch {
    return false // taken already
  }
}

/** Not with `recursive`: Node then never ends where a parent exists that takes no folders, such as /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another start may have made it just now.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Makes the folder where it is missing (for this user alone), and takes it. */
export function openDataFolder(options: {
  readonly path: string
  readonly isEphemeral: boolean
  readonly host: LockHolder['host']
}): Result<DataFolder, DataFolderError> {
  const { path, isEphemeral, host } = options
  try {
    makeFolder(path)
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const lock = lockFolder(path, host, Date.now())
    if (lock.ok) return ok(new DataFolder({ path, lock: lock.value, isEphemeral }))
    return err({
      kind: 'held',
      holder: lock.error,
      message: `Another Nodescope (process ${lock.error.process.pid}) uses the data folder ${path}: stop it, or choose another folder with --data-dir.`,
    })
  } catch (error) {
    return err({
      kind: 'unusable',
      message: `The data folder ${path} cannot be used, ${reasonOf(error)}: choose another with --data-dir.`,
    })
  }
}

/** Asks the Nodescope that holds this folder to bring its window to the front. */
export function requestFocus(path: string): void {
  writeFileSync(join(path, focusRequestName), '', { mode: 0o600 })
}
