import { isJsonObject } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { goQuote } from '../../../shared/go/text.ts'
import { podDescription } from '../pod/identity.ts'
import type { RuntimeImage } from '../ports.ts'

const largestUserId = 2 ** 31 - 1

/** The container's field where it is set, else the pod's (DetermineEffectiveSecurityContext). */
export function effectiveField(pod: Pod, container: Container, field: string): unknown {
  for (const context of [container.securityContext, pod.spec.securityContext]) {
    const value =
      isJsonObject(context) && Object.hasOwn(context, field) ? context[field] : undefined
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/**
 * Why `runAsNonRoot` forbids the container to run; undefined: it may. An image that is absent or names no user runs
 * as root. Source: kubelet kuberuntime/security_context_others.go (verifyRunAsNonRoot), kuberuntime/helpers.go (getImageUser).
 */
export function nonRootViolation(
  pod: Pod,
  container: Container,
  image: Pick<RuntimeImage, 'uid' | 'username'> | undefined,
): string | undefined {
  if (effectiveField(pod, container, 'runAsNonRoot') !== true) return undefined
  const where = `(pod: ${goQuote(podDescription(pod))}, container: ${container.name})`
  const runAsUser = effectiveField(pod, container, 'runAsUser')
  if (runAsUser !== undefined)
    return runAsUser === 0 ? `container's runAsUser breaks non-root policy ${where}` : undefined
  const { uid, username = '' } = image ?? {}
  if (uid === undefined && username !== '')
    return `container has runAsNonRoot and image has non-numeric user (${username}), cannot verify user is non-root ${where}`
  if (uid === undefined || uid === 0)
    return `container has runAsNonRoot and image will run as root ${where}`
  if (uid > 0 && uid <= largestUserId) return undefined
  const range = `must be between 0 and ${largestUserId}, inclusive`
  return `container has runAsNonRoot and image has an invalid user id (${uid}). (Must be 1-(${largestUserId})): ${range} ${where}`
}
