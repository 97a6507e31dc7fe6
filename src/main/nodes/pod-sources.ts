import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { Transport } from '../../shared/kubernetes/request.ts'
import { defined } from '../../shared/json.ts'
import type { SourceProblem, SourceView } from '../../shared/model/cluster-view.ts'
import type { PodSource } from '../../shared/model/pod-source.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import { nodeHash } from '../clock/node-hash.ts'
import type { ReflectorStatus } from '../cluster/informer/reflector.ts'
import type { SourcePod } from '../kubelet/config/pod-config.ts'
import type { Kubelet } from '../kubelet/kubelet.ts'
import type { WithKubeletSettings } from '../kubelet/kubelet-settings.ts'
import type { HoldableClock, Log, NodeLister, Random, Trace } from '../kubelet/ports.ts'
import type { ParseText } from '../parsing/kubernetes-text.ts'
import { ApiPodSource } from '../sources/api-pods.ts'
import type { FolderFiles } from '../sources/folder-files.ts'
import { watchFolder } from '../sources/folder-watch.ts'
import type { WatchFolder } from '../sources/folder-watch.ts'
import { ManifestFolderSource } from '../sources/manifest-folder.ts'
import type { ManifestUrlConfig } from '../sources/manifest-url.ts'
import { UrlPods } from './url-pods.ts'

/** Where the manifests of a node's static pods are. */
export interface ManifestFolder {
  /** A folder, or a single file. */
  readonly path: string
  /** Default: the machine's file system. */
  readonly files?: FolderFiles
  /** Default: the operating system's. */
  readonly watchFolder?: WatchFolder | undefined
}

export interface PodSourcesDeps extends WithKubeletSettings {
  readonly nodeName: string
  readonly manifests: ManifestFolder
  /** Null or absent: the kubelet has no third source. */
  readonly manifestUrl?: ManifestUrlConfig | null
  /** Of manifests; default: on the calling thread. */
  readonly parse?: ParseText | undefined
  /** Lists and watches the pods of the API server. */
  readonly transport: Transport
  readonly nodeLister: NodeLister
  readonly clock: HoldableClock & { readonly catchUp?: () => number }
  readonly random: Random
  readonly trace: Trace
  readonly log: Log
  /** Called when the watch of the pods connects or fails. */
  readonly onConnection?: (status: ReflectorStatus) => void
  /** Called when the problems or the items of a source changed. */
  readonly onChange: () => void
}

/** The sources that the kubelet waits for: with a URL three, else two (kubelet.go makePodSourceConfig). */
export function expectedSources(
  manifestUrl: ManifestUrlConfig | null = null,
): readonly PodSource[] {
  return manifestUrl === null ? ['file', 'api'] : ['file', 'http', 'api']
}

/** The pod sources of one kubelet: manifest folder, optional manifest URL, API server (kubelet.go makePodSourceConfig). */
export class PodSources {
  readonly file: ManifestFolderSource
  readonly url: UrlPods | undefined
  readonly #deps: PodSourcesDeps
  readonly #kubelet: Kubelet
  readonly #api: ApiPodSource
  #fileProblems: readonly SourceProblem[] = []
  #fileRevision = 0

  constructor(deps: PodSourcesDeps, kubelet: Kubelet) {
    this.#deps = deps
    this.#kubelet = kubelet
    const { manifests, manifestUrl } = deps
    this.file = new ManifestFolderSource({
      ...deps,
      ...manifests,
      watchFolder: manifests.watchFolder ?? watchFolder,
      hash: nodeHash,
      onPods: (pods, causes) => {
        this.#fileRevision++
        this.#setPods('file')(pods, causes)
      },
      onProblems: (problems) => {
        this.#fileProblems = problems
        this.#fileRevision++
        deps.onChange()
      },
    })
    this.url = manifestUrl
      ? new UrlPods(manifestUrl, { ...deps, onPods: this.#setPods('http') })
      : undefined
    this.#api = new ApiPodSource({
      ...deps,
      onPods: this.#setPods('api'),
      ...defined({ onStatus: deps.onConnection }),
    })
  }

  start(): void {
    this.file.start()
    this.url?.start()
    this.#api.start()
  }

  stop(): void {
    this.#api.stop()
    this.url?.stop()
    this.file.stop()
  }

  /** Lists and watches pods now instead of after the back-off. */
  retryNow(): void {
    this.#api.retryNow()
  }

  /** The API object that the watch last received, without managed fields; undefined if there is none. */
  apiPod(namespace: string, name: string): Pod | undefined {
    return this.#api.pod(namespace, name)
  }

  /** The state of each source. `server`: the API server's name or URL. */
  views(server: string): readonly SourceView[] {
    const { url } = this
    return [
      this.#view('file', this.#deps.manifests.path, this.#fileProblems, this.#fileRevision),
      ...(url === undefined
        ? []
        : [this.#view('http', url.view().url, url.problems(), url.revision)]),
      this.#view('api', server, this.#api.problems(), 0),
    ]
  }

  #view(
    source: PodSource,
    location: string,
    problems: readonly SourceProblem[],
    revision: number,
  ): SourceView {
    const { sourcesReady, podConfig } = this.#kubelet
    const ready = sourcesReady.isReady(source)
    return { source, location, ready, pods: podConfig.count(source), problems, revision }
  }

  #setPods(source: PodSource) {
    return (pods: readonly SourcePod[], causes: TraceCauses): void => {
      this.#kubelet.setPods(source, pods, causes)
    }
  }
}
