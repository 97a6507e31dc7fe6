import { isJsonObject, objectAt, ownField, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { EnvVar } from '../../../shared/kubernetes/objects.ts'
import type {
  ReferredKind,
  VariableSource,
  VariableState,
} from '../../../shared/model/inside-pod/pod-volumes.ts'
import { eachVariable, linkedServices } from '../environment/environment.ts'
import type {
  EnvironmentSources,
  FoundVariable,
  StartingContainer,
} from '../environment/environment.ts'
import { keysOf } from './referred-object.ts'
import type { PeekObjects } from './referred-object.ts'

/** A variable with its whole value. */
export interface ContainerVariable {
  readonly name: string
  readonly source: VariableSource
  readonly state: VariableState
  /** Of the running container, else what it would get; undefined: none. */
  readonly value: string | undefined
  readonly isSecret: boolean
  readonly isOutdated: boolean
  readonly message: string
  readonly asOf: number | undefined
}

export interface ContainerVariables {
  readonly variables: readonly ContainerVariable[]
  /** Why no environment can be made at all; else empty. */
  readonly refusal: string
}

interface Reference {
  readonly of: ReferredKind
  readonly name: string
  /** Empty: all keys. */
  readonly key: string
  readonly isOptional: boolean
}

function referenceIn(of: ReferredKind, from: JsonObject, key: string): Reference {
  const isOptional = ownField(from, 'optional') === true
  return { of, name: textAt(from, 'name'), key, isOptional }
}

/** The ConfigMap or Secret of an entry; undefined: it needs none. */
function referenceOf({ entry }: FoundVariable): Reference | undefined {
  if (entry.kind === 'envFrom') {
    const of = isJsonObject(entry.source['secretRef']) ? 'Secret' : 'ConfigMap'
    const ref = of === 'Secret' ? 'secretRef' : 'configMapRef'
    return referenceIn(of, objectAt(entry.source, ref), entry.key)
  }
  const from = valueFromOf(entry.variable)
  const of = isJsonObject(from['secretKeyRef']) ? 'Secret' : 'ConfigMap'
  const ref = objectAt(from, of === 'Secret' ? 'secretKeyRef' : 'configMapKeyRef')
  return textAt(ref, 'key') === '' ? undefined : referenceIn(of, ref, textAt(ref, 'key'))
}

/** The kubelet prefers `value`. */
function valueFromOf({ value, valueFrom }: EnvVar): JsonObject {
  return !value && isJsonObject(valueFrom) ? valueFrom : {}
}

function sourceOf(found: FoundVariable, reference: Reference | undefined): VariableSource {
  const { entry } = found
  if (reference !== undefined) {
    const { of, name, key } = reference
    return { kind: entry.kind === 'envFrom' ? 'envFrom' : 'key', of, name, key }
  }
  const from = entry.kind === 'env' ? valueFromOf(entry.variable) : {}
  const [field, resource] = [objectAt(from, 'fieldRef'), objectAt(from, 'resourceFieldRef')]
  const path = textAt(field, 'fieldPath')
  if (path !== '') return { kind: 'field', path }
  const name = textAt(resource, 'resource')
  if (name === '') return { kind: 'spec' }
  return { kind: 'resource', resource: name, container: textAt(resource, 'containerName') }
}

/** Of a variable that needs no object. An address is empty until the sandbox has one. */
function ownState(
  entry: FoundVariable['entry'],
  value: FoundVariable['value'],
): ContainerVariable['state'] {
  if (!value.ok) return 'refused'
  const from = entry.kind === 'env' ? valueFromOf(entry.variable) : {}
  const isAddress = textAt(objectAt(from, 'fieldRef'), 'fieldPath').startsWith('status.podIP')
  return isAddress && value.value === '' ? 'pending' : 'found'
}

function stateOf(
  { entry, value }: FoundVariable,
  reference: Reference | undefined,
  peek: PeekObjects,
): Pick<ContainerVariable, 'state' | 'asOf'> {
  if (reference === undefined) return { state: ownState(entry, value), asOf: undefined }
  const { of, name, key, isOptional } = reference
  const peeked = peek[of](name)
  if (peeked.state === 'unread') return { state: 'unread', asOf: undefined }
  const { asOf } = peeked
  if (peeked.state === 'missing') return { state: isOptional ? 'absent' : 'objectMissing', asOf }
  if (key === '' || keysOf(peeked.object).has(key))
    return { state: value.ok ? 'found' : 'refused', asOf }
  return { state: isOptional ? 'absent' : 'keyMissing', asOf }
}

/** The names that `$(NAME)` may refer to, also where `$$` escapes it. */
function namesIn(template: string): readonly string[] {
  return [...template.matchAll(/\$\(([^)]*)\)/g)].map(([, name = '']) => name)
}

interface Collected {
  /** By name; what has none by its place. Later entries replace earlier ones. */
  readonly variables: Map<string, Omit<ContainerVariable, 'isSecret' | 'isOutdated'>>
  /** The names of variables that are made of Secrets. */
  readonly secret: Set<string>
}

function collect(found: FoundVariable, peek: PeekObjects, into: Collected): void {
  const { name, entry, value } = found
  const reference = referenceOf(found)
  const source = sourceOf(found, reference)
  const names = entry.kind === 'env' ? namesIn(entry.variable.value ?? '') : []
  if (reference?.of === 'Secret' || names.some((one) => into.secret.has(one))) into.secret.add(name)
  const state = stateOf(found, reference, peek)
  const hasBefore = into.variables.has(name)
  // An optional one that is absent leaves an earlier one in place.
  if (state.state === 'absent' && name !== '' && hasBefore) return
  into.variables.set(name === '' ? `${into.variables.size}` : name, {
    name,
    source,
    value: value.ok ? value.value : undefined,
    message: value.ok || state.state === 'unread' ? '' : value.error,
    ...state,
  })
}

/**
 * The variables of a container. `given`: those of the running container; a value that differs from what it would get, and may be
 * from a Secret, counts as one of it.
 */
export async function containerVariables(
  starting: StartingContainer,
  sources: EnvironmentSources,
  peek: PeekObjects,
  given: ReadonlyMap<string, string> | undefined,
): Promise<ContainerVariables> {
  const linked = linkedServices(starting.pod, sources)
  const services: ReadonlyMap<string, string> = linked.ok ? linked.value : new Map()
  const all: Collected = { variables: new Map(), secret: new Set() }
  await eachVariable(starting, { sources, services }, (found) => {
    collect(found, peek, all)
    return true
  })
  const common = { state: 'found', message: '', asOf: undefined } as const
  for (const [name, value] of services)
    if (!all.variables.has(name))
      all.variables.set(name, { ...common, name, value, source: { kind: 'service' } })
  for (const name of given?.keys() ?? [])
    if (!all.variables.has(name))
      all.variables.set(name, { ...common, name, value: undefined, source: { kind: 'former' } })
  // Also where the Secret is gone, or has no keys any more.
  const { envFrom = [] } = starting.container
  const hasSecretSource = envFrom.some((one) => isJsonObject(one) && 'secretRef' in one)
  const variables = [...all.variables.values()].map((variable): ContainerVariable => {
    const { name, value } = variable
    const own = given === undefined || name === '' ? value : given.get(name)
    const isSecret = all.secret.has(name) || (own !== value && hasSecretSource)
    const isComparable = variable.state === 'found' || variable.state === 'absent'
    return { ...variable, value: own, isOutdated: isComparable && own !== value, isSecret }
  })
  return { variables, refusal: linked.ok ? '' : linked.error }
}
