/** Whether the node can confine a pod as it asks (kubelet pkg/security/apparmor; admission#handlers, no. 5). */
import { isJsonObject, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import {
  allContainers,
  appArmorAnnotationPrefix,
} from '../../../shared/kubernetes/pod-containers.ts'
import type { PodAdmitter } from './pod-admitter.ts'

const unconfined = 'unconfined'
const runtimeDefault = 'runtime/default'
const localhostPrefix = 'localhost/'

function profileOf(securityContext: unknown): JsonObject | undefined {
  if (!isJsonObject(securityContext)) return undefined
  const profile = securityContext['appArmorProfile']
  return isJsonObject(profile) ? profile : undefined
}

/** Some profile is asked for that is not `Unconfined`. */
function isRequired(pod: Pod): boolean {
  const contexts = [
    pod.spec.securityContext,
    ...allContainers(pod).map(({ securityContext }) => securityContext),
  ]
  for (const context of contexts) {
    const profile = profileOf(context)
    if (profile !== undefined && textAt(profile, 'type') !== 'Unconfined') return true
  }
  const annotations = Object.entries(pod.metadata.annotations ?? {})
  const written = annotations.find(([key]) => key.startsWith(appArmorAnnotationPrefix))
  return written !== undefined && written[1] !== unconfined
}

function annotatedProfile({ metadata }: Pod, container: string): JsonObject | undefined {
  const value = metadata.annotations?.[`${appArmorAnnotationPrefix}${container}`]
  if (value === runtimeDefault) return { type: 'RuntimeDefault' }
  if (value === unconfined) return { type: 'Unconfined' }
  if (value?.startsWith(localhostPrefix) !== true) return undefined
  return { type: 'Localhost', localhostProfile: value.slice(localhostPrefix.length) }
}

/** As Go prints the profile. */
function emptyNameProblem({ localhostProfile }: JsonObject): string {
  const name = typeof localhostProfile === 'string' ? `*${localhostProfile}` : 'nil'
  const profile = `&AppArmorProfile{Type:Localhost,LocalhostProfile:${name},}`
  return `invalid empty AppArmor profile name: ${JSON.stringify(profile)}`
}

function profileProblem(pod: Pod): string | undefined {
  for (const { name, securityContext } of allContainers(pod)) {
    const profile =
      profileOf(securityContext) ??
      annotatedProfile(pod, name) ??
      profileOf(pod.spec.securityContext)
    if (profile === undefined || textAt(profile, 'type') !== 'Localhost') continue
    if (textAt(profile, 'localhostProfile').trim() === '') return emptyNameProblem(profile)
  }
  return undefined
}

/** Refuses pods that ask for a profile where the host has no AppArmor, or for one without a name. */
export class AppArmorAdmitter implements PodAdmitter {
  readonly #isEnabled: boolean

  constructor({ isEnabled }: { readonly isEnabled: boolean }) {
    this.#isEnabled = isEnabled
  }

  readonly admit: PodAdmitter['admit'] = (pod) => {
    // One that runs, or is over, is not looked at again.
    if (pod.status?.phase !== 'Pending' || !isRequired(pod)) return undefined
    const problem = this.#isEnabled ? profileProblem(pod) : 'AppArmor is not enabled on the host'
    if (problem === undefined) return undefined
    return { reason: 'AppArmor', message: `Cannot enforce AppArmor: ${problem}` }
  }
}
