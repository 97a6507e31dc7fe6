import type { KubeObject, Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { addressOf, objectKey } from '../../cluster/client/resource-paths.ts'
import type { ControllerContext } from '../control-plane/controller.ts'
import {
  annotated,
  boundTo,
  claimRefOf,
  classOf,
  isFullyBound,
  isReachable,
  selectedNodeAnnotation,
  volumeNameOf,
} from '../control-plane/volume-claims/volume-matching.ts'
import { textAt } from '../../../shared/json.ts'

/** What a pod needs on one node: volumes to bind to its claims, and claims whose volumes are to be made. */
export interface PodVolumes {
  readonly bindings: readonly { readonly volume: KubeObject; readonly claim: KubeObject }[]
  readonly provisions: readonly KubeObject[]
}

const pollMs = 1000
/** bindTimeoutSeconds of VolumeBindingArgs. */
const timeoutMs = 600_000

function versionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion)
}

/** Objects as the scheduler has changed them, until the informer has them. Source: assumecache. */
class AssumedObjects {
  readonly #objects = new Map<string, KubeObject>()

  assume(object: KubeObject): void {
    this.#objects.set(objectKey(object.metadata), object)
  }

  restore(object: KubeObject): void {
    this.#objects.delete(objectKey(object.metadata))
  }

  /** The newer of what is assumed and what the informer has. */
  current(object: KubeObject | undefined): KubeObject | undefined {
    if (object === undefined) return undefined
    const key = objectKey(object.metadata)
    const assumed = this.#objects.get(key)
    if (assumed === undefined) return object
    const isSame = assumed.metadata.uid === object.metadata.uid
    if (isSame && versionOf(assumed) >= versionOf(object)) return assumed
    this.#objects.delete(key)
    return object
  }
}

/**
 * Binds the volumes of a pod before the pod is bound: it only asks for it, and waits for the controller and the provisioner.
 * Source: pkg/scheduler/framework/plugins/volumebinding/binder.go (v1.34).
 */
export class VolumeBinder {
  readonly #context: ControllerContext
  readonly #claims = new AssumedObjects()
  readonly #volumes = new AssumedObjects()

  constructor(context: ControllerContext) {
    this.#context = context
  }

  readonly claim = (namespace: string, name: string): KubeObject | undefined =>
    this.#claims.current(this.#context.claims.get(namespace, name))

  readonly volume = (name: string): KubeObject | undefined =>
    this.#volumes.current(this.#context.volumes.get('', name))

  readonly volumesOfClass = (className: string): readonly KubeObject[] =>
    this.#context.volumes.list().flatMap((volume) => {
      const current = this.#volumes.current(volume) ?? volume
      return classOf(current) === className ? [current] : []
    })

  /** From now on the volumes count as taken. Source: AssumePodVolumes. */
  assume({ bindings, provisions }: PodVolumes, nodeName: string): PodVolumes {
    const assumed = {
      bindings: bindings.map(({ volume, claim }) => ({
        volume: boundTo(volume, claim).volume,
        claim,
      })),
      provisions: provisions.map((claim) =>
        annotated(claim, { [selectedNodeAnnotation]: nodeName }),
      ),
    }
    for (const { volume } of assumed.bindings) this.#volumes.assume(volume)
    for (const claim of assumed.provisions) this.#claims.assume(claim)
    return assumed
  }

  revert({ bindings, provisions }: PodVolumes): void {
    for (const { volume } of bindings) this.#volumes.restore(volume)
    for (const claim of provisions) this.#claims.restore(claim)
  }

  /** Returns when all claims are bound, or with what went wrong. Source: BindPodVolumes. */
  async bind(
    pod: Pod,
    nodeName: string,
    assumed: PodVolumes,
    causes: TraceCauses,
  ): Promise<string | undefined> {
    const written = await this.#write(assumed, causes)
    if (typeof written === 'string') return written
    const { clock } = this.#context
    for (let waited = 0; waited < timeoutMs; waited += pollMs) {
      await new Promise<void>((resolve) => {
        clock.after(pollMs, resolve)
      })
      const result = this.#check(pod, nodeName, written)
      if (result === 'bound') return undefined
      if (result !== 'waiting') return `binding volumes: ${result.problem}`
    }
    return 'binding volumes: context deadline exceeded'
  }

  /** Source: bindAPIUpdate. */
  async #write(assumed: PodVolumes, causes: TraceCauses): Promise<PodVolumes | string> {
    const { client } = this.#context
    const bindings: { volume: KubeObject; claim: KubeObject }[] = []
    for (const { volume, claim } of assumed.bindings) {
      const address = addressOf('v1/persistentvolumes', volume)
      const updated = await client.update(address, volume, causes)
      if (!updated.ok) return updated.error.message
      bindings.push({ volume: updated.value, claim })
    }
    const provisions: KubeObject[] = []
    for (const claim of assumed.provisions) {
      const address = addressOf('v1/persistentvolumeclaims', claim)
      const updated = await client.update(address, claim, causes)
      if (!updated.ok) return updated.error.message
      provisions.push(updated.value)
    }
    return { bindings, provisions }
  }

  /** Source: checkBindings. It looks at what the server has, not at what is assumed. */
  #check(
    pod: Pod,
    nodeName: string,
    { bindings, provisions }: PodVolumes,
  ): 'bound' | 'waiting' | { readonly problem: string } {
    const { nodes, pods } = this.#context
    const node = nodes.get('', nodeName)
    const { namespace = '', name } = pod.metadata
    if (node === undefined) {
      const quoted = JSON.stringify(nodeName)
      return { problem: `failed to get node ${quoted}: node ${quoted} not found` }
    }
    if (pods.get(namespace, name) === undefined)
      return { problem: `pod does not exist any more: pod ${JSON.stringify(name)} not found` }
    const { labels = {} } = node.metadata
    for (const { volume, claim } of bindings) {
      const result = this.#checkBinding(volume, claim, { nodeName, labels })
      if (result !== 'bound') return result
    }
    for (const claim of provisions) {
      const result = this.#checkProvision(claim, { nodeName, labels })
      if (result !== 'bound') return result
    }
    return 'bound'
  }

  #checkBinding(written: KubeObject, { metadata }: KubeObject, node: BoundNode) {
    const { claims, volumes } = this.#context
    const { name, namespace = '' } = metadata
    const volume = volumes.get('', written.metadata.name)
    const claim = claims.get(namespace, name)
    const missing = volume === undefined ? written.metadata.name : `${namespace}/${name}`
    if (volume === undefined || claim === undefined)
      return { problem: `failed to check binding: could not find object: ${missing}` } as const
    if (versionOf(written) > versionOf(volume)) return 'waiting'
    const problem = affinityProblem(volume, node)
    if (problem !== undefined) return { problem }
    if (textAt(claimRefOf(volume) ?? {}, 'uid') === '')
      return { problem: `ClaimRef got reset for pv ${JSON.stringify(volume.metadata.name)}` }
    return isFullyBound(claim) ? 'bound' : 'waiting'
  }

  #checkProvision(written: KubeObject, node: BoundNode) {
    const { claims, volumes } = this.#context
    const { name, namespace = '' } = written.metadata
    const claim = claims.get(namespace, name)
    if (claim === undefined) {
      const what = `${namespace}/${name}`
      return {
        problem: `failed to check provisioning pvc: could not find object: ${what}`,
      } as const
    }
    if (versionOf(written) > versionOf(claim)) return 'waiting'
    const { annotations } = claim.metadata
    const quoted = JSON.stringify(name)
    if (annotations === undefined)
      return { problem: `selectedNode annotation reset for PVC ${quoted}` }
    if (annotations[selectedNodeAnnotation] !== node.nodeName)
      return { problem: `provisioning failed for PVC ${quoted}` }
    if (volumeNameOf(claim) !== '') {
      const volume = volumes.get('', volumeNameOf(claim))
      if (volume === undefined) return 'waiting'
      const problem = affinityProblem(volume, node)
      if (problem !== undefined) return { problem }
    }
    return isFullyBound(claim) ? 'bound' : 'waiting'
  }
}

interface BoundNode {
  readonly nodeName: string
  readonly labels: Readonly<Record<string, string>>
}

function affinityProblem(volume: KubeObject, { nodeName, labels }: BoundNode): string | undefined {
  if (isReachable(volume, labels)) return undefined
  const names = `pv ${JSON.stringify(volume.metadata.name)} node affinity doesn't match node ${JSON.stringify(nodeName)}`
  return `${names}: no matching NodeSelectorTerms`
}
