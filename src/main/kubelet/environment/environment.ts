import { base64Bytes, utf8Text } from '../../../shared/base64.ts'
import { isJsonObject, objectAt, ownField, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Container, EnvVar, Pod } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { ExpansionTooLong, tooLongMessage, VariableExpander } from '../container/expansion.ts'
import type { ConfigMapManager } from '../object-managers/config-map-manager.ts'
import type { SecretManager } from '../object-managers/secret-manager.ts'
import { isStaticPod, podNamespace } from '../pod/identity.ts'
import type { ResourceList } from '../pod/resource-field.ts'
import type { ServiceLister } from '../ports.ts'
import { podFieldValue } from './field-reference.ts'
import { resourceFieldValue } from './resource-reference.ts'
import { serviceVariables } from './service-variables.ts'

/** Where the values of variables come from. */
export interface EnvironmentSources {
  readonly configMapManager: Pick<ConfigMapManager, 'getConfigMap'>
  readonly secretManager: Pick<SecretManager, 'getSecret'>
  readonly serviceLister: ServiceLister
  /** Of the node, as the API server has it or as it would be registered. */
  readonly allocatable: () => ResourceList
  /** The node's addresses, primary first; empty while they are not known. */
  readonly hostIPs: () => readonly string[]
}

/** A container that starts. */
export interface StartingContainer {
  readonly pod: Pod
  readonly container: Container
  readonly podIPs: readonly string[]
}

interface ObjectKind {
  readonly name: 'ConfigMap' | 'Secret'
  readonly keyRef: string
  readonly ref: string
}

const objectKinds: readonly ObjectKind[] = [
  { name: 'ConfigMap', keyRef: 'configMapKeyRef', ref: 'configMapRef' },
  { name: 'Secret', keyRef: 'secretKeyRef', ref: 'secretRef' },
]

type Data = Readonly<Record<string, string>>

/** The sources with the variables of Services, of `linkedServices`. */
interface EnvironmentWorld {
  readonly sources: EnvironmentSources
  readonly services: ReadonlyMap<string, string>
}

/** Undefined: it is optional and missing, so the variable is left out. */
type Optional<T> = Result<T | undefined, string>

/** What one entry of the spec gives. */
export interface FoundVariable {
  /** Empty for a source of `envFrom` that is not there. */
  readonly name: string
  readonly entry:
    | { readonly kind: 'env'; readonly variable: EnvVar }
    | { readonly kind: 'envFrom'; readonly source: JsonObject; readonly key: string }
  readonly value: Optional<string>
}

/** Answers whether the next one is wanted. */
type Visit = (found: FoundVariable) => boolean

/** Reads the ConfigMaps and Secrets of one container, each at most once. */
class ReferencedObjects {
  readonly #sources: EnvironmentSources
  readonly #namespace: string
  readonly #read = new Map<string, Data>()

  constructor(sources: EnvironmentSources, namespace: string) {
    this.#sources = sources
    this.#namespace = namespace
  }

  /** The data of a ConfigMap, or the decoded data of a Secret. */
  async dataOf(kind: ObjectKind, reference: JsonObject): Promise<Optional<Data>> {
    const name = textAt(reference, 'name')
    const key = `${kind.name} ${name}`
    const known = this.#read.get(key)
    if (known !== undefined) return ok(known)
    const { configMapManager, secretManager } = this.#sources
    const found =
      kind.name === 'ConfigMap'
        ? await configMapManager.getConfigMap(this.#namespace, name)
        : await secretManager.getSecret(this.#namespace, name)
    if (!found.ok) {
      const isMissing = found.error.kind === 'not-found' && reference['optional'] === true
      return isMissing ? ok(undefined) : err(found.error.message)
    }
    const { data = {} } = found.value
    const decoded = kind.name === 'ConfigMap' ? data : decodedData(data)
    this.#read.set(key, decoded)
    return ok(decoded)
  }

  async valueOf(kind: ObjectKind, reference: JsonObject): Promise<Optional<string>> {
    const data = await this.dataOf(kind, reference)
    if (!data.ok || data.value === undefined) return data.ok ? ok(undefined) : data
    const key = textAt(reference, 'key')
    const value = ownField(data.value, key)
    if (value !== undefined || reference['optional'] === true) return ok(value)
    const where = `${this.#namespace}/${textAt(reference, 'name')}`
    return err(`couldn't find key ${key} in ${kind.name} ${where}`)
  }
}

function decodedData(data: Data): Data {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, utf8Text(base64Bytes(value))]),
  )
}

/** The variables of ConfigMaps and Secrets, in the order of the spec; answers whether more is wanted. */
async function eachVariableFrom(
  container: Container,
  objects: ReferencedObjects,
  visit: Visit,
): Promise<boolean> {
  for (const given of container.envFrom ?? []) {
    const source = isJsonObject(given) ? given : {}
    const kind = objectKinds.find(({ ref }) => isJsonObject(source[ref]))
    if (kind === undefined) continue
    const data = await objects.dataOf(kind, objectAt(source, kind.ref))
    if (!data.ok || data.value === undefined) {
      const value = data.ok ? ok(undefined) : data
      if (!visit({ name: '', entry: { kind: 'envFrom', source, key: '' }, value })) return false
      continue
    }
    const prefix = textAt(source, 'prefix')
    for (const [key, value] of Object.entries(data.value)) {
      const entry = { kind: 'envFrom', source, key } as const
      if (!visit({ name: prefix + key, entry, value: ok(value) })) return false
    }
  }
  return true
}

function expanded(expander: VariableExpander, value: string): Optional<string> {
  try {
    return ok(expander.expand(value))
  } catch (error) {
    if (error instanceof ExpansionTooLong) return err(tooLongMessage)
    throw error
  }
}

async function referredValue(
  valueFrom: JsonObject,
  { pod, container, podIPs }: StartingContainer,
  objects: ReferencedObjects,
  sources: EnvironmentSources,
): Promise<Optional<string>> {
  if (isJsonObject(valueFrom['fieldRef'])) {
    const addresses = { podIPs, hostIPs: sources.hostIPs() }
    return podFieldValue(valueFrom['fieldRef'], pod, addresses)
  }
  if (isJsonObject(valueFrom['resourceFieldRef']))
    return resourceFieldValue(valueFrom['resourceFieldRef'], pod, container, sources.allocatable())
  const kind = objectKinds.find(({ keyRef }) => isJsonObject(valueFrom[keyRef]))
  // The feature gate EnvFiles is off, so the value of a fileKeyRef is empty.
  return kind === undefined ? ok('') : objects.valueOf(kind, objectAt(valueFrom, kind.keyRef))
}

/**
 * Visits what a container's spec gives, in the order in which the kubelet reads it: `envFrom`, then `env`, whose values may name
 * what comes before them and the variables of Services.
 */
export async function eachVariable(
  starting: StartingContainer,
  { sources, services }: EnvironmentWorld,
  visit: Visit,
): Promise<void> {
  const { pod, container } = starting
  const variables = new Map<string, string>()
  const visitAndKeep: Visit = (found) => {
    const { name, value } = found
    if (name !== '' && value.ok && value.value !== undefined) variables.set(name, value.value)
    return visit(found)
  }
  const objects = new ReferencedObjects(sources, podNamespace(pod))
  if (!(await eachVariableFrom(container, objects, visitAndKeep))) return
  const expander = new VariableExpander({
    get: (name) => variables.get(name) ?? services.get(name),
  })
  for (const variable of container.env ?? []) {
    const { name, value, valueFrom } = variable
    const found = value
      ? expanded(expander, value)
      : await referredValue(isJsonObject(valueFrom) ? valueFrom : {}, starting, objects, sources)
    if (!visitAndKeep({ name, entry: { kind: 'env', variable }, value: found })) return
  }
}

/** The variables of Services that the container gets; why its environment cannot be made yet, in the kubelet's words. */
export function linkedServices(
  pod: Pod,
  { serviceLister }: Pick<EnvironmentSources, 'serviceLister'>,
): Result<ReadonlyMap<string, string>, string> {
  const { enableServiceLinks } = pod.spec
  if (enableServiceLinks === undefined)
    return err('nil pod.spec.enableServiceLinks encountered, cannot construct envvars')
  if (!isStaticPod(pod) && !serviceLister.hasSynced())
    return err('services have not yet been read at least once, cannot construct envvars')
  return ok(serviceVariables(serviceLister.list(), podNamespace(pod), enableServiceLinks))
}

/**
 * The environment of a container that starts: what its spec gives, later entries in place of earlier ones, then the variables of
 * Services. The error is the kubelet's sentence (CreateContainerConfigError).
 * Source: pkg/kubelet/kubelet_pods.go makeEnvironmentVariables.
 */
export async function makeEnvironmentVariables(
  starting: StartingContainer,
  sources: EnvironmentSources,
): Promise<Result<ReadonlyMap<string, string>, string>> {
  const services = linkedServices(starting.pod, sources)
  if (!services.ok) return services
  const variables = new Map<string, string>()
  let failure: Result<never, string> | undefined
  await eachVariable(starting, { sources, services: services.value }, ({ name, value }) => {
    if (!value.ok) failure = value
    else if (value.value !== undefined) variables.set(name, value.value)
    return value.ok
  })
  if (failure !== undefined) return failure
  for (const [name, value] of services.value) if (!variables.has(name)) variables.set(name, value)
  return ok(variables)
}
