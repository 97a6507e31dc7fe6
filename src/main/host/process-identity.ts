import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

/** Identifies a process across boots: process ids are reused. */
export interface ProcessIdentity {
  readonly pid: number
  /** Boot id and start time in clock ticks, from /proc; null without /proc. */
  readonly birth: string | null
}

/** The fields from the third on, after the command, which may contain spaces and brackets. Throws without /proc. */
function statFields(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Whether the process has exited and waits for its parent. False without /proc. */
function isZombie(pid: number): boolean {
  try {
    return ['Z', 'X'].includes(statFields(pid)[0] ?? '')
  } catch {
    return false // no /proc here, or no such process
  }
}

/** The identity of a process; `birth` is also null if it does not exist. */
export function identityOf(pid: number): ProcessIdentity {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const ticks = statFields(pid)[19] // starttime, field 22
    return { pid, birth: ticks === undefined ? null : `${boot}:${ticks}` }
  } catch {
    return { pid, birth: null } // no /proc here, or no such process
  }
}

/** Whether a process with this id runs; without /proc also true for a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' && !isZombie(pid)
  }
}

/** Whether the process with this identity still runs. `seenAt`: ms, when it last ran. */
export function isStillRunning(identity: ProcessIdentity, seenAt: number): boolean {
  if (!isAlive(identity.pid)) return false
  if (identity.birth !== null) return identityOf(identity.pid).birth === identity.birth
  // Without /proc only a reboot shows that the id was reused; allows a minute for clock changes.
  return seenAt > Date.now() - uptime() * 1000 - 60_000
}
