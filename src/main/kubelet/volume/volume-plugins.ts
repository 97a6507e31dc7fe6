import {
  isJsonObject,
  numberAt,
  objectAt,
  objectsAt,
  ownField,
  textAt,
} from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { podNamespace } from '../pod/identity.ts'
import { podFolder } from '../pod/pod-folders.ts'
import type { Clock, ContainerHost, Random } from '../ports.ts'
import { AtomicWriter } from './atomic-writer.ts'
import { downwardApiPayload } from './downward-api.ts'
import type { Payload } from './file-projection.ts'
import { checkHostPath } from './host-path.ts'
import { nestedMountPoints } from './nested-mount-points.ts'
import { defaultFileMode } from './object-payload.ts'
import { configMapPayload, heldPayload, projectedPayload, secretPayload } from './projected.ts'
import type { PayloadSources } from './projected.ts'

export type PodVolume = NonNullable<Pod['spec']['volumes']>[number]

/** One volume to set up, or to set up again. */
export interface SetUpRequest {
  readonly pod: Pod
  readonly volume: PodVolume
  readonly causes: TraceCauses
}

/** A kind of volume (upstream pkg/volume VolumePlugin, Mounter and Unmounter). Errors are Go's texts. */
export interface VolumePlugin {
  /** As `kubernetes.io/empty-dir`. */
  readonly name: string
  /** Whether each sync of the pod sets it up again, because what it is made of may have changed. */
  readonly requiresRemount: boolean
  readonly isReadOnly: boolean
  /** On the node. */
  readonly pathOf: (pod: Pod, volume: PodVolume) => string
  /** Answers whether files changed. */
  readonly setUp: (request: SetUpRequest) => Promise<Result<boolean, string>>
  /**
   * Whether it is known at once that a set-up of a volume that is set up would change nothing: the same as `setUp`, without the
   * waits. Absent: it is never known.
   */
  readonly isUpToDate?: (request: Omit<SetUpRequest, 'causes'>) => boolean
  readonly tearDown: (podUid: string, volumeName: string) => Promise<Result<undefined, string>>
}

interface VolumePluginsDeps extends PayloadSources {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly host: Pick<ContainerHost, 'files' | 'rootFolder' | 'simulatesStorage'>
}

type CollectPayload = (
  request: SetUpRequest & { readonly source: JsonObject; readonly defaultMode: number },
) => Promise<Result<Payload, string>>

const volumeFolderMode = 0o777

/** The plugins of a node, by what a volume has as its source. */
export class VolumePlugins {
  readonly #deps: VolumePluginsDeps
  readonly #writer: AtomicWriter
  readonly #bySource: Readonly<Record<string, VolumePlugin>>
  readonly #others = new Map<string, VolumePlugin>()

  constructor(deps: VolumePluginsDeps) {
    this.#deps = deps
    this.#writer = new AtomicWriter({ ...deps, files: deps.host.files })
    this.#bySource = {
      emptyDir: this.#folder('empty-dir'),
      configMap: this.#written('configmap', 'configMap', (request) =>
        configMapPayload(request, deps),
      ),
      secret: this.#written('secret', 'secret', (request) => secretPayload(request, deps)),
      projected: this.#written('projected', 'projected', (request) =>
        projectedPayload(request, deps),
      ),
      downwardAPI: this.#written('downward-api', 'downwardAPI', async (request) => {
        const { pod, source, defaultMode } = request
        return downwardApiPayload(objectsAt(source, 'items'), pod, deps.allocatable(), defaultMode)
      }),
      hostPath: this.#hostPath(),
      persistentVolumeClaim: this.#claim(),
    }
  }

  /** The folder with everything of the pod. */
  podFolder(podUid: string): string {
    return podFolder(this.#deps.host, podUid)
  }

  pluginOf(volume: PodVolume): VolumePlugin {
    // A volume without a source is an emptyDir.
    const source = Object.keys(volume).find((key) => isJsonObject(volume[key])) ?? 'emptyDir'
    const found = ownField(this.#bySource, source) ?? this.#others.get(source)
    if (found !== undefined) return found
    const plugin = this.#stored(source, this.#folder(source))
    this.#others.set(source, plugin)
    return plugin
  }

  /** The volumes that have a folder on the node, from before the kubelet started. Source: getVolumesFromPodDir. */
  async onDisk(): Promise<
    readonly { readonly podUid: string; readonly volume: string; readonly plugin: VolumePlugin }[]
  > {
    const found = []
    for (const podUid of await this.#namesIn(`${this.#deps.host.rootFolder}/pods`)) {
      const folder = `${this.podFolder(podUid)}/volumes`
      for (const name of await this.#namesIn(folder)) {
        const plugin = Object.values(this.#bySource).find((one) => escaped(one.name) === name)
        const volumes = await this.#namesIn(`${folder}/${name}`)
        for (const volume of volumes)
          found.push({ podUid, volume, plugin: plugin ?? this.#folder(name.split('~')[1] ?? name) })
      }
    }
    return found
  }

  async #namesIn(folder: string): Promise<readonly string[]> {
    const names = await this.#deps.host.files.list(folder)
    return names.ok ? names.value : []
  }

  #pathOf(plugin: string, podUid: string, volume: string): string {
    return `${this.podFolder(podUid)}/volumes/${escaped(plugin)}/${volume}`
  }

  #folder(kind: string): VolumePlugin {
    const name = `kubernetes.io/${kind}`
    return {
      name,
      requiresRemount: false,
      isReadOnly: false,
      pathOf: (pod, volume) => this.#pathOf(name, pod.metadata.uid, volume.name),
      setUp: ({ pod, volume }) =>
        this.#makeFolder(this.#pathOf(name, pod.metadata.uid, volume.name)),
      tearDown: async (podUid, volume) => {
        const removed = await this.#deps.host.files.remove(this.#pathOf(name, podUid, volume))
        return removed.ok ? removed : err(removed.error.message)
      },
    }
  }

  async #makeFolder(path: string): Promise<Result<boolean, string>> {
    const made = await this.#deps.host.files.makeFolder(path, volumeFolderMode)
    return made.ok ? ok(false) : err(made.error.message)
  }

  /** Files that the kubelet writes, as other parts of the API say. */
  #written(kind: string, field: string, collect: CollectPayload): VolumePlugin {
    const folder = this.#folder(kind)
    return {
      ...folder,
      requiresRemount: true,
      isReadOnly: true,
      isUpToDate: ({ pod, volume }) => {
        const source = objectAt(volume, field)
        const defaultMode = numberAt(source, 'defaultMode') ?? defaultFileMode
        const payload = heldPayload(field, { pod, source, defaultMode }, this.#deps)
        if (payload === undefined || nestedMountPoints(volume.name, pod).length > 0) return false
        return this.#writer.isHeld(folder.pathOf(pod, volume), payload)
      },
      setUp: async (request) => {
        const source = objectAt(request.volume, field)
        const defaultMode = numberAt(source, 'defaultMode') ?? defaultFileMode
        const payload = await collect({ ...request, source, defaultMode })
        if (!payload.ok) return payload
        const path = folder.pathOf(request.pod, request.volume)
        const below = nestedMountPoints(request.volume.name, request.pod)
        const isHeld = this.#writer.isHeld(path, payload.value)
        for (const each of [...(isHeld ? [] : [path]), ...below.map((name) => `${path}/${name}`)]) {
          const made = await this.#makeFolder(each)
          if (!made.ok) return made
        }
        if (isHeld) return ok(false)
        const written = await this.#writer.write(path, payload.value)
        if (!written.ok) await folder.tearDown(request.pod.metadata.uid, request.volume.name)
        return written
      },
    }
  }

  #hostPath(): VolumePlugin {
    return {
      name: 'kubernetes.io/host-path',
      requiresRemount: false,
      isReadOnly: false,
      pathOf: (_pod, volume) => textAt(objectAt(volume, 'hostPath'), 'path'),
      setUp: async ({ volume }) => {
        const checked = await checkHostPath(objectAt(volume, 'hostPath'), this.#deps.host.files)
        return checked.ok ? ok(false) : checked
      },
      tearDown: async () => ok(undefined),
    }
  }

  /** A simulated claim is a folder of the node that stays when its pods go. */
  #claim(): VolumePlugin {
    const folder = this.#folder('persistent-claim')
    const pathOf: VolumePlugin['pathOf'] = (pod, volume) => {
      const name = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName')
      return `${this.#deps.host.rootFolder}/claims/${podNamespace(pod)}/${name}`
    }
    return this.#stored('persistentVolumeClaim', {
      ...folder,
      pathOf,
      setUp: ({ pod, volume }) => this.#makeFolder(pathOf(pod, volume)),
      tearDown: async () => ok(undefined),
    })
  }

  /** Storage that Nodescope does not mount: a simulated node has a folder in its place. */
  #stored(source: string, folder: VolumePlugin): VolumePlugin {
    if (this.#deps.host.simulatesStorage) return folder
    return { ...folder, setUp: async () => err(`Nodescope does not mount ${source} volumes`) }
  }
}

/** A plugin's name as that of a folder. */
function escaped(name: string): string {
  return name.replaceAll('/', '~')
}
