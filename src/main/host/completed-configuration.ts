import { resolve } from 'node:path'
import { formatDuration } from '../../shared/go/duration.ts'
import { isJsonObject, numberAt, objectAt, ownField, textAt } from '../../shared/json.ts'
import type { JsonObject } from '../../shared/json.ts'
import type { FieldType } from '../../shared/kubernetes/schema/api-schema.ts'
import { defaultKubeletConfiguration } from '../kubelet/server/default-configuration.ts'
import { configurationSchema, durations } from './kubelet-configuration-schema.ts'

/** Nanoseconds by path, for the durations that a file has. */
export type Durations = ReadonlyMap<string, number>

/** Numbers and texts that are pointers in Go: their zero counts as set. */
const pointers: ReadonlySet<string> = new Set([
  'registryPullQPS',
  'eventRecordQPS',
  'healthzPort',
  'oomScoreAdj',
  'imageGCHighThresholdPercent',
  'imageGCLowThresholdPercent',
  'podPidsLimit',
  'resolvConf',
  'nodeStatusMaxImages',
  'kubeAPIQPS',
  'maxParallelImagePulls',
  'iptablesMasqueradeBit',
  'iptablesDropBit',
  'containerLogMaxFiles',
  'containerLogMaxWorkers',
  'memoryThrottlingFactor',
])

const struct = 'KubeletConfiguration'

/** A configuration as /configz shows it: with a kubelet's defaults, in the order of the fields (SetDefaults_KubeletConfiguration). */
export function completedConfiguration(object: JsonObject, times: Durations): JsonObject {
  const own = ownDefaults(object, times)
  return completed(struct, object, { ...defaultKubeletConfiguration, ...own }, times, '')
}

/** Another value for some of its fields; an empty one leaves the field out. */
export function withConfiguration(completed: JsonObject, fields: JsonObject): JsonObject {
  const all = { ...completed, ...fields }
  const names = [...configurationSchema(struct).fields.keys()]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = ownField(all, name)
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
}

/** Paths are relative to the folder of the file (KubeletConfigurationPathRefs). */
export function withAbsolutePaths(completed: JsonObject, folder: string): JsonObject {
  const absolute = (object: JsonObject, fields: readonly string[]): JsonObject => {
    const set = fields.filter((field) => !['', '/'].includes(textAt(object, field).slice(0, 1)))
    const paths = set.map((field) => [field, resolve(folder, textAt(object, field))])
    return { ...object, ...Object.fromEntries(paths) }
  }
  const authentication = objectAt(completed, 'authentication')
  const x509 = absolute(objectAt(authentication, 'x509'), ['clientCAFile'])
  return { ...absolute(completed, pathFields), authentication: { ...authentication, x509 } }
}

const pathFields = [
  'staticPodPath',
  'tlsCertFile',
  'tlsPrivateKeyFile',
  'resolvConf',
  'volumePluginDir',
  'podLogsDir',
]

/** Defaults that follow from what is set. */
function ownDefaults(object: JsonObject, times: Durations): JsonObject {
  const update = times.get('nodeStatusUpdateFrequency') ?? 0
  const isParallel = (numberAt(object, 'maxParallelImagePulls') ?? 1) >= 2
  const gates = objectAt(object, 'featureGates')
  const isOn = (gate: string): boolean => gates[gate] === true
  return {
    ...(update === 0 ? {} : { nodeStatusReportFrequency: goDuration(update) }),
    ...(isParallel ? { serializeImagePulls: false } : {}),
    ...(isOn('KubeletCrashLoopBackOffMax')
      ? { crashLoopBackOff: { maxContainerRestartPeriod: '5m0s' } }
      : {}),
    ...(isOn('KubeletEnsureSecretPulledImages')
      ? { imagePullCredentialsVerificationPolicy: 'NeverVerifyPreloadedImages' }
      : {}),
  }
}

function goDuration(ns: number): string {
  return formatDuration(ns / 1e6)
}

function completed(
  name: string,
  object: JsonObject,
  defaults: JsonObject,
  times: Durations,
  path: string,
): JsonObject {
  const fields = [...configurationSchema(name).fields]
  return Object.fromEntries(
    fields.flatMap(([field, { type }]) => {
      if (path === '' && (field === 'apiVersion' || field === 'kind')) return []
      const at = { path: `${path}${field}`, field, times }
      const value = valueOf(type, ownField(object, field), ownField(defaults, field), at)
      return value === undefined ? [] : [[field, value]]
    }),
  )
}

interface Place {
  readonly path: string
  readonly field: string
  readonly times: Durations
}

/** Undefined: the field is left out. */
function valueOf(type: FieldType, given: unknown, initial: unknown, place: Place): unknown {
  const { path, field, times } = place
  const kind = Object.hasOwn(durations, path) ? durations[path] : undefined
  if (kind !== undefined) {
    const ns = times.get(path)
    // Written as it was given.
    if (kind === 'or number' && typeof given === 'number' && given !== 0) return given
    return ns === undefined || (ns === 0 && kind !== 'pointer') ? initial : goDuration(ns)
  }
  if (type.kind === 'struct') {
    if (given === undefined && initial === undefined) return undefined
    const [own, standard] = [isJsonObject(given) ? given : {}, isJsonObject(initial) ? initial : {}]
    return completed(type.name, own, standard, times, `${path}.`)
  }
  if (given === undefined || given === null) return initial
  if (field === 'podPidsLimit' && Number(given) < 0) return -1
  if (Array.isArray(given)) return given.length === 0 ? undefined : given
  if (isJsonObject(given)) return sorted(given)
  const isZero = given === 0 || given === '' || given === false
  if (!isZero || pointers.has(field)) return given
  // A Boolean that is shown at all is a pointer.
  return given === false ? (initial === undefined ? undefined : false) : initial
}

/** As Go writes a map; undefined for an empty one. */
function sorted(map: JsonObject): JsonObject | undefined {
  const entries = Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
