import type { ScenarioSource } from '../model/scenarios/scenario.ts'
import type { KubeconfigSource } from '../model/seen/kubeconfigs.ts'
import { seenNodeActs } from '../model/seen/drain.ts'
import { nodeRowsActs } from '../model/forecast/rows-forecast.ts'
import { lossWays } from '../model/loss/loss.ts'
import { nodeActs } from '../model/node-act.ts'
import { cascades, ownerActs } from '../model/workloads/owner-act.ts'
import { faultFields } from '../model/node/fault.ts'
import type { Fault, FaultType } from '../model/node/fault.ts'
import type { CallFault } from '../model/node/node-faults.ts'
import { runtimeCallNames } from '../model/node/node-faults.ts'
import { maxTerminalInput } from '../model/terminal.ts'
import { behaviorNames } from '../simulated-behavior.ts'
import type { Result } from '../result.ts'
import { err, ok } from '../result.ts'
import type { RequestName, Requests } from './contract.ts'
import {
  clockSpeeds,
  maxFactsKeys,
  maxGraceSeconds,
  maxKeyLength,
  maxKubeconfigLength,
  maxLogDetail,
  maxLogFiles,
  maxLogLines,
  maxLogMessage,
  maxLogPiece,
  maxManifestLength,
  maxScenarioLength,
  maxVariableName,
} from './limits.ts'

/** A checked request: the name decides the type of the arguments. */
export type GuardedRequest = {
  readonly [K in RequestName]: { readonly name: K; readonly args: Requests[K]['args'] }
}[RequestName]

type Check<T> = (value: unknown, where: string) => Result<T, string>

type Shape<T> = { readonly [K in keyof T]: Check<T[K]> }

const maxNameLength = 253
/** Linux' own. */
const maxPathLength = 4096
/** More than any valid value of an annotation has. */
/** The API's own: spec.replicas is an int32. */
const maxReplicas = 2 ** 31 - 1
const maxBehaviorLength = 200

function text(maxLength: number, minLength = 1): Check<string> {
  return (value, where) => {
    if (typeof value !== 'string') return err(`${where} must be a string`)
    if (value.length < minLength) return err(`${where} must not be empty`)
    if (value.length > maxLength) return err(`${where} is longer than ${maxLength} characters`)
    return ok(value)
  }
}

function integer(max: number): Check<number> {
  return (value, where) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max
      ? ok(value)
      : err(`${where} must be a whole number from 0 to ${max}`)
}

function between({ min, max }: { readonly min: number; readonly max: number }): Check<number> {
  return (value, where) =>
    typeof value === 'number' && value >= min && value <= max
      ? ok(value)
      : err(`${where} must be a number from ${min} to ${max}`)
}

const boolean: Check<boolean> = (value, where) =>
  typeof value === 'boolean' ? ok(value) : err(`${where} must be true or false`)

function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, where) => (value === null ? ok(null) : check(value, where))
}

function oneOf<T extends string>(...words: readonly T[]): Check<T> {
  return (value, where) => {
    const word = words.find((each) => each === value)
    return word === undefined ? err(`${where} must be one of ${words.join(', ')}`) : ok(word)
  }
}

function listOf<T>(check: Check<T>, maxItems: number): Check<readonly T[]> {
  return (value, where) => {
    if (!Array.isArray(value)) return err(`${where} must be a list`)
    if (value.length === 0) return err(`${where} must not be empty`)
    if (value.length > maxItems) return err(`${where} has more than ${maxItems} items`)
    const items: T[] = []
    // By index, so that nothing but the items is used.
    for (let index = 0; index < value.length; index++) {
      const item = check(value[index], `${where}[${index}]`)
      if (!item.ok) return item
      items.push(item.value)
    }
    return ok(items)
  }
}

/** Only a bare object: nothing inherited, no accessors, so that what was checked is what is used. */
function isBareObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Copies the known fields into a new object; anything else in `value` is an error. */
function object<T extends object>(shape: Shape<T>): Check<T> {
  const names = Object.keys(shape) as (keyof T & string)[] // keys of a literal written below
  return (value, where) => {
    if (!isBareObject(value)) return err(`${where} must be an object`)
    for (const key of Reflect.ownKeys(value)) {
      if (typeof key === 'symbol' || !Object.hasOwn(shape, key))
        return err(`${where} has an unknown field ${String(key).slice(0, 80)}`)
    }
    const copy: Partial<T> = {}
    for (const name of names) {
      const property = Object.getOwnPropertyDescriptor(value, name)
      if (property === undefined) return err(`${where} lacks ${name}`)
      const field = shape[name](property.value, name)
      if (!field.ok) return field
      copy[name] = field.value
    }
    return ok(copy as T) // every name of the shape was set above
  }
}

/** There are nine signals. */
const maxTexts = 20

/** Texts by name. */
const texts: Check<Readonly<Record<string, string>>> = (value, where) => {
  if (!isBareObject(value)) return err(`${where} must be an object`)
  const entries = Object.entries(Object.getOwnPropertyDescriptors(value))
  if (entries.length > maxTexts) return err(`${where} has more than ${maxTexts} fields`)
  const copy = new Map<string, string>()
  for (const [key, property] of entries) {
    const field = text(maxNameLength)(property.value, `${where}.${key.slice(0, 80)}`)
    if (!field.ok) return field
    copy.set(key, field.value)
  }
  return ok(Object.fromEntries(copy))
}

const podKey = text(maxKeyLength)
const thresholds = object({
  evictionHard: texts,
  evictionSoft: texts,
  evictionSoftGracePeriod: texts,
  evictionMinimumReclaim: texts,
  evictionPressureTransitionPeriod: text(maxNameLength, 0),
  evictionMaxPodGracePeriod: text(maxNameLength, 0),
})
const grace = orNull(integer(maxGraceSeconds))
const name = text(maxNameLength)
/** SHA-256 as `AB:CD:…`. */
const maxFingerprintLength = 95
const callFault: Check<CallFault> = object({
  call: oneOf(...runtimeCallNames),
  how: oneOf('fails', 'hangs'),
  pod: orNull(object({ namespace: name, name })),
})
const nodeRef = { cluster: name, node: name }
const fileName = text(255)
const wholeNumber = integer(2 ** 53 - 1)
/** Of a log's entries, ms; a text without a year can be of any. */
const time = between({ min: -1e15, max: 1e15 })
/** xterm.js and runtimes take 16 bits. */
const size = { columns: integer(65_535), rows: integer(65_535) }

const filePath = text(4096)
const kubeconfigSources: {
  readonly [K in KubeconfigSource['kind']]: Check<Extract<KubeconfigSource, { kind: K }>>
} = {
  environment: object({ kind: oneOf('environment') }),
  inCluster: object({ kind: oneOf('inCluster') }),
  file: object({ kind: oneOf('file'), path: filePath }),
  text: object({
    kind: oneOf('text'),
    name: text(maxNameLength, 0),
    text: text(maxKubeconfigLength),
  }),
}
const sourceKind = oneOf('environment', 'inCluster', 'file', 'text')

const kubeconfigSource: Check<KubeconfigSource> = (value, where) => {
  const given: unknown = isBareObject(value)
    ? Object.getOwnPropertyDescriptor(value, 'kind')?.value
    : undefined
  const kind = sourceKind(given, `${where}.kind`)
  return kind.ok ? kubeconfigSources[kind.value](value, where) : kind
}

const scenarioSource: Check<ScenarioSource> = (value, where) =>
  isBareObject(value) && Object.hasOwn(value, 'text')
    ? object({ kind: oneOf('text'), name, text: text(maxScenarioLength, 0) })(value, where)
    : object({ kind: oneOf('shipped', 'recent'), name })(value, where)

const seenNodeAct = object({
  ...nodeRef,
  act: oneOf(...seenNodeActs),
  drain: object({
    ignoreDaemonSets: boolean,
    deleteEmptyDirData: boolean,
    force: boolean,
    gracePeriodSeconds: grace,
  }),
})

const ownerAct = object({
  cluster: name,
  owner: name,
  act: oneOf(...ownerActs),
  replicas: integer(maxReplicas),
  revision: wholeNumber,
  cascade: oneOf(...cascades),
})

const nodeTexts = object({ labels: text(maxManifestLength, 0), taints: text(maxManifestLength, 0) })
const nodeEdit = object({ ...nodeRef, before: nodeTexts, after: nodeTexts })

/** Most faults of a plan. */
const maxFaults = 100
const faultValue: Check<unknown> = (value, where) =>
  Array.isArray(value)
    ? listOf(text(maxNameLength), maxFaults)(value, where)
    : typeof value === 'number' && Number.isFinite(value)
      ? ok(value)
      : text(maxBehaviorLength)(value, where)
const faultType = oneOf(...(Object.keys(faultFields) as FaultType[])) // the keys of a literal

/** Its type, and texts, numbers and lists of texts; the fault plan checks which fields it has. */
const fault: Check<Fault> = (value, where) => {
  if (!isBareObject(value)) return err(`${where} must be an object`)
  const fields: Record<string, unknown> = {}
  for (const field of Reflect.ownKeys(value)) {
    if (typeof field !== 'string' || !/^[a-z]{1,20}$/.test(field))
      return err(`${where} has an unknown field ${String(field).slice(0, 80)}`)
    const checked = faultValue(Object.getOwnPropertyDescriptor(value, field)?.value, field)
    if (!checked.ok) return checked
    fields[field] = checked.value
  }
  const type = faultType(fields['type'], 'type')
  return type.ok ? ok({ ...fields, type: type.value }) : type
}

const checks: { readonly [K in RequestName]: Check<Requests[K]['args']> } = {
  'view.open': object({}),
  'view.acknowledge': object({ epoch: name, number: wholeNumber }),
  'pod.watch': object({ key: orNull(podKey) }),
  'pod.describe': object({ key: podKey }),
  'pods.facts': object({ keys: listOf(podKey, maxFactsKeys) }),
  'uid.translate': object({ cluster: name, uid: name }),
  'pod.kill': object({ key: podKey, gracePeriodSeconds: grace }),
  'pod.evictByKubelet': object({ key: podKey }),
  'pod.evictThroughApi': object({ key: podKey, gracePeriodSeconds: grace }),
  'pod.delete': object({ key: podKey, gracePeriodSeconds: grace }),
  'pod.forceDelete': object({ key: podKey }),
  'pod.deleteMirror': object({ key: podKey, force: boolean }),
  'pod.restartContainer': object({ key: podKey, container: name, gracePeriodSeconds: grace }),
  'pod.setBehavior': object({
    key: podKey,
    container: text(maxNameLength, 0),
    name: oneOf(...behaviorNames),
    value: orNull(text(maxBehaviorLength, 0)),
  }),
  'pod.probes': object({ key: podKey }),
  'pod.use': object({ key: podKey }),
  'pod.cgroups': object({ key: podKey }),
  'pod.volumes': object({ key: podKey }),
  'pod.variable': object({ key: podKey, container: name, variable: text(maxVariableName) }),
  'pod.logs': object({
    key: podKey,
    container: name,
    previous: boolean,
    sinceSeconds: orNull(integer(maxGraceSeconds)),
    after: orNull(object({ containerId: name, at: wholeNumber })),
  }),
  'terminal.open': object({
    id: wholeNumber,
    ...size,
    key: podKey,
    container: name,
    command: listOf(text(maxTerminalInput, 0), 100),
  }),
  'terminal.write': object({ id: wholeNumber, text: text(maxTerminalInput, 0) }),
  'terminal.resize': object({ id: wholeNumber, ...size }),
  'terminal.close': object({ id: wholeNumber }),
  'pod.objects': object({ key: podKey }),
  'pod.events': object({ key: podKey }),
  'mirror.history': object({ key: podKey }),
  'flow.watch': object({ node: orNull(object(nodeRef)) }),
  'inspect.watch': object({ node: orNull(object(nodeRef)) }),
  'inspect.acceptCertificate': object({
    ...nodeRef,
    fingerprint: orNull(text(maxFingerprintLength)),
  }),
  'workloads.watch': object({ cluster: orNull(name) }),
  'workloads.verdicts': object({ cluster: name, pod: name }),
  'trace.related': object({ cluster: name, seq: wholeNumber }),
  'clock.pause': object({ cluster: name }),
  'clock.run': object({ cluster: name }),
  'clock.step': object({ cluster: name }),
  'clock.setSpeed': object({ cluster: name, speed: between(clockSpeeds) }),
  'clock.seek': object({ cluster: name, at: between({ min: 0, max: Number.MAX_SAFE_INTEGER }) }),
  'cluster.retry': object({ cluster: name }),
  'cluster.allowChanges': object({ cluster: name }),
  'cluster.endChanges': object({ cluster: name }),
  'kubeconfigs.list': object({}),
  'kubeconfigs.read': object({ source: kubeconfigSource }),
  'kubeconfigs.forget': object({ path: filePath }),
  'cluster.open': object({
    source: kubeconfigSource,
    context: orNull(text(maxManifestLength)),
    confirmedPlugin: orNull(text(maxManifestLength)),
    color: orNull(integer(5)),
  }),
  'cluster.close': object({ cluster: name }),
  'recording.start': object({ cluster: name }),
  'recording.stop': object({ cluster: name }),
  'recording.open': object({ cluster: name }),
  'cluster.checkJoin': object({ cluster: name, node: name, allowSimulated: boolean }),
  'cluster.join': object({ cluster: name, node: name, allowSimulated: boolean }),
  'cluster.leave': object({ cluster: name, deleteNode: boolean }),
  'cluster.rights': object({ cluster: name, namespace: orNull(name) }),
  'cluster.events': object({
    cluster: name,
    node: orNull(name),
    namespace: text(maxNameLength, 0),
    filter: text(maxNameLength, 0),
    onlyWarnings: boolean,
    skip: wholeNumber,
  }),
  'ports.list': object({ key: podKey }),
  'ports.start': object({
    key: podKey,
    port: integer(65_535),
    localPort: integer(65_535),
  }),
  'ports.stop': object({ cluster: name, id: wholeNumber }),
  'cluster.timeline': object({
    cluster: name,
    node: orNull(name),
    from: orNull(time),
    to: orNull(time),
    width: integer(10_000),
    filter: text(maxNameLength, 0),
  }),
  'pod.rehearseEviction': object({ key: podKey, gracePeriodSeconds: grace }),
  'seenNode.forecast': seenNodeAct,
  'seenNode.act': seenNodeAct,
  'seenNode.stopDrain': object(nodeRef),
  'node.thresholds': object(nodeRef),
  'node.checkThresholds': object({ ...nodeRef, texts: thresholds }),
  'node.setThresholds': object({ ...nodeRef, texts: thresholds }),
  'pod.losses': object({ key: podKey }),
  'pod.rehearseLoss': object({ key: podKey, way: oneOf(...lossWays) }),
  'node.pressure': object(nodeRef),
  'node.useOther': object({
    ...nodeRef,
    memoryBytes: orNull(integer(Number.MAX_SAFE_INTEGER)),
    diskBytes: orNull(integer(Number.MAX_SAFE_INTEGER)),
    inodes: orNull(integer(Number.MAX_SAFE_INTEGER)),
    processes: orNull(integer(Number.MAX_SAFE_INTEGER)),
  }),
  'node.cordon': object({ ...nodeRef, act: oneOf(...nodeRowsActs) }),
  'node.act': object({
    ...nodeRef,
    act: oneOf(...nodeActs),
    shutdownGraceSeconds: grace,
    criticalGraceSeconds: grace,
    call: orNull(callFault),
  }),
  'cluster.cutOff': object({ cluster: name }),
  'cluster.reconnect': object({ cluster: name }),
  'nodeEdit.read': object(nodeRef),
  'nodeEdit.forecast': nodeEdit,
  'nodeEdit.act': nodeEdit,
  'faults.list': object({ cluster: name }),
  'faults.set': object({
    cluster: name,
    faults: (value, where) =>
      Array.isArray(value) && value.length === 0 ? ok([]) : listOf(fault, maxFaults)(value, where),
  }),
  'owner.forecast': ownerAct,
  'owner.act': ownerAct,
  'yaml.check': object({ cluster: name, text: text(maxManifestLength, 0) }),
  'yaml.apply': object({
    cluster: name,
    text: text(maxManifestLength, 0),
    dryRun: boolean,
    force: boolean,
  }),
  'gotchas.list': object({}),
  'scenarios.list': object({}),
  'scenario.open': object({ source: scenarioSource }),
  'scenario.close': object({ cluster: name }),
  'scenario.save': object({
    cluster: name,
    name,
    title: text(maxBehaviorLength, 0),
    sentence: text(maxLogMessage, 0),
  }),
  'state.export': object({}),
  'state.reset': object({}),
  'state.import': object({
    name,
    text: text(maxScenarioLength, 0),
    isFirst: boolean,
    isLast: boolean,
  }),
  'manifests.list': object(nodeRef),
  'manifests.read': object({ ...nodeRef, name: fileName }),
  'manifests.check': object({ ...nodeRef, name: fileName, text: text(maxManifestLength, 0) }),
  'manifests.write': object({
    ...nodeRef,
    name: fileName,
    text: text(maxManifestLength, 0),
    create: boolean,
  }),
  'manifests.remove': object({ ...nodeRef, name: fileName }),
  'manifests.undo': object({ ...nodeRef, id: wholeNumber }),
  'manifests.restore': object({ ...nodeRef, name: fileName }),
  'log.list': object({}),
  'log.open': object({ paths: listOf(text(maxPathLength), maxLogFiles) }),
  'log.choose': object({}),
  'log.openJournal': object({}),
  'log.upload': object({
    id: orNull(name),
    name,
    writtenAt: time,
    data: text(maxLogPiece, 0),
    ends: oneOf('nothing', 'part', 'log'),
  }),
  'log.pods': object({
    id: name,
    from: orNull(time),
    to: orNull(time),
    width: integer(10_000),
  }),
  'log.lines': object({
    id: name,
    from: wholeNumber,
    count: integer(maxLogLines),
    pod: orNull(name),
    isBack: boolean,
  }),
  'log.search': object({ id: name, text: text(maxNameLength), from: wholeNumber }),
  'log.follow': object({ id: name, isFollowed: boolean }),
  'log.close': object({ id: name }),
  'log.write': object({
    level: oneOf('warn', 'error'),
    message: text(maxLogMessage, 0),
    detail: text(maxLogDetail, 0),
  }),
}

function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(checks, name)
}

/**
 * Checks whatever a page sends. Returns a request whose arguments are a new object with exactly the contract's
 * fields, or one sentence that says what is wrong. Never throws.
 */
export function guardRequest(name: unknown, args: unknown): Result<GuardedRequest, string> {
  if (typeof name !== 'string') return err('A request needs a name.')
  if (!isRequestName(name)) return err(`There is no request ${JSON.stringify(name.slice(0, 80))}.`)
  const checked = checks[name](args, 'args')
  if (!checked.ok) return err(`The request ${name} is malformed: ${checked.error}.`)
  return ok({ name, args: checked.value } as GuardedRequest) // name and args come from one entry
}
