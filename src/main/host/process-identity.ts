import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

/** Names one process of one boot of this machine: a process id alone comes round again. */
export interface ProcessIdentity {
  readonly pid: number
  /** Boot id and start time in clock ticks, from /proc; null where there is no /proc. */
  readonly birth: string | null
}

/** From the third field on; the command before them is in brackets and may hold spaces and brackets. Throws without /proc. */
function statFields(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Field 22. */
function startTicks(pid: number): string | undefined {
  return statFields(pid)[19]
}

/** It has ended, and only its parent has not asked how: it holds nothing any more. False where there is no /proc. */
function isZombie(pid: number): boolean {
  try {
    return ['Z', 'X'].includes(statFields(pid)[0] ?? '')
  } catch {
    return false // no /proc here, or no such process
  }
}

/** The identity of a process now; `birth` null also when there is no such process. */
export function identityOf(pid: number): ProcessIdentity {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const ticks = startTicks(pid)
    return { pid, birth: ticks === undefined ? null : `${boot}:${ticks}` }
  } catch {
    return { pid, birth: null } // no /proc here, or no such process
  }
}

/** Whether a process of this id runs now. Without /proc also one that has ended and whose parent has not asked how. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    // EPERM: it lives, but belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' && !isZombie(pid)
  }
}

/** Whether the process that once had this identity still runs. `seenAt`: ms, when it was seen to. */
export function isStillRunning(identity: ProcessIdentity, seenAt: number): boolean {
  if (!isAlive(identity.pid)) return false
  if (identity.birth !== null) return identityOf(identity.pid).birth === identity.birth
  // Without /proc only a restart of the machine shows that the id is another's; a minute for clock changes.
  return seenAt > Date.now() - uptime() * 1000 - 60_000
}
