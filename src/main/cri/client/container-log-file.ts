import { open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { textOfBytes } from '../../files/byte-text.ts'
import type {
  ContainerLogCursor,
  ContainerLogLine,
} from '../../kubelet/host/container-log-reader.ts'
import type { ContainerHost, RuntimeService } from '../../kubelet/ports.ts'

/** Of a file at a time. */
const blockBytes = 1024 * 1024
/** Between two looks at a log that is followed, and at its container. Real ms. */
const [lookMs, stateMs] = [200, 1000]

const newline = 0x0a

/** A line of CRI's format: `2026-11-24T10:00:00.000000000Z stdout F text`. Undefined for anything else. */
function lineOf(bytes: Buffer): ContainerLogLine | undefined {
  const [, time = '', second = '', stream, tag = '', text = ''] =
    /^(\S+?(?:\.\d{0,3}(\d*))?(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) (\S+) ([^]*)$/.exec(
      textOfBytes(bytes),
    ) ?? []
  if (stream !== 'stdout' && stream !== 'stderr') return undefined
  const at = Date.parse(time) + Number(`0.${second || '0'}`)
  return { at, stream, isWhole: !tag.startsWith('P'), text }
}

/** The whole lines, and how many bytes they have. */
function linesOf(buffer: Buffer): {
  readonly lines: readonly ContainerLogLine[]
  readonly bytes: number
} {
  const bytes = buffer.lastIndexOf(newline) + 1
  const lines: ContainerLogLine[] = []
  for (let at = 0; at < bytes;) {
    const next = buffer.indexOf(newline, at)
    const line = lineOf(buffer.subarray(at, next))
    if (line !== undefined) lines.push(line)
    at = next + 1
  }
  return { lines, bytes }
}

/** Where the last lines begin. */
async function startOfLast(file: FileHandle, count: number): Promise<number> {
  let { size: end } = await file.stat()
  if (count === Infinity) return 0
  // The newline at the end is that of the last line.
  let left = count + 1
  const block = Buffer.alloc(Math.min(blockBytes, end))
  while (end > 0) {
    const start = Math.max(0, end - block.length)
    const { bytesRead } = await file.read(block, 0, end - start, start)
    for (let at = bytesRead - 1; at >= 0; at--) {
      if (block[at] !== newline) continue
      if (--left === 0) return start + at + 1
    }
    end = start
  }
  return 0
}

/** A place in a log file, which the kubelet or its runtime may replace by a new one. */
class LogFileCursor implements ContainerLogCursor {
  readonly #path: string
  readonly #isRunning: () => Promise<boolean>
  #file: FileHandle
  #offset: number
  /** What has been read, with the beginning of a line that is not whole yet. */
  #seenBytes = 0
  #isBehind = false
  #isClosed = false

  constructor(deps: {
    readonly path: string
    readonly file: FileHandle
    readonly offset: number
    readonly isRunning: () => Promise<boolean>
  }) {
    this.#path = deps.path
    this.#file = deps.file
    this.#offset = deps.offset
    this.#isRunning = deps.isRunning
  }

  readonly read = (): Promise<readonly ContainerLogLine[]> =>
    this.#whileOpen(() => this.#read(), [])

  readonly more = (): Promise<boolean> => this.#whileOpen(() => this.#more(), false)

  readonly isBehind = (): boolean => this.#isBehind

  readonly close = (): void => {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#isBehind = false
    void this.#file.close().catch(() => undefined)
  }

  /** What is under way when the cursor is closed fails. */
  async #whileOpen<T>(work: () => Promise<T>, closed: T): Promise<T> {
    if (this.#isClosed) return closed
    try {
      return await work()
    } catch (error) {
      // `close` sets it meanwhile.
      if (this.#isClosed as boolean) return closed
      throw error
    }
  }

  async #read(): Promise<readonly ContainerLogLine[]> {
    const { size } = await this.#file.stat()
    const left = Math.max(0, size - this.#offset)
    // A line has 16 KiB at most: a whole buffer has the end of one.
    const buffer = Buffer.alloc(Math.min(blockBytes, left))
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, this.#offset)
    const bytes = buffer.subarray(0, bytesRead)
    const lines = linesOf(bytes)
    this.#isBehind = left > buffer.length
    this.#seenBytes = this.#offset + bytesRead
    this.#offset += this.#isBehind && lines.bytes === 0 ? bytesRead : lines.bytes
    return lines.lines
  }

  async #more(): Promise<boolean> {
    for (let waitedMs = 0; !this.#isClosed; waitedMs += lookMs) {
      if ((await this.#file.stat()).size > this.#seenBytes || (await this.#rotated())) return true
      if (waitedMs % stateMs === 0 && !(await this.#isRunning())) return false
      await sleep(lookMs)
    }
    return false
  }

  /** Whether a new file has taken the place of this one, which has been read. */
  async #rotated(): Promise<boolean> {
    const [now, own] = [await stat(this.#path).catch(() => undefined), await this.#file.stat()]
    if (now === undefined || now.ino === own.ino || this.#isClosed) return false
    const next = await open(this.#path).catch(() => undefined)
    if (next === undefined) return false
    if (this.#isClosed) {
      await next.close()
      return false
    }
    await this.#file.close()
    this.#file = next
    this.#offset = 0
    this.#seenBytes = 0
    return true
  }
}

/** Reads the log files of a runtime's containers (cri-client pkg/logs/logs.go ReadLogs). */
export function containerLogFiles(
  runtime: Pick<RuntimeService, 'containerStatus'>,
): NonNullable<ContainerHost['openLog']> {
  return async (id, count) => {
    const status = await runtime.containerStatus(id)
    const path = status.ok ? (status.value.logPath ?? '') : ''
    if (path === '') return undefined
    const file = await open(path).catch(() => undefined)
    if (file === undefined) return undefined
    return new LogFileCursor({
      path,
      file,
      offset: await startOfLast(file, count),
      isRunning: async () => {
        const now = await runtime.containerStatus(id)
        return now.ok && now.value.state === 'running'
      },
    })
  }
}
