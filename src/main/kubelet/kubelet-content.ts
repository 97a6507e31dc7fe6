import { contentListed } from '../../shared/model/flow-content.ts'
import type { ImagesView, ProbersView, VolumesView } from '../../shared/model/flow-content.ts'
import type { ImageGcManager } from './images/image-gc-manager.ts'
import type { RuntimeManager } from './kuberuntime/runtime-manager.ts'
import type { ConfigMapManager } from './object-managers/config-map-manager.ts'
import type { SecretManager } from './object-managers/secret-manager.ts'
import type { ProberManager } from './prober/prober-manager.ts'
import type { VolumeManager } from './volumemanager/volume-manager.ts'

interface ContentDeps {
  readonly prober: Pick<ProberManager, 'allViews'>
  readonly configMaps: Pick<ConfigMapManager, 'names'>
  readonly secrets: Pick<SecretManager, 'names'>
  readonly volumes: Pick<VolumeManager, 'all'> | undefined
  readonly runtime: Pick<RuntimeManager, 'pulling'>
  readonly imageGc: Pick<ImageGcManager, 'records'> | undefined
}

/** What parts of a kubelet hold, for the page: numbers, and the first lines of each list. */
export class KubeletContent {
  readonly #deps: ContentDeps

  constructor(deps: ContentDeps) {
    this.#deps = deps
  }

  probers(): ProbersView {
    const all = [...this.#deps.prober.allViews()].map(({ pod, view }) => {
      const { container, type, periodSeconds, result } = view
      return { podName: pod.metadata.name, container, type, periodSeconds, result }
    })
    const failing = all.filter(({ result }) => result === 'failure')
    const others = all.filter(({ result }) => result !== 'failure')
    const lines = [...failing, ...others].slice(0, contentListed)
    return { workers: all.length, failing: failing.length, lines }
  }

  volumes(): VolumesView {
    const all = this.#deps.volumes?.all() ?? []
    const mounted = all.filter(({ isMounted }) => isMounted).length
    const configMaps = this.#deps.configMaps.names()
    const secrets = this.#deps.secrets.names()
    const objects = [
      ...configMaps.map((name) => `configmaps ${name}`),
      ...secrets.map((name) => `secrets ${name}`),
    ]
    return {
      mounted,
      waiting: all.length - mounted,
      configMaps: configMaps.length,
      secrets: secrets.length,
      lines: all
        .slice(0, contentListed)
        .map(({ pod, ...line }) => ({ podName: pod.metadata.name, ...line })),
      objects: objects.slice(0, contentListed),
    }
  }

  images(): ImagesView {
    const all = [...(this.#deps.imageGc?.records() ?? [])]
    return {
      pulling: this.#deps.runtime.pulling().slice(0, contentListed),
      present: all.length,
      unused: all.filter(({ isUsed }) => !isUsed).length,
      lines: all.toSorted((a, b) => b.sizeBytes - a.sizeBytes).slice(0, contentListed),
    }
  }
}
