import { isJsonObject, objectAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { placedContainers } from '../../registry/warnings/container-warnings.ts'

/** A pod, or a template of pods. */
export interface CheckedPod {
  readonly annotations: JsonObject
  readonly spec: JsonObject
}

/** Why a check does not allow a pod: the reason is always shown, the detail where one object is judged. */
export interface Violation {
  readonly reason: string
  readonly detail: string
}

/** Undefined: the pod is allowed. */
export type CheckPod = (pod: CheckedPod) => Violation | undefined

/** All containers of a pod. Source: policy/visitor.go visitContainers. */
export function containersOf(spec: JsonObject): readonly JsonObject[] {
  return placedContainers(spec, 'spec').map(({ container }) => container)
}

export function securityContextOf(specOrContainer: JsonObject): JsonObject {
  return objectAt(specOrContainer, 'securityContext')
}

/** The names of the containers for which this is true. */
export function namesOf(
  spec: JsonObject,
  isBad: (securityContext: JsonObject, container: JsonObject) => boolean,
): readonly string[] {
  return containersOf(spec)
    .filter((container) => isBad(securityContextOf(container), container))
    .map((container) => textAt(container, 'name'))
}

/** Each text once, in order. */
export function sortedSet(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted()
}

/** Source: policy/helpers.go joinQuote. */
export function joinQuote(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ')
}

/** `hostPort` or `hostPorts`. Source: policy/helpers.go pluralize. */
export function pluralize(word: string, all: readonly unknown[]): string {
  return all.length === 1 ? word : `${word}s`
}

/** `container "a"`, `containers "a", "b"`. */
export function named(word: string, names: readonly string[]): string {
  return `${pluralize(word, names)} ${joinQuote(names)}`
}

/** `use` of several, `uses` of one. */
export function use(names: readonly string[]): string {
  return names.length === 1 ? 'uses' : 'use'
}

/** What sets a value that is not allowed, the pod itself or containers: `pod and container "a"`. Empty: nothing does. */
export function settersText(isByPod: boolean, names: readonly string[]): string {
  return [
    ...(isByPod ? ['pod'] : []),
    ...(names.length > 0 ? [named('container', names)] : []),
  ].join(' and ')
}

/** Field objects of the pod's security context and of those of its containers; undefined where there is none. */
export function profilesOf(
  spec: JsonObject,
  field: string,
): { readonly ofPod: JsonObject | undefined; readonly ofContainers: readonly NamedProfile[] } {
  const profileIn = (given: JsonObject): JsonObject | undefined => {
    const profile = securityContextOf(given)[field]
    return isJsonObject(profile) ? profile : undefined
  }
  return {
    ofPod: profileIn(spec),
    ofContainers: containersOf(spec).map((container) => ({
      name: textAt(container, 'name'),
      profile: profileIn(container),
    })),
  }
}

interface NamedProfile {
  readonly name: string
  readonly profile: JsonObject | undefined
}

/** Pods for Windows cannot have the fields that some checks of `restricted` demand: from version 1.25 on these checks allow them. */
export function exceptOnWindows(check: CheckPod): CheckPod {
  return (pod) => (objectAt(pod.spec, 'os')['name'] === 'windows' ? undefined : check(pod))
}
