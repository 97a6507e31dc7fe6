import { defined, isJsonObject, objectAt, objectsAt, withFields } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { defaultPullPolicy } from './image-reference.ts'
import type { Container, Pod, PodSpec } from './objects.ts'
import { formatQuantity, parseQuantity } from './quantity.ts'

const nanosPerMilli = 1_000_000n

/** What the defaults of a container depend on. */
interface SpecDefaults {
  /** Host ports are those of the containers. */
  readonly isHostNetwork: boolean
  readonly requestsFromLimits: boolean
}

// API servers keep container resources to a thousandth, rounded up.
function canonicalResources(list: JsonObject): Readonly<Record<string, string>> {
  const entries = Object.entries(list).map(([name, value]): [string, string] => {
    const quantity = parseQuantity(value)
    if (quantity === undefined) return [name, String(value)]
    const millis =
      quantity.nanos > 0n ? (quantity.nanos + nanosPerMilli - 1n) / nanosPerMilli : undefined
    const nanos = millis === undefined ? quantity.nanos : millis * nanosPerMilli
    return [name, formatQuantity({ ...quantity, nanos })]
  })
  return Object.fromEntries(entries)
}

function defaultResources(resources: JsonObject, defaults: SpecDefaults): JsonObject {
  const limits = canonicalResources(objectAt(resources, 'limits'))
  const own = canonicalResources(objectAt(resources, 'requests'))
  const requests = defaults.requestsFromLimits ? { ...limits, ...own } : own
  return {
    ...resources,
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    ...(Object.keys(requests).length > 0 ? { requests } : {}),
  }
}

function defaultHttpGet(handler: JsonObject): JsonObject {
  const httpGet = handler['httpGet']
  if (!isJsonObject(httpGet)) return handler
  return {
    ...handler,
    httpGet: { ...httpGet, path: httpGet['path'] || '/', scheme: httpGet['scheme'] || 'HTTP' },
  }
}

function defaultProbe(probe: JsonObject): JsonObject {
  const grpc = probe['grpc']
  return {
    ...defaultHttpGet(probe),
    ...(isJsonObject(grpc) ? { grpc: { ...grpc, service: grpc['service'] ?? '' } } : {}),
    timeoutSeconds: probe['timeoutSeconds'] || 1,
    periodSeconds: probe['periodSeconds'] || 10,
    successThreshold: probe['successThreshold'] || 1,
    failureThreshold: probe['failureThreshold'] || 3,
  }
}

function defaultLifecycle(lifecycle: JsonObject): JsonObject {
  return mapFields(lifecycle, ['postStart', 'preStop'], defaultHttpGet)
}

/** Changes those of the fields that hold an object; the others stay as they are, absent ones absent. */
function mapFields(
  object: JsonObject,
  fields: readonly string[],
  change: (value: JsonObject) => JsonObject,
): JsonObject {
  const changed = fields.flatMap((field): [string, JsonObject][] => {
    const value = object[field]
    return isJsonObject(value) ? [[field, change(value)]] : []
  })
  return changed.length === 0 ? object : { ...object, ...Object.fromEntries(changed) }
}

function mapList(
  object: JsonObject,
  field: string,
  change: (value: JsonObject) => JsonObject,
): JsonObject {
  return Array.isArray(object[field])
    ? { ...object, [field]: objectsAt(object, field).map(change) }
    : object
}

function defaultFieldReference(source: JsonObject): JsonObject {
  const withVersion = mapFields(source, ['fieldRef'], (reference) => ({
    ...reference,
    apiVersion: reference['apiVersion'] || 'v1',
  }))
  return mapFields(withVersion, ['resourceFieldRef'], (reference) => {
    // An amount that is not given is none, which Go writes.
    const divisor = parseQuantity(reference['divisor'] ?? '0')
    return divisor === undefined ? reference : { ...reference, divisor: formatQuantity(divisor) }
  })
}

function defaultPort(port: JsonObject, isHostNetwork: boolean): JsonObject {
  return {
    ...port,
    ...(isHostNetwork ? { hostPort: port['hostPort'] || port['containerPort'] } : {}),
    protocol: port['protocol'] || 'TCP',
  }
}

function defaultContainer(container: Container, defaults: SpecDefaults): Container {
  const withLists = mapList(
    mapList(container, 'ports', (port) => defaultPort(port, defaults.isHostNetwork)),
    'env',
    (variable) => mapFields(variable, ['valueFrom'], defaultFieldReference),
  )
  const withHandlers = mapFields(
    mapFields(withLists, ['livenessProbe', 'readinessProbe', 'startupProbe'], defaultProbe),
    ['lifecycle'],
    defaultLifecycle,
  )
  return {
    ...withHandlers,
    name: container.name,
    resources: defaultResources(objectAt(container, 'resources'), defaults),
    terminationMessagePath: container.terminationMessagePath || '/dev/termination-log',
    terminationMessagePolicy: container.terminationMessagePolicy || 'File',
    imagePullPolicy: container.imagePullPolicy || defaultPullPolicy(container.image ?? ''),
  }
}

const volumesWithMode = ['secret', 'configMap', 'downwardAPI', 'projected'] as const

function defaultDownwardApi(source: JsonObject): JsonObject {
  return mapList(source, 'items', defaultFieldReference)
}

function defaultProjection(projection: JsonObject): JsonObject {
  const withReferences = mapFields(projection, ['downwardAPI'], defaultDownwardApi)
  return mapFields(withReferences, ['serviceAccountToken'], (token) => ({
    ...token,
    expirationSeconds: token['expirationSeconds'] ?? 3600,
  }))
}

/** The claim that is made for the pod. Source: pkg/apis/core/v1 SetDefaults_PersistentVolumeClaimSpec. */
function defaultClaimTemplate(template: JsonObject): JsonObject {
  const withSpec = mapFields(template, ['spec'], (spec) => ({
    resources: {},
    ...spec,
    volumeMode: spec['volumeMode'] ?? 'Filesystem',
  }))
  return { metadata: {}, ...withSpec }
}

function defaultVolume(volume: JsonObject): JsonObject {
  const sources = Object.keys(volume).filter((field) => field !== 'name')
  if (sources.length === 0) return { ...volume, emptyDir: {} }
  const withModes = mapFields(volume, volumesWithMode, (source) => ({
    ...source,
    defaultMode: source['defaultMode'] ?? 0o644,
  }))
  const withReferences = mapFields(
    mapFields(withModes, ['downwardAPI'], defaultDownwardApi),
    ['projected'],
    (source) => mapList(source, 'sources', defaultProjection),
  )
  const withTemplates = mapFields(withReferences, ['ephemeral'], (source) =>
    mapFields(source, ['volumeClaimTemplate'], defaultClaimTemplate),
  )
  return mapFields(withTemplates, ['hostPath'], (source) => ({
    ...source,
    type: source['type'] ?? '',
  }))
}

function serviceAccountOf(spec: PodSpec): Partial<PodSpec> {
  // The old name is kept as well, and is read where the new one is missing.
  const name = spec.serviceAccountName || spec.serviceAccount
  return name ? { serviceAccountName: name, serviceAccount: name } : {}
}

function defaultSpec(spec: PodSpec, defaults: SpecDefaults): PodSpec {
  const containers = (list: readonly Container[]): readonly Container[] =>
    list.map((container) => defaultContainer(container, defaults))
  return {
    ...mapList(spec, 'volumes', defaultVolume),
    ...serviceAccountOf(spec),
    // Absent containers are for validation to refuse.
    containers: containers(spec.containers ?? []),
    ...defined({
      initContainers: spec.initContainers && containers(spec.initContainers),
      ephemeralContainers: spec.ephemeralContainers && containers(spec.ephemeralContainers),
    }),
    restartPolicy: spec.restartPolicy || 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
    dnsPolicy: spec.dnsPolicy || 'ClusterFirst',
    securityContext: spec.securityContext ?? {},
    schedulerName: spec.schedulerName || 'default-scheduler',
  }
}

/**
 * The defaults that the API machinery gives a pod wherever it is decoded, static ones too; nothing of
 * admission (service account, tolerations, priority) and nothing of the status. Quantities
 * become canonical. Expects a decoded pod (`decodeAs`), which has no nulls; validate afterwards.
 * Returns a new pod, which may share parts with the given one; applying it twice changes nothing. Source: pkg/apis/core/v1/defaults.go (v1.34).
 */
export function defaultPod(pod: Pod): Pod {
  // Absent ones are for validation to refuse.
  const spec = pod.spec ?? {}
  const defaults = { isHostNetwork: spec.hostNetwork === true, requestsFromLimits: true }
  const enableServiceLinks = spec.enableServiceLinks ?? true
  const whole = defaultSpec(spec, defaults)
  const seconds = whole.terminationGracePeriodSeconds ?? 0
  // A negative grace of a pod, but not of a template, counts as one second (pkg/apis/core/v1/conversion.go).
  const terminationGracePeriodSeconds = seconds < 0 ? 1 : seconds
  const metadata = pod.metadata ?? {}
  const added = { terminationGracePeriodSeconds, enableServiceLinks }
  return withFields(pod, { metadata, spec: withFields(whole, added) })
}

/** The same for the template of pods, to whose pods the rest of the defaults is given when they are created. */
export function defaultPodTemplate(template: JsonObject): JsonObject {
  // Absent containers are for validation to refuse.
  const spec = objectAt(template, 'spec') as unknown as PodSpec
  const defaults = { isHostNetwork: false, requestsFromLimits: false }
  return {
    ...template,
    metadata: objectAt(template, 'metadata'),
    spec: defaultSpec(spec, defaults),
  }
}
