import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Whether the process group of `pid` still has a process. */
export function hasProcesses(pid: number): boolean {
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false // ESRCH: no process is left
  }
}

/** A started program in its own process group, with its output and its exit. */
export class RunningProcess {
  readonly pid: number
  readonly #child: ChildProcess
  readonly #ended: Promise<ProcessEnd>
  #stdout = ''
  #stderr = ''

  constructor(child: ChildProcess) {
    this.#child = child
    this.pid = child.pid ?? 0
    child.stdout?.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()))
    this.#ended = new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => {
        resolve({ code, signal })
      })
    })
  }

  get stdout(): string {
    return this.#stdout
  }

  get stderr(): string {
    return this.#stderr
  }

  /** The value of a line `name value` on stdout; waits for it. */
  async fact(name: string): Promise<string> {
    // To its end: a chunk may stop in the middle of a line.
    const line = new RegExp(`^${name} (.+)\\n`, 'm')
    for (;;) {
      const found = line.exec(this.#stdout)?.[1]
      if (found !== undefined) return found
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        throw new Error(`no line "${name} …" before the end:\n${this.#stdout}${this.#stderr}`)
      await Promise.race([once(this.#child.stdout ?? this.#child, 'data'), this.#ended])
    }
  }

  /** Resolves when it has ended and its output is complete. */
  ended(): Promise<ProcessEnd> {
    return this.#ended
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Ends every process of the group, whatever state it is in. */
  destroy(): void {
    if (hasProcesses(this.pid)) process.kill(-this.pid, 'SIGKILL')
  }
}
