import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import { podNamespace } from './pod/identity.ts'
import type { ApiClient, ApiErrorKind, EventRecorder } from './ports.ts'

/** The server does not answer: a kubelet goes on with what its watch told it before. */
const noAnswer: ReadonlySet<ApiErrorKind> = new Set(['timeout', 'unavailable', 'too-many-requests'])

/**
 * Looks whether the pull secrets of a pod can be had (kubelet getPullSecretsForPod). Nothing is pulled with them: the
 * simulated registry asks for no credentials.
 */
export class PullSecrets {
  readonly #deps: {
    readonly api: Pick<ApiClient, 'get'>
    readonly recorder: EventRecorder
  }

  constructor(deps: { readonly api: Pick<ApiClient, 'get'>; readonly recorder: EventRecorder }) {
    this.#deps = deps
  }

  /** Records an event that names those that cannot be had; resolves then. Entries without a name are ignored. */
  readonly check = async (pod: Pod, causes: TraceCauses): Promise<void> => {
    const names = (pod.spec.imagePullSecrets ?? []).flatMap(({ name }) => (name ? [name] : []))
    if (names.length === 0) return
    const namespace = podNamespace(pod)
    const missing = await Promise.all(
      names.map(async (name) => {
        const found = await this.#deps.api.get({ resource: 'secrets', namespace, name }, causes)
        return found.ok || noAnswer.has(found.error.kind) ? [] : [name]
      }),
    )
    if (missing.flat().length === 0) return
    const message = `Unable to retrieve some image pull secrets (${missing.flat().join(', ')}); attempting to pull the image may not succeed.`
    const reason = 'FailedToRetrieveImagePullSecret'
    this.#deps.recorder.event({ kind: 'pod', pod }, 'Warning', reason, message, causes)
  }
}
