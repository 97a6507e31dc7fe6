import { existsSync } from 'node:fs'
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const cgroupFolder = '/sys/fs/cgroup/memory'
/** What is hidden by which file. */
const hidden = {
  usage: `${cgroupFolder}/memory.usage_in_bytes`,
  stat: `${cgroupFolder}/memory.stat`,
  meminfo: '/proc/meminfo',
} as const
/** Of every such machine: 24 GiB. */
const totalBytes = 24 * 1024 ** 3

/** Why a node's memory cannot be set where `canSetMemory` is false. */
export const cannotSetMemory = `a node's memory is set through files of cgroups v1, which are not in ${cgroupFolder} here`

export function canSetMemory(): boolean {
  return Object.values(hidden).every((path) => existsSync(path))
}

/**
 * What one kubelet reads of the memory of its machine and of what is in use: files instead of /proc/meminfo and of two of the
 * root cgroup. A real kubelet has them mounted over the machine's own; the program is told their text.
 */
export class NodeMemory {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Nothing is in use at first. */
  static async create(folder: string): Promise<NodeMemory> {
    if (!canSetMemory()) throw new Error(`No node memory: ${cannotSetMemory}.`)
    await mkdir(folder, { recursive: true })
    const memory = new NodeMemory(folder)
    const meminfo = await readFile(hidden.meminfo, 'utf8')
    const total = `MemTotal: ${totalBytes / 1024} kB`
    await writeFile(memory.#own('meminfo'), meminfo.replace(/^MemTotal:.*$/m, total))
    await writeFile(memory.#own('stat'), 'inactive_file 0\ntotal_inactive_file 0\n')
    await writeFile(memory.#own('usage'), usageText(0))
    return memory
  }

  /** For `mount --bind`: the file, and what it hides. */
  get mounts(): readonly (readonly [string, string])[] {
    return Object.entries(hidden).map(([name, path]) => [join(this.#folder, name), path])
  }

  /** The text of a file of the machine; undefined: it cannot be read. */
  readonly read = async (path: string): Promise<string | undefined> => {
    const own = this.mounts.find(([, hides]) => hides === path)?.[0] ?? path
    return readFile(own, 'utf8').catch(() => undefined)
  }

  /** Sets the available memory, in bytes. In place and in one write: the file is mounted, and may be read at any time. */
  async leave(available: number): Promise<void> {
    const file = await open(this.#own('usage'), 'r+')
    await file.write(usageText(totalBytes - available), 0)
    await file.close()
  }

  #own(name: keyof typeof hidden): string {
    return join(this.#folder, name)
  }
}

/** Always as long. */
function usageText(bytes: number): string {
  return `${String(bytes).padEnd(20)}\n`
}
