import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '../../shared/json.ts'
import { fileErrorCode } from '../files/file-error.ts'
import { temporaryPath } from '../files/temporary-path.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { ProcessIdentity } from './process-identity.ts'
import { identityOf, isStillRunning } from './process-identity.ts'

/** The process that uses a data folder. */
export interface LockHolder {
  readonly process: ProcessIdentity
  readonly host: 'electron' | 'web'
  /** ms since the epoch. */
  readonly since: number
}

export interface FolderLock {
  /** Idempotent; does not remove the lock of another process. */
  readonly release: () => void
}

const lockName = 'nodescope.lock'

/** Whether the folder has a lock whose process no longer runs. */
export function isAbandoned(folder: string): boolean {
  const holder = readHolder(join(folder, lockName))
  return holder !== undefined && !isStillRunning(holder.process, holder.since)
}

/** Undefined if there is no lock, or the file is not a lock of Nodescope: the folder is free. */
function readHolder(path: string): LockHolder | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isJsonObject(parsed) || !isJsonObject(parsed['process'])) return undefined
    const { pid, birth } = parsed['process']
    const { host, since } = parsed
    if (typeof pid !== 'number' || !(typeof birth === 'string' || birth === null)) return undefined
    if ((host !== 'electron' && host !== 'web') || typeof since !== 'number') return undefined
    return { process: { pid, birth }, host, since }
  } catch {
    return undefined // none, or not a lock of Nodescope
  }
}

function linkIfAbsent(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (fileErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes the lock of a process that no longer runs. Two starts may do so at the same time: the second one would remove the
 * new lock of the first, so it checks the lock that it moved away, and puts a valid one back.
 */
function removeStaleLock(path: string): void {
  const aside = temporaryPath(path)
  try {
    renameSync(path, aside)
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return
    throw error
  }
  const taken = readHolder(aside)
  if (taken !== undefined && isStillRunning(taken.process, taken.since)) linkIfAbsent(aside, path)
  rmSync(aside, { force: true })
}

/**
 * Locks the folder for this process. The lock file is written first and then linked, so that it is never incomplete. A stale
 * lock is replaced. Error: the holder of the lock.
 */
export function lockFolder(
  folder: string,
  host: LockHolder['host'],
  now: number,
): Result<FolderLock, LockHolder> {
  const path = join(folder, lockName)
  const own: LockHolder = { process: identityOf(process.pid), host, since: now }
  const draft = temporaryPath(path)
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 })
  try {
    for (;;) {
      if (linkIfAbsent(draft, path)) return ok({ release: releaser(path, own) })
      const holder = readHolder(path)
      if (holder !== undefined && isStillRunning(holder.process, holder.since)) return err(holder)
      removeStaleLock(path)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

function releaser(path: string, own: LockHolder): () => void {
  return () => {
    const holder = readHolder(path)
    if (holder?.process.pid === own.process.pid && holder.since === own.since)
      rmSync(path, { force: true })
  }
}
