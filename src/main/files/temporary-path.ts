import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'

const pattern = /^\.nodescope-(\d{1,10})-[0-9a-f]{12}$/

/**
 * Where something is written before it takes the place of `path`. It begins with a dot, so that a kubelet passes over it,
 * and names the process that writes it, so that a later start knows what a killed one has left.
 */
export function temporaryPath(path: string): string {
  return join(dirname(path), `.nodescope-${process.pid}-${randomBytes(6).toString('hex')}`)
}

/** The process id in a `temporaryPath`; undefined for any other path. */
export function temporaryOwner(path: string): number | undefined {
  const pid = pattern.exec(basename(path))?.[1]
  return pid === undefined ? undefined : Number(pid)
}
