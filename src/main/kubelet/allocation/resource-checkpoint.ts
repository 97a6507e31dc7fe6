/** The resources of pods, kept in a file of the kubelet's root directory (kubelet pkg/kubelet/allocation/state). */
import { isJsonObject } from '../../../shared/json.ts'
import type { ResourceRequirements } from '../../../shared/kubernetes/objects.ts'
import type { ContainerHost, CorePorts } from '../ports.ts'
import { textChecksum } from '../kuberuntime/container-hash.ts'
import type { ContainerAllocations } from './pod-allocation.ts'

interface ResourceCheckpointDeps extends CorePorts {
  /** Absent: nothing is kept over a restart of the kubelet. */
  readonly host: Pick<ContainerHost, 'files' | 'rootFolder'> | undefined
  readonly fileName: 'allocated_pods_state' | 'actuated_pods_state'
}

/** Of how many different ones an equal one is found. */
const maxShared = 300

/** Makes equal allocations the same object in memory: the pods of one template have them. */
class SharedAllocations {
  #known = new Map<string, ContainerAllocations>()

  share(allocations: ContainerAllocations): ContainerAllocations {
    const key = JSON.stringify([...allocations])
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#known.size >= maxShared) this.#known = new Map()
    this.#known.set(key, allocations)
    return allocations
  }
}

/**
 * Resources by the pod's UID and the container's name. Changes are written together when the clock next fires, so that
 * a thousand pods that are admitted at once do not write a thousand files. Removals are written with the next change, as
 * in a kubelet.
 */
export class ResourceCheckpoint {
  readonly #deps: ResourceCheckpointDeps
  readonly #pods = new Map<string, ContainerAllocations>()
  readonly #shared = new SharedAllocations()
  #isWriteDue = false
  #written = ''

  constructor(deps: ResourceCheckpointDeps) {
    this.#deps = deps
  }

  /** Reads the file, if there is one. A kubelet exits if it is damaged; this one logs it and starts without. */
  async restore(): Promise<void> {
    const { host, log } = this.#deps
    if (host === undefined) return
    const read = await host.files.readText(this.#path(host))
    if (!read.ok && read.error.kind === 'not-found') return
    const entries = read.ok ? entriesOf(read.value) : undefined
    if (entries === undefined) {
      const error = read.ok ? 'checkpoint is corrupted' : read.error.message
      log.error('could not restore state from checkpoint', { file: this.#path(host), error })
      return
    }
    for (const [uid, resources] of entries)
      if (!this.#pods.has(uid)) this.#pods.set(uid, this.#shared.share(resources))
  }

  container(uid: string, name: string): ResourceRequirements | undefined {
    return this.#pods.get(uid)?.get(name)
  }

  pod(uid: string): ContainerAllocations | undefined {
    return this.#pods.get(uid)
  }

  records(): Readonly<Record<string, Readonly<Record<string, ResourceRequirements>>>> {
    return Object.fromEntries(
      [...this.#pods].map(([uid, containers]) => [uid, Object.fromEntries(containers)]),
    )
  }

  setPod(uid: string, resources: ContainerAllocations): void {
    const shared = this.#shared.share(resources)
    if (this.#pods.get(uid) === shared) return
    this.#pods.set(uid, shared)
    this.#write()
  }

  setContainer(uid: string, name: string, resources: ResourceRequirements): void {
    this.setPod(uid, new Map([...(this.#pods.get(uid) ?? []), [name, resources]]))
  }

  removePod(uid: string): void {
    this.#pods.delete(uid)
  }

  removeOrphanedPods(remaining: ReadonlySet<string>): void {
    for (const uid of this.#pods.keys()) if (!remaining.has(uid)) this.#pods.delete(uid)
  }

  #path({ rootFolder }: Pick<ContainerHost, 'rootFolder'>): string {
    return `${rootFolder}/${this.#deps.fileName}`
  }

  #write(): void {
    const { host, clock } = this.#deps
    if (this.#isWriteDue || host === undefined) return
    this.#isWriteDue = true
    clock.after(0, () => {
      this.#isWriteDue = false
      void this.#writeNow(host)
    })
  }

  async #writeNow(host: Pick<ContainerHost, 'files' | 'rootFolder'>): Promise<void> {
    const entries = Object.fromEntries(
      Object.entries(this.records()).map(([uid, ContainerResources]) => [
        uid,
        { ContainerResources },
      ]),
    )
    const data = JSON.stringify({ entries })
    const text = JSON.stringify({ data, checksum: textChecksum(data) })
    if (text === this.#written) return
    // The text of the file itself, which a simulated node has in memory anyway.
    this.#written = text
    const made = await host.files.makeFolder(host.rootFolder)
    const temporary = `${this.#path(host)}.tmp`
    const written = made.ok ? await host.files.write(temporary, text, 0o600) : made
    const moved = written.ok ? await host.files.rename(temporary, this.#path(host)) : written
    if (moved.ok) return
    this.#written = ''
    const { message } = moved.error
    this.#deps.log.error('failed to save the checkpoint of pod resources', { error: message })
  }
}

/** Undefined: not what the kubelet wrote. */
function entriesOf(text: string): readonly (readonly [string, ContainerAllocations])[] | undefined {
  const file = jsonOf(text)
  if (!isJsonObject(file)) return undefined
  const { data, checksum } = file
  if (typeof data !== 'string' || checksum !== textChecksum(data)) return undefined
  const content = jsonOf(data)
  if (!isJsonObject(content)) return undefined
  const { entries = {} } = content
  if (!isJsonObject(entries)) return undefined
  return Object.entries(entries).map(([uid, entry]) => {
    const containers = isJsonObject(entry) ? entry['ContainerResources'] : undefined
    return [uid, new Map(isJsonObject(containers) ? resourcesIn(containers) : [])]
  })
}

function resourcesIn(
  containers: Readonly<Record<string, unknown>>,
): readonly (readonly [string, ResourceRequirements])[] {
  return Object.entries(containers).flatMap(([name, resources]) =>
    // The checksum says that the kubelet wrote it.
    isJsonObject(resources) ? [[name, resources as ResourceRequirements] as const] : [],
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
