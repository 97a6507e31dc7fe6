import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isJsonObject, listAt, objectAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Log } from '../../kubelet/ports.ts'
import { fileErrorCode } from '../../files/file-error.ts'
import { readRegularFile } from '../../files/read-regular-file.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { parseJson } from '../../parsing/bounded-json.ts'

/** Colors of frames: 0 to 5. */
export const colors = 6

interface Kept {
  /** When a kubeconfig by its path was last opened, ms. */
  readonly files: Readonly<Record<string, number>>
  /** When a context was last opened, ms, by `openedKey`. */
  readonly contexts: Readonly<Record<string, number>>
  /** By a hash of server and certificate authority. */
  readonly colors: Readonly<Record<string, number>>
  /** Fingerprints of accepted serving certificates of kubelets: by the hash of the cluster, then by node. */
  readonly certificates: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Hashes of the credential plugins whose first run was confirmed. */
  readonly plugins: readonly string[]
}

const nothing: Kept = { files: {}, contexts: {}, colors: {}, certificates: {}, plugins: [] }
const maxBytes = 1024 * 1024
/** Of each kind; the oldest go first. */
const maxKept = 200

function numbers(value: JsonObject): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    ),
  )
}

function certificatesIn(value: JsonObject): Kept['certificates'] {
  const clusters = Object.entries(value).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  )
  return Object.fromEntries(
    clusters.map(([cluster, nodes]) => [
      cluster,
      Object.fromEntries(
        Object.entries(nodes).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string',
        ),
      ),
    ]),
  )
}

function newest(kept: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const entries = Object.entries(kept).toSorted((one, other) => other[1] - one[1])
  return Object.fromEntries(entries.slice(0, maxKept))
}

/** Names a context of a kubeconfig. `kubeconfig`: its path, or what else it is. Pure. */
function openedKey(kubeconfig: string, context: string): string {
  return JSON.stringify([kubeconfig, context])
}

/** A short name for texts that are not kept themselves. Pure. */
export function fingerprint(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex')
}

/** Which kubeconfigs were opened before; a file in the data folder that only this user can read. It holds no credentials. */
export class OpenedBefore {
  readonly #path: string
  readonly #log: Log
  #kept: Kept

  private constructor(path: string, log: Log, kept: Kept) {
    this.#path = path
    this.#log = log
    this.#kept = kept
  }

  /** A file that cannot be read counts as none, with a warning in the log. */
  static async load(dataFolder: string, log: Log): Promise<OpenedBefore> {
    const path = join(dataFolder, 'opened-kubeconfigs.json')
    try {
      const { bytes } = await readRegularFile(path, { maxBytes })
      const parsed = parseJson(bytes.toString())
      const value = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
      return new OpenedBefore(path, log, {
        files: numbers(objectAt(value, 'files')),
        contexts: numbers(objectAt(value, 'contexts')),
        colors: numbers(objectAt(value, 'colors')),
        certificates: certificatesIn(objectAt(value, 'certificates')),
        plugins: listAt(value, 'plugins').filter((one): one is string => typeof one === 'string'),
      })
    } catch (error) {
      if (fileErrorCode(error) !== 'ENOENT')
        log.warn('the list of opened kubeconfigs cannot be read', { path, error: String(error) })
      return new OpenedBefore(path, log, nothing)
    }
  }

  /** Newest first. */
  get files(): readonly string[] {
    return Object.keys(newest(this.#kept.files))
  }

  openedAt(kubeconfig: string, context: string): number | null {
    return this.#kept.contexts[openedKey(kubeconfig, context)] ?? null
  }

  colorOf(cluster: string): number | null {
    return this.#kept.colors[cluster] ?? null
  }

  /** Accepted fingerprints of a cluster's kubelets, by node. */
  certificatesOf(cluster: string): ReadonlyMap<string, string> {
    return new Map(Object.entries(this.#kept.certificates[cluster] ?? {}))
  }

  /** `fingerprint` null: the certificate is no longer accepted. */
  async accept(cluster: string, node: string, fingerprint: string | null): Promise<void> {
    const { certificates } = this.#kept
    const { [node]: _before, ...others } = certificates[cluster] ?? {}
    const nodes = fingerprint === null ? others : { ...others, [node]: fingerprint }
    const { [cluster]: _nodes, ...clusters } = certificates
    const isEmpty = Object.keys(nodes).length === 0
    await this.#keep({
      ...this.#kept,
      certificates: isEmpty ? clusters : { ...clusters, [cluster]: nodes },
    })
  }

  isConfirmed(plugin: string): boolean {
    return this.#kept.plugins.includes(plugin)
  }

  /** A context was opened. `file`: the kubeconfig's path, if it is one file; `plugin`: its fingerprint. */
  async note(opened: {
    readonly kubeconfig: string
    readonly file: string | undefined
    readonly context: string
    readonly at: number
    readonly cluster: string
    readonly color: number
    readonly plugin: string | undefined
  }): Promise<void> {
    const { kubeconfig, file, context, at, cluster, color, plugin } = opened
    const { files, contexts, colors: kept, plugins } = this.#kept
    await this.#keep({
      ...this.#kept,
      files: newest(file === undefined ? files : { ...files, [file]: at }),
      contexts: newest({ ...contexts, [openedKey(kubeconfig, context)]: at }),
      colors: { ...kept, [cluster]: color },
      plugins: [...new Set(plugin === undefined ? plugins : [...plugins, plugin])],
    })
  }

  async forget(file: string): Promise<void> {
    const { [file]: _gone, ...files } = this.#kept.files
    await this.#keep({ ...this.#kept, files })
  }

  async #keep(kept: Kept): Promise<void> {
    this.#kept = kept
    try {
      await replaceFile(this.#path, `${JSON.stringify(kept, null, 2)}\n`)
    } catch (error) {
      this.#log.warn('the list of opened kubeconfigs cannot be written', {
        path: this.#path,
        error: String(error),
      })
    }
  }
}
