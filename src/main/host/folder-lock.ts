import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryPath } from '../files/temporary-path.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { ProcessIdentity } from './process-identity.ts'
import { identityOf, isStillRunning } from './process-identity.ts'

/** Who uses a data folder. */
export interface LockHolder {
  readonly process: ProcessIdentity
  readonly host: 'electron' | 'web'
  /** ms since the epoch. */
  readonly since: number
}

export interface FolderLock {
  /** Twice does nothing; a lock that is no longer ours stays. */
  readonly release: () => void
}

const lockName = 'nodescope.lock'

/** Whether there is a lock in this folder whose process is gone. */
export function isAbandoned(folder: string): boolean {
  const holder = readHolder(join(folder, lockName))
  return holder !== undefined && !isStillRunning(holder.process, holder.since)
}

/** Undefined when there is no lock, or one that no Nodescope wrote: both may be taken. */
function readHolder(path: string): LockHolder | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isRecord(parsed) || !isRecord(parsed['process'])) return undefined
    const { pid, birth } = parsed['process']
    const { host, since } = parsed
    if (typeof pid !== 'number' || !(typeof birth === 'string' || birth === null)) return undefined
    if ((host !== 'electron' && host !== 'web') || typeof since !== 'number') return undefined
    return { process: { pid, birth }, host, since }
  } catch {
    return undefined // none, or not ours to understand
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function linkIfAbsent(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * Takes away a lock whose holder is gone. Two starts may find it at the same time: the one that comes
 * second would take away the fresh lock of the first, so what was taken is looked at, and put back.
 */
function breakStale(path: string): void {
  const aside = temporaryPath(path)
  try {
    renameSync(path, aside)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw error
  }
  const taken = readHolder(aside)
  if (taken !== undefined && isStillRunning(taken.process, taken.since)) linkIfAbsent(aside, path)
  rmSync(aside, { force: true })
}

/**
 * Takes the folder for this process. The lock is a file made whole and linked into place, so that it
 * is never seen half written; a lock whose process is gone is broken. Errors: who holds it.
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
      breakStale(path)
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
