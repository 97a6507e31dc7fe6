import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import type { ActError } from '../../../shared/ipc/contract.ts'
import type { LogFacts } from '../../../shared/model/kubelet-log.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fileErrorText } from '../../files/file-error.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { KubeletLog } from './kubelet-log.ts'
import type { LogFile } from './log-input.ts'
import { inspectFile } from './log-input.ts'

/** More would be a mistake; each keeps some megabytes. */
const maxOpen = 8
/** A page gets its first picture after that, of what was read by then. */
const firstPictureMs = 300

/** The last ten thousand entries of the kubelet's unit, and what it writes from now on. */
export const journalCommand = [
  'journalctl',
  '--unit=kubelet',
  '--output=json',
  '--lines=10000',
  '--follow',
  '--no-pager',
] as const

type Opened = Result<LogFacts, ActError>

interface OpenLogsDeps {
  /** For copies of compressed logs and of streams; Nodescope's own. */
  readonly folder: string
  /** The system's. */
  readonly clock: Clock
  readonly log: Log
}

function failed(message: string): Result<never, ActError> {
  return err({ kind: 'failed', message })
}

/** What happens to logs, for the clusters that show them. */
export interface LogListener {
  /** Nothing of it has been read. One that turns out to be no log is closed without having been opened. */
  readonly begun: (log: KubeletLog) => void
  readonly opened: (id: string) => void
  /** More of it was read. */
  readonly read: (id: string) => void
  readonly closed: (id: string) => void
}

const notOpen = err({ kind: 'not-found', message: 'This log is no longer open.' } as const)

/** Whether all of it was read, and nothing was a line of a kubelet. */
function isForeign({ isRead, problem, lines, understood }: LogFacts): boolean {
  return isRead && problem === '' && lines > 0 && understood === 0
}

function foreignWords({ name, lines }: LogFacts): string {
  const none = lines === 1 ? 'its only line is not' : `none of its ${lines} lines is`
  return `${name} is not the log of a kubelet: ${none} an entry in klog’s text, in JSON, or in the output of journalctl. Choose the output of journalctl --unit=kubelet, or the file that the kubelet writes to.`
}

/** The logs that are open, for all pages. */
export class OpenLogs {
  readonly #deps: OpenLogsDeps
  readonly #logs = new Map<string, KubeletLog>()
  readonly #journals = new Map<string, () => void>()
  #lastId = 0
  #listener: LogListener | undefined

  constructor(deps: OpenLogsDeps) {
    this.#deps = deps
  }

  listen(listener: LogListener): void {
    this.#listener = listener
  }

  list(): readonly LogFacts[] {
    return [...this.#logs.values()].map((log) => log.facts())
  }

  get(id: string): KubeletLog | undefined {
    return this.#logs.get(id)
  }

  /** Files of one kubelet, in any order. `-`: standard input, alone. */
  async openFiles(paths: readonly string[]): Promise<Opened> {
    const files: LogFile[] = []
    for (const path of paths) {
      try {
        files.push(await inspectFile(path))
      } catch (error) {
        return failed(`The log ${path} cannot be read: ${fileErrorText(error)}.`)
      }
    }
    const [first] = files
    if (first === undefined) return failed('No file was chosen.')
    const more = files.length > 1 ? ` and ${files.length - 1} more` : ''
    return this.#open(`${basename(first.path)}${more}`, (log) => log.readFiles(files))
  }

  openStream(name: string, stream: Readable): Promise<Opened> {
    return this.#open(name, (log) => log.readStream(stream))
  }

  /** What this machine's kubelet writes from now on, and its last lines. */
  async openJournal(
    command: readonly [program: string, ...args: readonly string[]],
  ): Promise<Opened> {
    const [program, ...args] = command
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let complaint = ''
    child.stderr.on('data', (text: Buffer) => {
      complaint = (complaint + text.toString('utf8')).slice(-400)
    })
    const ended = new Promise<number | null>((resolve) => {
      child.once('close', resolve)
    })
    const started = await new Promise<Error | undefined>((resolve) => {
      child.once('error', resolve)
      child.once('spawn', () => resolve(undefined))
    })
    if (started !== undefined)
      return failed(
        `${program} cannot be started: ${started.message}. The journal needs a machine with systemd; choose a file instead.`,
      )
    const opened = await this.openStream('kubelet journal of this machine', child.stdout)
    if (!opened.ok) {
      child.kill()
      return opened
    }
    this.#journals.set(opened.value.id, () => child.kill())
    if (!opened.value.isRead) return opened
    const code = await ended
    if (code === 0) return opened
    await this.close(opened.value.id)
    return failed(`${program} ended with code ${code}: ${complaint.trim()}`)
  }

  /** One piece of a file that a page sends; `id` null: the first one. */
  async upload(piece: {
    readonly id: string | null
    readonly name: string
    readonly writtenAt: number
    readonly data: Buffer
    readonly ends: 'nothing' | 'part' | 'log'
  }): Promise<Opened> {
    const { id, name } = piece
    if (id === null) {
      const log = this.#add(name)
      if (!log.ok) return log
      log.value.beginUpload(piece.writtenAt)
      await log.value.append(piece)
      return this.#firstPicture(log.value, piece.ends === 'log')
    }
    const log = this.#logs.get(id)
    if (log === undefined) return notOpen
    await log.append(piece)
    return this.#firstPicture(log, piece.ends === 'log')
  }

  follow(id: string, isFollowed: boolean): Opened {
    const log = this.#logs.get(id)
    if (log === undefined) return notOpen
    return log.follow(isFollowed)
      ? ok(log.facts())
      : err({ kind: 'refused', message: 'Only a log that was opened as a file can be followed.' })
  }

  async close(id: string): Promise<void> {
    const log = this.#logs.get(id)
    if (this.#logs.delete(id)) this.#listener?.closed(id)
    this.#journals.get(id)?.()
    this.#journals.delete(id)
    await log?.close()
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#logs.keys()].map((id) => this.close(id)))
  }

  #add(name: string): Result<KubeletLog, ActError> {
    if (this.#logs.size >= maxOpen)
      return err({
        kind: 'refused',
        message: `${maxOpen} logs are open. Close one of them first.`,
      })
    const { folder, clock } = this.#deps
    const id = `log-${++this.#lastId}`
    const onRead = (): void => this.#listener?.read(id)
    const log = new KubeletLog({ id, name, folder, clock, onRead })
    this.#logs.set(id, log)
    this.#listener?.begun(log)
    return ok(log)
  }

  async #open(name: string, read: (log: KubeletLog) => void): Promise<Opened> {
    const log = this.#add(name)
    if (!log.ok) return log
    read(log.value)
    this.#deps.log.info('log opened', { name })
    return this.#firstPicture(log.value, true)
  }

  /** Waits for the end of a short log. */
  async #firstPicture(log: KubeletLog, isComplete: boolean): Promise<Opened> {
    if (!isComplete) return ok(log.facts())
    let cancel: (() => void) | undefined
    const late = new Promise<void>((resolve) => {
      cancel = this.#deps.clock.after(firstPictureMs, resolve)
    })
    await Promise.race([log.whenRead, late])
    cancel?.()
    const facts = log.facts()
    if (isForeign(facts)) {
      await this.close(facts.id)
      return failed(foreignWords(facts))
    }
    this.#listener?.opened(facts.id)
    return ok(facts)
  }
}
