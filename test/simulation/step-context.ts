import { isJsonObject, textAt } from '../../src/shared/json.ts'
import type { KubeObject, Pod } from '../../src/shared/kubernetes/objects.ts'
import type { HttpMethod } from '../../src/shared/kubernetes/request.ts'
import { isMirrorPod, podNamespace } from '../../src/main/kubelet/pod/identity.ts'
import type { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'
import type { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import type { ApiHistory } from './api-history.ts'
import type { RandomPicker } from '../random-picker.ts'
import type { OwnerHistory } from './owners/owner-history.ts'
import { apiTemplates, templates, type PodTemplate } from './pod-templates.ts'

/** A kind of step: its weight, and its action, which returns a description. */
export interface Step<C = StepContext> {
  readonly weight: number
  readonly act: (context: C, pick: RandomPicker) => Promise<string> | string
}

/** A folder of manifests. */
export interface ManifestFiles {
  readonly path: string
  /** Sorted. */
  readonly names: readonly string[]
  readonly textOf: (name: string) => string | undefined
  readonly write: (name: string, text: string) => void
  readonly remove: (name: string) => void
  readonly rename: (from: string, to: string) => void
}

/** What steps need that act on manifests and through the API. test/kube/random has another one. */
export interface ClusterContext {
  readonly templates: readonly PodTemplate[]
  /** Besides those, for pods that are created through the API. */
  readonly apiTemplates: readonly PodTemplate[]
  /** Without mirrors. */
  readonly pods: readonly Pod[]
  readonly mirrors: readonly Pod[]
  readonly nodes: readonly { readonly nodeName: string }[]
  readonly node: (pick: RandomPicker) => { readonly nodeName: string }
  readonly folder: (nodeName: string) => ManifestFiles
  /** Sends a request; resolves with its status and reason in words. */
  readonly send: (method: HttpMethod, path: string, body?: unknown) => Promise<string>
  /** A merge patch. */
  readonly patch: (path: string, body: unknown) => Promise<string>
  /** Ends something after a delay, unless the same was started again in the meantime. */
  readonly later: (what: string, delayMs: number, end: () => void) => void
}

/** The path of a pod in the API. */
export function podPath(pod: Pod): string {
  return `/api/v1/namespaces/${podNamespace(pod)}/pods/${pod.metadata.name}`
}

/** A pod's name for people. */
export function titleOf(pod: Pod): string {
  return `${podNamespace(pod)}/${pod.metadata.name} (${pod.metadata.uid})`
}

/** The cluster that the steps act on. */
export class StepContext implements ClusterContext {
  readonly cluster: MemorySandbox
  readonly templates = templates
  readonly apiTemplates = apiTemplates
  /** UIDs of pods that were killed manually. */
  readonly killedByHand = new Set<string>()
  readonly owners: OwnerHistory
  /** Called with a pod whose eviction was granted, as it was before. */
  readonly onEvicted: (pod: Pod) => void
  readonly #api: ApiHistory
  /** By what was started: the newest end, which replaces older ones. */
  readonly #endings = new Map<string, symbol>()

  constructor(deps: {
    readonly cluster: MemorySandbox
    readonly api: ApiHistory
    readonly owners: OwnerHistory
    readonly onEvicted: (pod: Pod) => void
  }) {
    this.cluster = deps.cluster
    this.owners = deps.owners
    this.onEvicted = deps.onEvicted
    this.#api = deps.api
  }

  /** API pods without mirrors. */
  get pods(): readonly Pod[] {
    return this.#api.pods.filter((pod) => !isMirrorPod(pod))
  }

  get mirrors(): readonly Pod[] {
    return this.#api.pods.filter(isMirrorPod)
  }

  get nodes(): readonly SimulatedNode[] {
    return this.cluster.nodes
  }

  node(pick: RandomPicker): SimulatedNode {
    return pick.among(this.nodes) ?? this.cluster.node()
  }

  folder(nodeName: string): ManifestFiles {
    return this.cluster.folder(nodeName)
  }

  /** Sends a request; returns `200`, or the code with the reason of the refusal. */
  async send(method: HttpMethod, path: string, body?: unknown): Promise<string> {
    // A body is JSON that the server checks itself.
    const answer = await this.cluster.request(method, path, body as KubeObject | undefined)
    if (answer.kind !== 'object') return answer.kind
    const reason = isJsonObject(answer.body) ? textAt(answer.body, 'reason') : ''
    return answer.status < 300 ? String(answer.status) : `${answer.status} ${reason}`
  }

  /** A merge patch, which has a content type of its own. */
  async patch(path: string, body: unknown): Promise<string> {
    const answer = await this.cluster.send({
      method: 'PATCH',
      path,
      headers: { 'content-type': 'application/merge-patch+json', accept: 'application/json' },
      body,
    })
    return answer.kind === 'watch' ? 'watch' : String(answer.status)
  }

  /** Ends something after a delay, unless the same was started again in the meantime. */
  later(what: string, delayMs: number, end: () => void): void {
    const ending = Symbol(what)
    this.#endings.set(what, ending)
    this.cluster.clock.after(delayMs, () => {
      if (this.#endings.get(what) === ending) end()
    })
  }
}
