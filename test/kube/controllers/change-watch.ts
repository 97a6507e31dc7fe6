import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { jsonLines } from '../../../src/main/cluster/transport/json-lines.ts'
import { isJsonObject, objectAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import { isVolumeOf, watched } from './watched.ts'

/** On a busy machine each of these takes longer, as all that the controllers do. */
const sliceMs = 50

/** Opens the stream of a watch. */
export type OpenWatch = (path: string) => Promise<Readable>

/**
 * When something in a namespace has last changed, by one watch of each resource in all namespaces. To ask again and again for
 * the objects of many namespaces would keep a kube-apiserver so busy that its controllers rest for want of a processor.
 */
export class ChangeWatch {
  /** By namespace; times are ms of `performance.now`. */
  readonly #changedAt = new Map<string, number>()
  readonly #volumes = new Map<string, { readonly volume: JsonObject; readonly at: number }>()
  readonly #streams: Readable[] = []
  #failure: Error | undefined

  /** What is there already counts as changed now. `more`: paths in addition to those of `watched`. */
  async start(open: OpenWatch, more: readonly string[] = []): Promise<this> {
    for (const pattern of [...watched, '/api/v1/persistentvolumes', ...more]) {
      const path = pattern.replace('/namespaces/NS', '')
      const stream = await open(`${path}?watch=true`)
      this.#streams.push(stream)
      void this.#read(path, stream)
    }
    return this
  }

  stop(): void {
    this.#failure ??= new Error('the watch of changes was stopped')
    for (const stream of this.#streams) stream.destroy()
  }

  /** Waits until nothing in the namespace has changed for `quietMs`; throws after `patienceMs`. */
  async untilQuiet(namespace: string, quietMs: number, patienceMs = Infinity): Promise<void> {
    const from = performance.now()
    let last = this.#lastChange(namespace)
    for (let quiet = 0; quiet < quietMs; quiet += sliceMs) {
      await sleep(sliceMs)
      if (this.#failure !== undefined) throw this.#failure
      const now = this.#lastChange(namespace)
      if (now !== last) quiet = -sliceMs
      last = now
      if (performance.now() - from > patienceMs)
        throw new Error(`${namespace} does not come to rest`)
    }
  }

  #lastChange(namespace: string): number {
    const ofVolumes = [...this.#volumes.values()]
      .filter(({ volume }) => isVolumeOf(namespace, volume))
      .map(({ at }) => at)
    return Math.max(this.#changedAt.get(namespace) ?? 0, ...ofVolumes)
  }

  async #read(path: string, stream: Readable): Promise<void> {
    try {
      for await (const event of jsonLines(stream)) {
        if (!isJsonObject(event)) continue
        if (event['type'] === 'ERROR') throw new Error(JSON.stringify(event['object']))
        const object = objectAt(event, 'object')
        const metadata = objectAt(object, 'metadata')
        const at = performance.now()
        if (path.endsWith('/persistentvolumes'))
          this.#volumes.set(textAt(metadata, 'name'), { volume: object, at })
        else this.#changedAt.set(textAt(metadata, 'namespace'), at)
      }
      throw new Error('the server ended it')
    } catch (error) {
      this.#failure ??= new Error(`the watch of ${path} failed`, { cause: error })
    }
  }
}
