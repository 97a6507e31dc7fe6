import { accessSync, constants, mkdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { fileErrorCode, fileErrorText } from '../files/file-error.ts'
import type { FolderLock, LockHolder } from './folder-lock.ts'
import { lockFolder } from './folder-lock.ts'

/** `unusable`: cannot be created or written. `held`: another Nodescope uses it. `message` is one sentence for the user. */
export type DataFolderError =
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'held'; readonly holder: LockHolder; readonly message: string }

/** A second start writes this file to bring the window of the first to the front. */
const focusRequestName = 'focus-request'

function reasonOf(error: unknown): string {
  switch (fileErrorCode(error)) {
    case 'ENOTDIR':
    case 'EEXIST':
      return 'a part of the path is a file'
    case 'ENOENT':
      return 'a folder cannot be created there'
    default:
      return fileErrorText(error)
  }
}

interface DataFolderDeps {
  readonly path: string
  readonly lock: FolderLock
  readonly isEphemeral: boolean
}

/** The folder of all of Nodescope's files; one process uses it at a time. */
export class DataFolder {
  readonly #deps: DataFolderDeps
  #stopWatching: () => void = () => undefined

  constructor(deps: DataFolderDeps) {
    this.#deps = deps
  }

  /** Calls back when a second start requests the window. */
  onFocusRequest(listener: () => void): void {
    const { path } = this.#deps
    const watcher = watch(path, (_event, name) => {
      // One request causes several events; only the first one finds the file.
      if (name === focusRequestName && takeRequest(join(path, name))) listener()
    })
    this.#stopWatching = () => {
      watcher.close()
    }
    // Without a watch a second start cannot raise the window; nothing else is affected.
    watcher.on('error', this.#stopWatching)
  }

  /** Releases the lock, or removes an ephemeral folder. Synchronous, for use in an exit handler. */
  release(): void {
    this.#stopWatching()
    const { path, lock, isEphemeral } = this.#deps
    if (isEphemeral) rmSync(path, { recursive: true, force: true, maxRetries: 3 })
    else lock.release()
  }
}

function takeRequest(path: string): boolean {
  try {
    rmSync(path)
    return true
  } catch {
    return false // another event was first
  }
}

/** Without `recursive`, with which Node never returns if a parent accepts no folders, such as /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another start may have created it in the meantime.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Creates a missing folder, for this user only, and locks it. */
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

/** Requests that the Nodescope with this folder brings its window to the front. */
export function requestFocus(path: string): void {
  writeFileSync(join(path, focusRequestName), '', { mode: 0o600 })
}
