import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import type { ObjectWritten } from '../sandbox/object-store.ts'
import { metaKey, objectKey } from './kept-state.ts'
import type { StateMeta, StoredMeta, StoredState } from './kept-state.ts'
import { databaseReason } from './state-database.ts'
import type { EntryChange, StateDatabase } from './state-database.ts'
import { encodeEntry } from './state-entry.ts'

/** Real ms between two tries after a failed write. */
const retryMs = 1000

/** Real ms between two records of the time while nothing is written. */
const timeMs = 1000

type Answer = Result<undefined, string>

interface StateWriterDeps {
  readonly database: StateDatabase
  /** Its folder, for sentences. */
  readonly path: string
  /** Of this run; time and version are replaced. */
  readonly meta: StateMeta
  /** Of what the database has. */
  readonly checksums: StoredState['checksums']
  readonly log: Log
}

/**
 * Writes the objects of a sandbox, in the order of their writes, in batches: a batch takes what was written while the last one
 * was under way. After a failure nothing is lost: all of it is part of the next try.
 */
export class StateWriter {
  readonly #deps: StateWriterDeps
  /** By the key in the database: the newest object, undefined for a deleted one. */
  #pending = new Map<string, ObjectWritten['object'] | undefined>()
  /** Of every entry in the database. */
  readonly #checksums = new Map<string, number>()
  #digest = 0
  #meta: StateMeta
  #writtenNow = 0
  #now: () => number = () => this.#meta.now
  /** Who waits for `#pending`, and who waits for the batch under way. */
  #waiting: ((answer: Answer) => void)[] = []
  #underWay: ((answer: Answer) => void)[] | undefined
  #problem: string | undefined
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(deps: StateWriterDeps) {
    this.#deps = deps
    this.#meta = deps.meta
    for (const [key, checksum] of deps.checksums) this.#setChecksum(key, checksum)
  }

  /** Why the last write failed, as a sentence; undefined if it did not. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Records the time of this clock with every batch, and once a second. */
  start(now: () => number): void {
    this.#now = now
    this.#timer = setInterval(() => {
      if (this.#now() !== this.#writtenNow) this.#begin()
    }, timeMs)
    this.#timer.unref()
    this.#begin()
  }

  readonly record = ({ resource, object, change, resourceVersion }: ObjectWritten): void => {
    this.#pending.set(objectKey(resource, object), change === 'DELETED' ? undefined : object)
    this.#meta = { ...this.#meta, resourceVersion }
    this.#begin()
  }

  /** Resolves when the operating system has everything that was recorded before. Error: a sentence. */
  readonly written = (): Promise<Answer> => {
    if (this.#problem !== undefined) return Promise.resolve(err(this.#problem))
    const isIdle = this.#pending.size === 0
    if (isIdle && this.#underWay === undefined) return Promise.resolve(ok(undefined))
    return new Promise((resolve) => {
      const waiters = isIdle ? this.#underWay : this.#waiting
      waiters?.push(resolve)
    })
  }

  /** Writes the rest and the time, and closes the database. Error: a sentence about what could not be written. */
  async close(): Promise<Answer> {
    clearInterval(this.#timer)
    while (this.#underWay !== undefined) await this.written()
    this.#isClosed = true
    const answer = await this.#writeBatch()
    await this.#deps.database.close()
    return answer
  }

  #begin(): void {
    if (this.#underWay !== undefined || this.#isClosed || this.#problem !== undefined) return
    this.#underWay = []
    // What is written in the same turn of the event loop is one batch.
    setImmediate(() => void this.#writeAll())
  }

  async #writeAll(): Promise<void> {
    do {
      this.#underWay = [...(this.#underWay ?? []), ...this.#waiting.splice(0)]
      const answer = await this.#writeBatch()
      const settled = this.#underWay
      this.#underWay = this.#pending.size > 0 && answer.ok ? [] : undefined
      for (const resolve of settled) resolve(answer)
    } while (this.#underWay !== undefined)
  }

  async #writeBatch(): Promise<Answer> {
    const taken = this.#pending
    this.#pending = new Map()
    const checksums = new Map(Array.from(taken.keys(), (key) => [key, this.#checksums.get(key)]))
    try {
      await this.#deps.database.write(this.#changes(taken))
      this.#problem = undefined
      return ok(undefined)
    } catch (error) {
      for (const [key, checksum] of checksums) this.#setChecksum(key, checksum)
      this.#pending = new Map([...taken, ...this.#pending])
      return err(this.#failed(error))
    }
  }

  #changes(taken: ReadonlyMap<string, ObjectWritten['object'] | undefined>): EntryChange[] {
    const changes: EntryChange[] = []
    for (const [key, object] of taken) {
      const entry = object && encodeEntry(key, object)
      this.#setChecksum(key, entry?.checksum)
      changes.push([key, entry?.text])
    }
    this.#writtenNow = this.#now()
    const meta: StoredMeta = {
      ...this.#meta,
      now: this.#writtenNow,
      objects: this.#checksums.size,
      digest: this.#digest,
    }
    return [...changes, [metaKey, encodeEntry(metaKey, meta).text]]
  }

  #setChecksum(key: string, checksum: number | undefined): void {
    this.#digest = (this.#digest ^ (this.#checksums.get(key) ?? 0) ^ (checksum ?? 0)) >>> 0
    if (checksum === undefined) this.#checksums.delete(key)
    else this.#checksums.set(key, checksum)
  }

  #failed(error: unknown): string {
    const { path, log } = this.#deps
    const { text } = databaseReason(error)
    const isFull = /No space left|ENOSPC|disk quota/i.test(text)
    const problem = isFull
      ? `The disk of ${path} is full: the sandbox keeps its state in memory and refuses changes until there is room.`
      : `The sandbox's state cannot be written to ${path} (${text}): it is kept in memory, and changes are refused until writing works again.`
    if (this.#problem === undefined) log.error(problem, { reason: text })
    this.#problem = problem
    if (!this.#isClosed) setTimeout(() => void this.#retry(), retryMs).unref()
    return problem
  }

  async #retry(): Promise<void> {
    if (this.#isClosed) return
    this.#underWay = []
    try {
      await this.#deps.database.reopen()
    } catch (error) {
      this.#underWay = undefined
      this.#failed(error)
      return
    }
    await this.#writeAll()
    if (this.#problem === undefined)
      this.#deps.log.info("the sandbox's state is written again", { path: this.#deps.path })
  }
}
