import { isIP } from 'node:net'
import { formatDuration } from '../../shared/go/duration.ts'
import { durationNs } from '../../shared/go/duration.ts'
import { goQuote } from '../../shared/go/text.ts'
import { isJsonObject, listAt, numberAt, objectAt, ownField, textAt } from '../../shared/json.ts'
import type { JsonObject } from '../../shared/json.ts'
import type { Taint } from '../../shared/kubernetes/objects.ts'
import { decodeAs } from '../../shared/kubernetes/schema/decode.ts'
import {
  labelValueProblems,
  qualifiedNameProblems,
} from '../../shared/kubernetes/validation/name-rules.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { nodeShutdownConfigProblems } from '../kubelet/node/node-shutdown-groups.ts'
import type { NodeShutdownConfig } from '../kubelet/node/node-shutdown-groups.ts'
import { defaultEvictionSettings } from '../kubelet/eviction/eviction-settings.ts'
import type { EvictionSettings } from '../kubelet/eviction/eviction-settings.ts'
import { defaultEvictionHard, parseThresholdConfig } from '../kubelet/eviction/parse-thresholds.ts'
import type { Statements, ThresholdConfig } from '../kubelet/eviction/parse-thresholds.ts'
import { defaultKubeletSettings } from '../kubelet/kubelet-settings.ts'
import type { KubeletSettings } from '../kubelet/kubelet-settings.ts'
import { defaultMaxPods } from '../nodes/node-description.ts'
import { fieldsIfRepeated } from '../parsing/json-fields.ts'
import { parseText, repeatedField } from '../parsing/kubernetes-text.ts'
import type { TextProblem } from '../parsing/kubernetes-text.ts'
import { strictErrors } from '../sandbox/endpoints/strict-errors.ts'
import type { UrlHeader } from '../sources/manifest-request.ts'
import { completedConfiguration } from './completed-configuration.ts'
import type { Durations } from './completed-configuration.ts'
import { mostPods } from './option-values.ts'
import { configurationSchema, durations } from './kubelet-configuration-schema.ts'

const apiVersion = 'kubelet.config.k8s.io/v1beta1'
const kind = 'KubeletConfiguration'

/** The feature gate of crashLoopBackOff.maxContainerRestartPeriod, off by default. */
const crashLoopGate = 'KubeletCrashLoopBackOffMax'

/** The feature gate of imageMaximumGCAge, on by default. */
const imageAgeGate = 'ImageMaximumGCAge'

/** The fields of a KubeletConfiguration that Nodescope acts on, with the kubelet's defaults (docs/kubelet-configuration.md). */
export interface KubeletConfiguration {
  /** As in the file; empty: none. */
  readonly staticPodPath: string
  /** Empty: none. */
  readonly staticPodURL: string
  readonly staticPodURLHeader: readonly UrlHeader[]
  readonly httpCheckFrequencyMs: number
  readonly maxPods: number
  readonly registerWithTaints: readonly Taint[]
  readonly settings: KubeletSettings
  /** All of it, as /configz shows it. */
  readonly completed: JsonObject
}

/** What was read, and sentences about what a kubelet warns of and about fields without effect. */
export interface ReadConfiguration {
  readonly configuration: KubeletConfiguration
  readonly notes: readonly string[]
}

/** Why a configuration is not used: a kubelet's errors, or a sentence of our own. */
export interface ConfigurationError {
  readonly kind: 'malformed' | 'wrong-kind' | 'undecodable' | 'invalid' | 'unsupported'
  readonly errors: readonly string[]
}

const actingFields: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'staticPodPath',
  'staticPodURL',
  'staticPodURLHeader',
  'httpCheckFrequency',
  'fileCheckFrequency',
  'syncFrequency',
  'nodeStatusUpdateFrequency',
  'nodeStatusReportFrequency',
  'nodeLeaseDurationSeconds',
  'nodeStatusMaxImages',
  'maxPods',
  'eventRecordQPS',
  'eventBurst',
  'registryPullQPS',
  'registryBurst',
  'serializeImagePulls',
  'maxParallelImagePulls',
  'imageMinimumGCAge',
  'imageMaximumGCAge',
  'imageGCHighThresholdPercent',
  'imageGCLowThresholdPercent',
  'registerNode',
  'registerWithTaints',
  'crashLoopBackOff',
  'shutdownGracePeriod',
  'shutdownGracePeriodCriticalPods',
  'cgroupsPerQOS',
  'enforceNodeAllocatable',
  'clusterDNS',
  'clusterDomain',
  'evictionHard',
  'evictionSoft',
  'evictionSoftGracePeriod',
  'evictionPressureTransitionPeriod',
  'evictionMaxPodGracePeriod',
  'evictionMinimumReclaim',
  'mergeDefaultEvictionSettings',
  'kernelMemcgNotification',
  'localStorageCapacityIsolation',
])

/** Of the kubelet's own server of a joined cluster. */
const servingFields: ReadonlySet<string> = new Set([
  'port',
  'authentication',
  'authorization',
  'serverTLSBootstrap',
  'tlsCertFile',
  'tlsPrivateKeyFile',
])

/**
 * Reads a KubeletConfiguration as a kubelet does: decodes it strictly, and leniently with a warning if that fails, sets defaults
 * and validates the fields that Nodescope acts on. Source: pkg/kubelet/kubeletconfig, pkg/kubelet/apis/config.
 */
export function readKubeletConfiguration(
  text: string,
  isServed = false,
): Result<ReadConfiguration, ConfigurationError> {
  const parsed = parseText(text)
  if (!parsed.ok) return failed('malformed', located(parsed.error))
  const isJson = /^\s*\{/.test(text)
  const value = isJson ? parsed.value.value : sorted(parsed.value.value)
  const refusal = kindProblem(value)
  if (refusal !== undefined || !isJsonObject(value)) return failed('wrong-kind', refusal ?? '')
  const { object, error, unknownFields } = decodeAs(
    configurationSchema(kind),
    value,
    configurationSchema,
  )
  const times = durationsOf(value)
  if (!times.ok) return failed('undecodable', times.error)
  if (error !== undefined) return failed('undecodable', error)
  const fields = new Fields(object, times.value)
  const problems = validationProblems(fields)
  if (problems.length > 0) return err({ kind: 'invalid', errors: problems })
  const completed = completedConfiguration(object, times.value)
  const configuration = { ...configurationOf(fields), completed }
  const [unsupported] = unsupportedValues(configuration)
  if (unsupported !== undefined) return failed('unsupported', unsupported)
  const repeated = isJson ? fieldsIfRepeated(text, value) : undefined
  const { warnings } = parsed.value
  const isRepeated = ({ message }: TextProblem): boolean => message === repeatedField
  const twice = warnings.filter(isRepeated).map(({ line }) => `line ${line}: field already set`)
  const others = warnings.filter((warning) => !isRepeated(warning)).map(located)
  const notes = [
    ...strictNotes([...twice, ...strictErrors(unknownFields, repeated)]),
    ...others.map((other) => `${kind}: ${other}`),
    ...withoutEffect(object, isServed),
  ]
  return ok({ configuration, notes })
}

function failed(
  kind: ConfigurationError['kind'],
  message: string,
): Result<never, ConfigurationError> {
  return err({ kind, errors: [message] })
}

/** sigs.k8s.io/yaml makes JSON of YAML with the fields in order, so that the first error is the first in this order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]))
}

function located({ message, line }: TextProblem): string {
  return line === null ? message : `${message.replace(/\.$/, '')} (line ${line}).`
}

function kindProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return `It must be an object of kind ${kind}.`
  const given = [textAt(value, 'apiVersion'), textAt(value, 'kind')]
  const wanted = `it must have apiVersion ${apiVersion} and kind ${kind}.`
  if (given.includes('')) return `A field is missing: ${wanted}`
  return given[0] === apiVersion && given[1] === kind
    ? undefined
    : `It has apiVersion ${given[0]} and kind ${given[1]}: ${wanted}`
}

function jsonWord(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** Source: apimachinery meta/v1 Duration.UnmarshalJSON; component-base logs/api/v1 TimeOrMetaDuration. */
function durationOf(
  written: unknown,
  path: string,
  type: (typeof durations)[string],
): Result<number, string> {
  // Go reads null into a string as the empty string.
  const text = written ?? ''
  if (typeof text === 'string') return durationNs(text)
  if (type !== 'or number') {
    const field = `${structAt(path)}.${path}`
    return err(
      `json: cannot unmarshal ${jsonWord(text)} into Go struct field ${field} of type string`,
    )
  }
  if (typeof text === 'number' && Number.isInteger(text)) return ok(text)
  const json = JSON.stringify(text)
  const word = typeof text === 'number' ? `number ${json}` : jsonWord(text)
  return err(
    `invalid duration ${goQuote(json)}: json: cannot unmarshal ${word} into Go value of type time.Duration`,
  )
}

/** The struct that has a field. */
function structAt(path: string): string {
  const holders = path.split('.').slice(0, -1)
  return holders.reduce((struct, step) => {
    const type = configurationSchema(struct).fields.get(step)?.type
    return type?.kind === 'struct' ? type.name : struct
  }, kind)
}

/** The first error in the order of the fields ends the decoding. */
function durationsOf(value: JsonObject): Result<Durations, string> {
  const found = new Map<string, number>()
  const fields = Object.keys(value)
  const inOrder = Object.entries(durations)
    .map(([path, type]) => ({ path, type, steps: path.split('.') }))
    .toSorted((a, b) => fields.indexOf(a.steps[0] ?? '') - fields.indexOf(b.steps[0] ?? ''))
  for (const { path, type, steps } of inOrder) {
    const holder = steps.slice(0, -1).reduce(objectAt, value)
    const written = ownField(holder, steps.at(-1) ?? '')
    if (written === undefined || (written === null && type !== 'value')) continue
    const ns = durationOf(written, path, type)
    if (!ns.ok) return ns
    found.set(path, ns.value)
  }
  return ok(found)
}

/** The decoded fields with the kubelet's defaults: zero is unset, except in pointers. */
class Fields {
  readonly object: JsonObject
  readonly #durations: Durations

  constructor(object: JsonObject, times: Durations) {
    this.object = object
    this.#durations = times
  }

  /** Of a field that is no pointer. */
  number(name: string, initial: number): number {
    const value = numberAt(this.object, name) ?? 0
    return value === 0 ? initial : value
  }

  pointer(name: string, initial: number): number {
    return numberAt(this.object, name) ?? initial
  }

  /** ms; undefined if unset or zero. */
  ms(path: string): number | undefined {
    const ns = this.#durations.get(path) ?? 0
    return ns === 0 ? undefined : ns / 1e6
  }

  get taints(): readonly JsonObject[] {
    const list = this.object['registerWithTaints']
    return Array.isArray(list) ? list.filter(isJsonObject) : []
  }

  get hasCrashLoopGate(): boolean {
    return objectAt(this.object, 'featureGates')[crashLoopGate] === true
  }

  get hasImageAgeGate(): boolean {
    return objectAt(this.object, 'featureGates')[imageAgeGate] !== false
  }

  /** Serialized unless several at once are asked for. */
  get serializesPulls(): boolean {
    const given = this.object['serializeImagePulls']
    return typeof given === 'boolean' ? given : this.pointer('maxParallelImagePulls', 1) < 2
  }

  /** ms; zero counts here, because the field is a pointer. */
  get restartPeriodMs(): number | undefined {
    const ns = this.#durations.get('crashLoopBackOff.maxContainerRestartPeriod')
    return ns === undefined ? undefined : ns / 1e6
  }
}

const effects: readonly unknown[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute', '']

function taintProblems(taint: JsonObject): readonly string[] {
  const [key, value, effect] = [
    textAt(taint, 'key'),
    textAt(taint, 'value'),
    textAt(taint, 'effect'),
  ]
  const time = textAt(taint, 'timeAdded')
  const isValid =
    qualifiedNameProblems(key).length === 0 &&
    labelValueProblems(value).length === 0 &&
    effects.includes(effect)
  return [
    ...(isValid ? [] : [`invalid taint: {${key} ${value} ${effect} ${time || '<nil>'}}`]),
    ...(time === '' ? [] : ['invalid configuration: taint.TimeAdded is not nil']),
  ]
}

/** The list is validated because it excludes the two periods. */
function shutdownOf(fields: Fields): NodeShutdownConfig {
  const listed = fields.object['shutdownGracePeriodByPodPriority']
  return {
    shutdownGracePeriodMs: fields.ms('shutdownGracePeriod') ?? 0,
    shutdownGracePeriodCriticalPodsMs: fields.ms('shutdownGracePeriodCriticalPods') ?? 0,
    shutdownGracePeriodByPodPriority: (Array.isArray(listed) ? listed : []).map(() => ({
      priority: 0,
      shutdownGracePeriodSeconds: 0,
    })),
  }
}

function textsAt(object: JsonObject, field: string): readonly string[] {
  return listAt(object, field).filter((item) => typeof item === 'string')
}

/** With the defaults of a kubelet: any hard threshold replaces them all, unless they are to be merged. */
function thresholdConfigOf(object: JsonObject): ThresholdConfig {
  const statements = (field: string): Statements =>
    Object.fromEntries(
      Object.entries(objectAt(object, field)).map(([signal, value]) => [signal, String(value)]),
    )
  const hard = statements('evictionHard')
  const isMerged = object['mergeDefaultEvictionSettings'] === true
  const hasHard = isJsonObject(object['evictionHard'])
  return {
    evictionHard: !hasHard || isMerged ? { ...defaultEvictionHard, ...hard } : hard,
    evictionSoft: statements('evictionSoft'),
    evictionSoftGracePeriod: statements('evictionSoftGracePeriod'),
    evictionMinimumReclaim: statements('evictionMinimumReclaim'),
    enforcesPods: enforcedOf(object).includes('pods'),
  }
}

/** enforceNodeAllocatable. */
function enforcedOf(object: JsonObject): readonly string[] {
  return Array.isArray(object['enforceNodeAllocatable'])
    ? textsAt(object, 'enforceNodeAllocatable')
    : ['pods']
}

/** Only a kubelet that makes cgroups for pods can enforce something for all of them. */
function enforcementProblems({ object }: Fields): readonly string[] {
  if (object['cgroupsPerQOS'] !== false) return []
  return enforcedOf(object)
    .filter((one) => one !== 'none')
    .map(
      (one) =>
        `invalid configuration: cgroupsPerQOS (--cgroups-per-qos) must be set to true when ${goQuote(one)} contained in enforceNodeAllocatable (--enforce-node-allocatable)`,
    )
}

function restartPeriodProblem(fields: Fields): string | undefined {
  const ms = fields.restartPeriodMs
  if (ms === undefined) return undefined
  if (!fields.hasCrashLoopGate)
    return `invalid configuration: FeatureGate ${crashLoopGate} not enabled, CrashLoopBackOff.MaxContainerRestartPeriod must not be set`
  const whole = Math.trunc(ms)
  return whole >= 1000 && whole <= 300_000
    ? undefined
    : `invalid configuration: CrashLoopBackOff.MaxContainerRestartPeriod (got: ${ms / 1000} seconds) must be set between 1s and 300s`
}

function imageProblems(fields: Fields): readonly string[] {
  const { high, low, minAgeMs, maxAgeMs } = imageGcOf(fields)
  const isPercent = (percent: number): boolean => percent >= 0 && percent <= 100
  const highName = 'imageGCHighThresholdPercent (--image-gc-high-threshold)'
  const lowName = 'imageGCLowThresholdPercent (--image-gc-low-threshold)'
  const problems: readonly (readonly [boolean, string])[] = [
    [!isPercent(high), `${highName} ${high} must be between 0 and 100, inclusive`],
    [!isPercent(low), `${lowName} ${low} must be between 0 and 100, inclusive`],
    [low >= high, `${lowName} ${low} must be less than ${highName} ${high}`],
    [
      maxAgeMs !== 0 && !fields.hasImageAgeGate,
      'ImageMaximumGCAge feature gate is required for Kubelet configuration option imageMaximumGCAge',
    ],
    [maxAgeMs < 0, `imageMaximumGCAge ${formatDuration(maxAgeMs)} must not be negative`],
    [
      maxAgeMs > 0 && maxAgeMs <= minAgeMs,
      `imageMaximumGCAge ${formatDuration(maxAgeMs)} must be greater than imageMinimumGCAge ${formatDuration(minAgeMs)}`,
    ],
  ]
  return problems.flatMap(([isWrong, text]) => (isWrong ? [`invalid configuration: ${text}`] : []))
}

function imageGcOf(fields: Fields): {
  readonly high: number
  readonly low: number
  readonly minAgeMs: number
  readonly maxAgeMs: number
} {
  const initial = defaultKubeletSettings
  return {
    high: fields.pointer('imageGCHighThresholdPercent', initial.imageGCHighThresholdPercent),
    low: fields.pointer('imageGCLowThresholdPercent', initial.imageGCLowThresholdPercent),
    minAgeMs: fields.ms('imageMinimumGCAge') ?? initial.imageMinimumGCAgeMs,
    maxAgeMs: fields.ms('imageMaximumGCAge') ?? 0,
  }
}

function pullProblems(fields: Fields): readonly string[] {
  const most = fields.pointer('maxParallelImagePulls', 1)
  const invalid = 'invalid configuration: maxParallelImagePulls'
  return [
    ...(most < 1 ? [`${invalid} ${most} must be a positive number`] : []),
    ...(fields.serializesPulls && most > 1
      ? [
          `${invalid} cannot be larger than 1 unless SerializeImagePulls (--serialize-image-pulls) is set to false`,
        ]
      : []),
  ]
}

function nodeImagesProblems(fields: Fields): readonly string[] {
  const most = fields.pointer('nodeStatusMaxImages', 0)
  return most < -1
    ? [
        `invalid configuration: nodeStatusMaxImages (--node-status-max-images) ${most} must be -1 or greater`,
      ]
    : []
}

/** In the kubelet's order and words (validation.ValidateKubeletConfiguration; NewMainKubelet for syncFrequency). */
function validationProblems(fields: Fields): readonly string[] {
  const negative = (name: string, flag: string): readonly string[] => {
    const value = fields.number(name, 0)
    return value < 0
      ? [`invalid configuration: ${name} (--${flag}) ${value} must not be a negative number`]
      : []
  }
  const restartPeriod = restartPeriodProblem(fields)
  const problems = [
    ...(fields.number('nodeLeaseDurationSeconds', 40) < 0
      ? ['invalid configuration: nodeLeaseDurationSeconds must be greater than 0']
      : []),
    ...negative('eventBurst', 'event-burst'),
    ...negative('eventRecordQPS', 'event-qps'),
    ...imageProblems(fields),
    ...nodeImagesProblems(fields),
    ...negative('maxPods', 'max-pods'),
    ...negative('registryBurst', 'registry-burst'),
    ...negative('registryPullQPS', 'registry-qps'),
    ...pullProblems(fields),
    ...fields.taints.flatMap(taintProblems),
    ...nodeShutdownConfigProblems(shutdownOf(fields)),
    ...enforcementProblems(fields),
    ...(restartPeriod === undefined ? [] : [restartPeriod]),
  ]
  if (problems.length > 0) return problems
  // The kubelet finds these later.
  const syncMs = fields.ms('syncFrequency') ?? 0
  if (syncMs < 0) return [`invalid sync frequency ${syncMs * 1e6}`]
  const thresholds = parseThresholdConfig(thresholdConfigOf(fields.object))
  return thresholds.ok ? [] : [thresholds.error]
}

function settingsOf(fields: Fields): KubeletSettings {
  const initial = defaultKubeletSettings
  const updateMs = fields.ms('nodeStatusUpdateFrequency')
  const imageGc = imageGcOf(fields)
  return {
    syncFrequencyMs: fields.ms('syncFrequency') ?? initial.syncFrequencyMs,
    fileCheckFrequencyMs: fields.ms('fileCheckFrequency') ?? initial.fileCheckFrequencyMs,
    nodeStatusUpdateFrequencyMs: updateMs ?? initial.nodeStatusUpdateFrequencyMs,
    nodeStatusReportFrequencyMs:
      fields.ms('nodeStatusReportFrequency') ?? updateMs ?? initial.nodeStatusReportFrequencyMs,
    nodeLeaseDurationSeconds: fields.number(
      'nodeLeaseDurationSeconds',
      initial.nodeLeaseDurationSeconds,
    ),
    nodeStatusMaxImages: fields.pointer('nodeStatusMaxImages', initial.nodeStatusMaxImages),
    eventRecordQPS: fields.pointer('eventRecordQPS', initial.eventRecordQPS),
    eventBurst: fields.number('eventBurst', initial.eventBurst),
    registryPullQPS: fields.pointer('registryPullQPS', initial.registryPullQPS),
    registryBurst: fields.number('registryBurst', initial.registryBurst),
    serializeImagePulls: fields.serializesPulls,
    maxParallelImagePulls: numberAt(fields.object, 'maxParallelImagePulls'),
    imageMinimumGCAgeMs: imageGc.minAgeMs,
    imageMaximumGCAgeMs: imageGc.maxAgeMs,
    imageGCHighThresholdPercent: imageGc.high,
    imageGCLowThresholdPercent: imageGc.low,
    registerNode: fields.object['registerNode'] !== false,
    ...podSettingsOf(fields),
    maxContainerRestartPeriodMs: fields.restartPeriodMs ?? initial.maxContainerRestartPeriodMs,
    shutdownGracePeriodMs: fields.ms('shutdownGracePeriod') ?? 0,
    shutdownGracePeriodCriticalPodsMs: fields.ms('shutdownGracePeriodCriticalPods') ?? 0,
    eviction: evictionOf(fields),
  }
}

function evictionOf(fields: Fields): EvictionSettings {
  const initial = defaultEvictionSettings
  // Validated.
  const thresholds = parseThresholdConfig(thresholdConfigOf(fields.object))
  return {
    thresholds: thresholds.ok ? thresholds.value : [],
    pressureTransitionPeriodMs:
      fields.ms('evictionPressureTransitionPeriod') ?? initial.pressureTransitionPeriodMs,
    maxPodGracePeriodSeconds: fields.number('evictionMaxPodGracePeriod', 0),
    kernelMemcgNotification: fields.object['kernelMemcgNotification'] === true,
    localStorageCapacityIsolation: fields.object['localStorageCapacityIsolation'] !== false,
    isConfigured: ['evictionHard', 'evictionSoft'].some((field) =>
      isJsonObject(fields.object[field]),
    ),
  }
}

/** What a pod's config for the runtime has from the configuration. */
function podSettingsOf({
  object,
}: Fields): Pick<KubeletSettings, 'cgroupsPerQOS' | 'clusterDNS' | 'clusterDomain'> {
  const servers = textsAt(object, 'clusterDNS')
  const clusterDomain = textAt(object, 'clusterDomain')
  return {
    cgroupsPerQOS: object['cgroupsPerQOS'] !== false,
    // A kubelet leaves out what is no address (NewMainKubelet).
    ...(servers.length === 0 ? {} : { clusterDNS: servers.filter((server) => isIP(server) !== 0) }),
    ...(clusterDomain === '' ? {} : { clusterDomain }),
  }
}

function configurationOf(fields: Fields): Omit<KubeletConfiguration, 'completed'> {
  const { object } = fields
  const headers = Object.entries(objectAt(object, 'staticPodURLHeader'))
  return {
    staticPodPath: textAt(object, 'staticPodPath'),
    staticPodURL: textAt(object, 'staticPodURL'),
    staticPodURLHeader: headers.flatMap(([name, values]) =>
      (Array.isArray(values) ? values : []).map((value) => ({ name, value: String(value) })),
    ),
    httpCheckFrequencyMs: fields.ms('httpCheckFrequency') ?? 20_000,
    maxPods: fields.number('maxPods', defaultMaxPods),
    // Validated.
    registerWithTaints: fields.taints as readonly object[] as readonly Taint[],
    settings: settingsOf(fields),
  }
}

const shortestMs = 100

/** Values that a kubelet takes, panics on or turns into a busy loop. */
function unsupportedValues({
  settings,
  httpCheckFrequencyMs,
  maxPods,
}: KubeletConfiguration): readonly string[] {
  const periods = {
    syncFrequency: settings.syncFrequencyMs,
    fileCheckFrequency: settings.fileCheckFrequencyMs,
    httpCheckFrequency: httpCheckFrequencyMs,
    nodeStatusUpdateFrequency: settings.nodeStatusUpdateFrequencyMs,
    nodeStatusReportFrequency: settings.nodeStatusReportFrequencyMs,
  }
  const tooShort = Object.entries(periods)
    .filter(([, ms]) => ms < shortestMs)
    .map(([name]) => `${name} must be at least ${shortestMs}ms here.`)
  return maxPods > mostPods ? [...tooShort, `maxPods must be at most ${mostPods} here.`] : tooShort
}

/** One sentence, if the file does not decode strictly. */
function strictNotes(errors: readonly string[]): readonly string[] {
  if (errors.length === 0) return []
  const listed = errors.map((error) => error.replace(/\.$/, '')).join('; ')
  return [`${kind}: using lenient decoding as strict decoding failed: ${listed}.`]
}

/** One sentence for each field that is set and not acted on. */
function withoutEffect(object: JsonObject, isServed: boolean): readonly string[] {
  const gates = Object.keys(objectAt(object, 'featureGates'))
    .filter((gate) => gate !== crashLoopGate && gate !== imageAgeGate)
    .map((gate) => `featureGates.${gate}`)
  return Object.keys(object)
    .filter((field) => !actingFields.has(field) && !(isServed && servingFields.has(field)))
    .flatMap((field) => (field === 'featureGates' ? gates : [field]))
    .map((field) => `${kind}: ${field} has no effect here.`)
}
