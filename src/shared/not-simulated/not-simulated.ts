import { equalJson, isJsonObject, listAt, objectAt } from '../json.ts'
import type { JsonObject } from '../json.ts'
import type { Container, Pod } from '../kubernetes/objects.ts'
import { annotationProblems } from '../simulated-behavior.ts'
import { commandRule, fieldRules, handlerCommandRule, imageCommandRule } from './pod-fields.ts'
import type { NotSimulatedRule } from './pod-fields.ts'

/** A field of one pod that has no effect, or less than on a real node. */
export interface NotSimulated {
  /** Of its rule, as docs/gaps.md lists it. */
  readonly id: string
  /** `spec.containers[0].livenessProbe`. */
  readonly field: string
  /** What happens instead, without the field. */
  readonly message: string
}

export interface NotSimulatedOptions {
  /** Why the simulated runtime cannot read what the container runs; `undefined` when it can. */
  readonly unreadableCommand: (container: Container) => string | undefined
  /** Whether the sandbox's control plane schedules the pod and looks after it; false for static pods and on real clusters. */
  readonly isSandboxed: boolean
}

/** As a warning or a line of a list reads. */
export function notSimulatedText({ field, message }: NotSimulated): string {
  return `${field}: not simulated: ${message}`
}

interface Segment {
  readonly name: string
  readonly isList: boolean
}

/** A rule with its paths taken apart, once for all pods. */
interface ReadyRule {
  readonly rule: NotSimulatedRule
  readonly paths: readonly (readonly Segment[])[]
}

const readyRules: readonly ReadyRule[] = fieldRules.map((rule) => ({
  rule,
  paths: rule.fields.map((path) =>
    path.split('.').map((segment) => ({
      name: segment.replace('[*]', ''),
      isList: segment.endsWith('[*]'),
    })),
  ),
}))

interface Place {
  readonly field: string
  readonly value: unknown
}

/** Adds every value at a path to `places`. */
function findPlaces(place: Place, path: readonly Segment[], index: number, places: Place[]): void {
  const segment = path[index]
  if (segment === undefined) {
    places.push(place)
    return
  }
  if (!isJsonObject(place.value)) return
  const { name, isList } = segment
  const value = place.value[name]
  if (value === undefined) return
  const field = place.field === '' ? name : `${place.field}.${name}`
  if (!isList) {
    findPlaces({ field, value }, path, index + 1, places)
    return
  }
  for (const [at, entry] of listAt(place.value, name).entries())
    findPlaces({ field: `${field}[${at}]`, value: entry }, path, index + 1, places)
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return !Array.isArray(value) || value.length > 0
}

function entriesOf({ rule, paths }: ReadyRule, pod: Pod): readonly NotSimulated[] {
  const { id, message, defaults = [], applies = () => true } = rule
  const places: Place[] = []
  for (const path of paths) findPlaces({ field: '', value: pod }, path, 0, places)
  return places
    .filter(({ value }) => isSet(value) && !defaults.some((plain) => equalJson(plain, value)))
    .filter(({ value }) => applies(value, pod))
    .map(({ field }) => ({ id, field, message }))
}

const longestReason = 100

/** On one line and not too long: a reason quotes what stands in the command. */
function shortText(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ')
  return line.length <= longestReason ? line : `${line.slice(0, longestReason)}…`
}

/** Images whose own command serves until it is stopped and then exits 0, which is what the simulator assumes. */
const servers = /(^|\/)(nginx|nginx-slim|nginx-unprivileged|httpd|redis|pause)(:[^/]*)?(@.*)?$/

interface PlacedContainer {
  readonly container: Container
  /** `spec.initContainers[0]`. */
  readonly field: string
}

function containersOf({ spec }: Pod): readonly PlacedContainer[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, field: `spec.${list}[${index}]` })),
  )
}

function commandEntry({ container, field }: PlacedContainer, why: string): NotSimulated {
  const part = (container.command ?? []).length > 0 ? 'command' : 'args'
  const message = `${commandRule.message} (${shortText(why)})`
  return { id: commandRule.id, field: `${field}.${part}`, message }
}

function commandEntries(
  pod: Pod,
  { unreadableCommand }: NotSimulatedOptions,
): readonly NotSimulated[] {
  return containersOf(pod).flatMap((placed): readonly NotSimulated[] => {
    const why = unreadableCommand(placed.container)
    if (why === undefined) return []
    const { command = [], args = [], image = '' } = placed.container
    if (command.length > 0 || args.length > 0) return [commandEntry(placed, why)]
    if (servers.test(image)) return []
    const { id, message } = imageCommandRule
    return [{ id, field: `${placed.field}.image`, message }]
  })
}

/** Where a container may have a command to be run in it. */
const handlerPaths: readonly (readonly string[])[] = handlerCommandRule.fields
  .filter((path) => path.startsWith('spec.containers[*].'))
  .map((path) => path.split('.').slice(2))

/** Probes and hooks whose commands are unreadable. */
function handlerEntries(
  pod: Pod,
  { unreadableCommand }: NotSimulatedOptions,
): readonly NotSimulated[] {
  const { id, message } = handlerCommandRule
  return containersOf(pod).flatMap(({ container, field }) =>
    handlerPaths.flatMap((path): readonly NotSimulated[] => {
      const exec = path.reduce<JsonObject>(objectAt, container)
      const command = listAt(exec, 'command').map(String)
      const why =
        command.length === 0 ? undefined : unreadableCommand({ ...container, command, args: [] })
      if (why === undefined) return []
      return [
        { id, field: `${field}.${path.join('.')}`, message: `${message} (${shortText(why)})` },
      ]
    }),
  )
}

/** Annotations for the simulated runtime that have no effect. */
function annotationEntries(pod: Pod): readonly NotSimulated[] {
  const names = containersOf(pod).map(({ container }) => container.name)
  return annotationProblems(pod.metadata.annotations ?? {}, names).map((problem) => ({
    id: 'simulated-annotation',
    ...problem,
  }))
}

/** For a container whose command turned out unreadable while it ran; none where the pod has no such container. */
export function unreadCommand(pod: Pod, name: string): readonly NotSimulated[] {
  return containersOf(pod)
    .filter(({ container }) => container.name === name)
    .map((placed) => commandEntry(placed, 'what it does next only a real container knows'))
}

/**
 * What of a pod's spec and metadata has no effect, or less than on a real node, by the rules of `pod-fields.ts`. Pure.
 * Expects a pod of the right types; defaults may have been filled in or not.
 */
export function notSimulated(pod: Pod, options: NotSimulatedOptions): readonly NotSimulated[] {
  const ofFields = readyRules
    .filter(({ rule }) => options.isSandboxed || rule.part !== 'control plane')
    .flatMap((rule) => entriesOf(rule, pod))
  return [
    ...annotationEntries(pod),
    ...commandEntries(pod, options),
    ...handlerEntries(pod, options),
    ...ofFields,
  ]
}
