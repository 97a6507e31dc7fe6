import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

const killAfterMs = 5000
const shownLines = 15

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<void>
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.once('close', () => {
      done()
    })
    child.once('error', () => {
      done()
    })
  })
}

/**
 * The programs of one control plane, with their logs in its folder. They end with `stop`, and, by a
 * guardian, also when this process is killed.
 */
export class Processes {
  readonly #folder: string
  readonly #guardian: ChildProcess
  readonly #running: Running[] = []
  #isStopping = false
  #reportFailure: (error: Error) => void = () => undefined
  /** Rejects when a program exits early; never resolves. */
  readonly failed: Promise<never>

  constructor(folder: string) {
    this.#folder = folder
    this.failed = new Promise((_, reject) => {
      this.#reportFailure = reject
    })
    // Callers that wait get the error; without callers it is not an unhandled rejection.
    this.failed.catch(() => undefined)
    const program = join(import.meta.dirname, 'guardian.mjs')
    this.#guardian = spawn(process.execPath, [program, folder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    this.#guardian.unref()
    this.#guardian.stdin?.on('error', () => undefined)
  }

  logOf(name: string): string {
    return join(this.#folder, `${name}.log`)
  }

  start(file: string, args: readonly string[]): void {
    const name = basename(file)
    const log = createWriteStream(this.logOf(name))
    const child = spawn(file, args, {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C is for this process, which then ends them in their order.
      detached: true,
    })
    child.stdout.pipe(log, { end: false })
    child.stderr.pipe(log, { end: false })
    this.#tell(`started ${child.pid}`)
    const ended = endOf(child).then(async () => {
      this.#tell(`ended ${child.pid}`)
      // Its last output is in the file before the file is read.
      await new Promise((done) => log.end(done))
      if (!this.#isStopping) this.#reportFailure(await this.#failureOf(name))
    })
    this.#running.push({ child, ended })
  }

  /** Sends SIGTERM in the reverse order of the starts, then SIGKILL. Idempotent. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const { child, ended } of this.#running.toReversed()) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
      await ended
      clearTimeout(kill)
    }
    this.#tell('farewell')
    this.#guardian.stdin?.end()
  }

  #tell(line: string): void {
    this.#guardian.stdin?.write(`${line}\n`)
  }

  async #failureOf(name: string): Promise<Error> {
    const text = await readFile(this.logOf(name), 'utf8').catch(() => '')
    const last = text.trimEnd().split('\n').slice(-shownLines).join('\n')
    return new Error(`${name} ended by itself. The last it said:\n${last}`)
  }
}
