import { join } from 'node:path'
import { enums } from '../../../src/main/cri/cri-schema.ts'
import type { ContainerConfig, PodSandboxConfig } from '../../../src/main/kubelet/ports.ts'
import { equalJson, isJsonObject } from '../../../src/shared/json.ts'
import type { RuntimeCall } from '../cri/recorded-runtime.ts'

/** By the call that had it: `CreateContainer c, attempt 0`. */
type Configs = Readonly<Record<string, unknown>>

/** By the pod's name. */
export type PodConfigs = Readonly<Record<string, Configs>>

const uidPattern =
  /(?<![\da-f])(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]{32})(?![\da-f])/g
/** Of Services and pods; those of the node and of loopback are below them. */
export const addressPattern = /(?<![\d.])(10\.96|127\.(6[4-9]|[7-9]\d|1\d\d))\.\d+\.\d+\b/g
const timePattern = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

const targetPattern = /"targetId":"[\da-f]{64}"/g

/** A time with as many digits as it had. */
function withoutTime(text: string): string {
  return text.replaceAll(timePattern, (_time, fraction: string | undefined) =>
    fraction === undefined ? 'a time' : 'a time with a fraction',
  )
}

/** Where they come from decides how a path begins: the kubelet's folders, then the node's. */
function withoutFolders(text: string, folder: string): string {
  const named = { 'the root folder': ['root', 'kubelet'], 'the log folder': ['pod-logs'] }
  let result = text
  for (const [name, folders] of Object.entries(named))
    for (const one of folders) result = result.replaceAll(join(folder, one), name)
  return result.replaceAll(folder, 'the folder')
}

/** The file of a termination message has a random name. */
function withoutRandomNames(text: string): string {
  return text.replaceAll(/(\/containers\/[^/"]+\/)[\da-f]{8}\b/g, '$1a random name')
}

/** Variables come out of a map, and sizes of huge pages out of a folder. */
function withSortedLists(config: PodSandboxConfig | ContainerConfig): unknown {
  if (!('envs' in config)) return config
  const { linux = {} } = config
  const limits = linux.resources?.hugepageLimits ?? []
  const hugepageLimits = limits.toSorted((a, b) => (a.pageSize < b.pageSize ? -1 : 1))
  return {
    ...config,
    envs: config.envs.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    linux: { ...linux, resources: { ...linux.resources, hugepageLimits } },
  }
}

/** Where protobuf has a message around the number, so that zero is not the same as nothing. */
const numbersWithZero: ReadonlySet<string> = new Set(['runAsUser', 'runAsGroup'])
const firstValues: ReadonlySet<unknown> = new Set(Object.values(enums).map(([first]) => first))
const enumFields = /^(protocol|propagation|network|pid|ipc|profileType|supplementalGroupsPolicy)$/

/** What protobuf does not send, or need not send. */
function isZero(name: string, value: unknown): boolean {
  if (value === 0) return !numbersWithZero.has(name)
  if (value === false || value === '') return true
  if (enumFields.test(name) && firstValues.has(value)) return true
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function withoutZeros(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutZeros)
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).map(([name, field]) => [name, withoutZeros(field)] as const)
  return Object.fromEntries(kept.filter(([name, field]) => !isZero(name, field)))
}

function normalForm(config: PodSandboxConfig | ContainerConfig, folder: string): unknown {
  const text = JSON.stringify(withSortedLists(config))
    .replaceAll(uidPattern, 'a uid')
    .replaceAll(addressPattern, 'an address')
    .replaceAll(targetPattern, '"targetId":"a container"')
  return withoutZeros(JSON.parse(withoutRandomNames(withoutFolders(withoutTime(text), folder))))
}

/**
 * The configs that a runtime got for the pods of one namespace, without what differs in every run. `folder` is the
 * node's. Configs of one call that differ are a list.
 */
export function podConfigs(
  calls: readonly RuntimeCall[],
  namespace: string,
  folder: string,
): PodConfigs {
  const found: Record<string, Record<string, unknown[]>> = {}
  for (const { call, pod, config, namespace: its } of calls) {
    if (its !== namespace || config === undefined) continue
    const attempt = 'metadata' in config ? `, attempt ${config.metadata.attempt}` : ''
    const all = ((found[pod] ??= {})[`${call}${attempt}`] ??= [])
    const one = normalForm(config, folder)
    if (!all.some((known) => equalJson(known, one))) all.push(one)
  }
  return found
}

/** Of two: the calls that both have. After its cut a scenario's time decides how often containers restart. */
export function commonConfigs(one: PodConfigs, other: PodConfigs): PodConfigs {
  return Object.fromEntries(
    Object.entries(one).map(([pod, configs]) => [
      pod,
      Object.fromEntries(Object.entries(configs).filter(([call]) => call in (other[pod] ?? {}))),
    ]),
  )
}
