import type { KubeObject, Pod } from '../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import { podNamespace } from './pod/identity.ts'
import type { ApiClient, Clock, EventRecorder } from './ports.ts'

const ttlMs = 60_000

interface PullSecretsDeps {
  readonly api: Pick<ApiClient, 'get'>
  readonly recorder: EventRecorder
  readonly clock: Pick<Clock, 'now'>
}

interface CachedSecret {
  readonly secret: KubeObject
  readonly fetchedAt: number
}

/**
 * Looks whether the pull secrets of a pod can be had (kubelet getPullSecretsForPod). Nothing is pulled with them: the
 * simulated registry asks for no credentials. A secret that was found is kept for a minute, as with the kubelet's
 * configMapAndSecretChangeDetectionStrategy Cache; a missing one is read again at each sync.
 * Source: pkg/kubelet/util/manager/cache_based_manager.go.
 */
export class PullSecrets {
  readonly #deps: PullSecretsDeps
  /** By `namespace/name`. */
  readonly #cache = new Map<string, CachedSecret>()
  /** By UID of a pod: the keys that it refers to. */
  readonly #references = new Map<string, readonly string[]>()

  constructor(deps: PullSecretsDeps) {
    this.#deps = deps
  }

  /** Records an event that names those that cannot be had; resolves then. Entries without a name are ignored. */
  readonly check = async (pod: Pod, causes: TraceCauses): Promise<void> => {
    const names = (pod.spec.imagePullSecrets ?? []).flatMap(({ name }) => (name ? [name] : []))
    if (names.length === 0) return
    const namespace = podNamespace(pod)
    this.#register(
      pod,
      names.map((name) => `${namespace}/${name}`),
    )
    const found = await Promise.all(names.map((name) => this.#canBeHad(namespace, name, causes)))
    const missing = names.filter((_, index) => found[index] === false)
    if (missing.length === 0) return
    const message = `Unable to retrieve some image pull secrets (${missing.join(', ')}); attempting to pull the image may not succeed.`
    const reason = 'FailedToRetrieveImagePullSecret'
    this.#deps.recorder.event({ kind: 'pod', pod }, 'Warning', reason, message, causes)
  }

  /** Forgets the secrets that only this pod refers to. Source: UnregisterPod. */
  unregister(uid: string): void {
    const keys = this.#references.get(uid) ?? []
    this.#references.delete(uid)
    const others = new Set([...this.#references.values()].flat())
    for (const key of keys) if (!others.has(key)) this.#cache.delete(key)
  }

  /** A new pod reads them again: it may have been created right after its secrets. */
  #register(pod: Pod, keys: readonly string[]): void {
    const { uid } = pod.metadata
    if (!this.#references.has(uid)) for (const key of keys) this.#expire(key)
    this.#references.set(uid, keys)
  }

  #expire(key: string): void {
    const cached = this.#cache.get(key)
    if (cached !== undefined) this.#cache.set(key, { ...cached, fetchedAt: -Infinity })
  }

  async #canBeHad(namespace: string, name: string, causes: TraceCauses): Promise<boolean> {
    const key = `${namespace}/${name}`
    const { api, clock } = this.#deps
    const cached = this.#cache.get(key)
    if (cached !== undefined && clock.now() - cached.fetchedAt < ttlMs) return true
    const got = await api.get({ resource: 'secrets', namespace, name }, causes)
    if (got.ok) this.#cache.set(key, { secret: got.value, fetchedAt: clock.now() })
    else if (got.error.kind === 'not-found') this.#cache.delete(key)
    return this.#cache.has(key)
  }
}
