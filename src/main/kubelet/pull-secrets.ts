import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import type { SecretManager } from './object-managers/secret-manager.ts'
import { podNamespace } from './pod/identity.ts'
import type { EventRecorder } from './ports.ts'

interface PullSecretsDeps {
  readonly secretManager: Pick<SecretManager, 'getSecret'>
  readonly recorder: EventRecorder
}

/**
 * Reads the pull secrets of a pod, and records an event that names those that cannot be read (kubelet
 * getPullSecretsForPod). Nothing is pulled with them: the simulated registry asks for no credentials.
 */
export async function checkPullSecrets(
  pod: Pod,
  { secretManager, recorder }: PullSecretsDeps,
  causes: TraceCauses,
): Promise<void> {
  const missing: string[] = []
  for (const { name } of pod.spec.imagePullSecrets ?? []) {
    // The API accepts empty names.
    if (!name) continue
    const secret = await secretManager.getSecret(podNamespace(pod), name)
    if (!secret.ok) missing.push(name)
  }
  if (missing.length === 0) return
  const message = `Unable to retrieve some image pull secrets (${missing.join(', ')}); attempting to pull the image may not succeed.`
  recorder.event(
    { kind: 'pod', pod },
    'Warning',
    'FailedToRetrieveImagePullSecret',
    message,
    causes,
  )
}
