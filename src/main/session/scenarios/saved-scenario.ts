import { stringify } from 'yaml'
import { formatDuration } from '../../../shared/go/duration.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { defined, isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { behaviorPrefix } from '../../../shared/simulated-behavior.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { PresentSandbox } from '../cluster/open-cluster.ts'
import { readScenario, scenarioVersion } from './read-scenario.ts'
import { leftOutObjects, savedObjects } from './saved-objects.ts'
import { podKeyOf } from './scenario.ts'

/** What the user says about it. */
export interface ScenarioAbout {
  readonly name: string
  readonly title: string
  readonly sentence: string
}

/** A kubelet and the node lifecycle controller set these themselves. */
const ownLabels =
  /^(beta\.)?kubernetes\.io\/|^node\.kubernetes\.io\/|^nodescope\.dev\/|^topology\.kubernetes\.io\//
const ownTaints = /^node\.kubernetes\.io\//

function nodeOf(
  present: PresentSandbox,
  { name, capacity }: PresentSandbox['nodes'][number],
): JsonObject {
  const node = present.objects.find(
    ({ resource, object }) => resource === 'nodes' && object.metadata.name === name,
  )?.object
  const labels = Object.fromEntries(
    Object.entries(node?.metadata.labels ?? {}).filter(([key]) => !ownLabels.test(key)),
  )
  const taints = taintsOf(node)
  const manifests = present.manifests
    .filter((manifest) => manifest.node === name)
    .map(({ file, text }) => ({ file, text }))
  return {
    name,
    ...defined({
      labels: Object.keys(labels).length === 0 ? undefined : labels,
      taints: taints.length === 0 ? undefined : taints,
      capacity,
      manifests: manifests.length === 0 ? undefined : manifests,
    }),
  }
}

function specOf(object: KubeObject | undefined): JsonObject {
  // Objects of the API are JSON.
  return objectAt((object ?? {}) as JsonObject, 'spec')
}

function taintsOf(node: KubeObject | undefined): readonly JsonObject[] {
  return objectsAt(specOf(node), 'taints')
    .filter((taint) => !ownTaints.test(textAt(taint, 'key')))
    .map(({ key, value, effect }) => defined({ key, value, effect }))
}

/** Nodes are cordoned by an act: the kubelet registers them without it. */
function cordons(present: PresentSandbox): readonly JsonObject[] {
  return present.objects
    .filter(
      ({ resource, object }) => resource === 'nodes' && specOf(object)['unschedulable'] === true,
    )
    .map(({ object }) => ({ cordon: { node: object.metadata.name } }))
}

/** What runs now has started before the faults: it gets this time to start again. */
const beforeFaultsMs = 30_000

function faultSteps({ faults }: PresentSandbox): readonly JsonObject[] {
  return faults.length === 0 ? [] : [{ run: formatDuration(beforeFaultsMs) }, { faultsOn: faults }]
}

/** Takes the annotations that containers follow out of the pods. */
function splitBehavior(objects: readonly JsonObject[]): {
  readonly objects: readonly JsonObject[]
  readonly behavior: JsonObject
} {
  const behavior: Record<string, JsonObject> = {}
  const plain = objects.map((object) => {
    const metadata = objectAt(object, 'metadata')
    const { annotations } = metadata
    if (object['kind'] !== 'Pod' || !isJsonObject(annotations)) return object
    const isOwn = ([name]: readonly [string, unknown]): boolean => name.startsWith(behaviorPrefix)
    const own = Object.entries(annotations).filter(isOwn)
    if (own.length === 0) return object
    behavior[podKeyOf(object)] = Object.fromEntries(own)
    const others = Object.entries(annotations).filter((one) => !isOwn(one))
    const { annotations: _annotations, ...rest } = metadata
    const kept = others.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(others) }
    return { ...object, metadata: kept }
  })
  return { objects: plain, behavior }
}

/** What a reader of the file would miss; empty: nothing. */
function leftOutNote({ objects }: PresentSandbox): string {
  const lines = [...leftOutObjects(objects)].map(([kind, count]) => `#   ${kind}: ${count}\n`)
  if (lines.length === 0) return ''
  return `# Not in this file, because their definitions serve no version (an export has them):\n${lines.join('')}`
}

/** The present state of a sandbox as the text of a scenario. Error: a sentence. */
export function savedScenario(
  present: PresentSandbox,
  about: ScenarioAbout,
): Result<string, string> {
  const { name, title, sentence } = about
  const { objects, behavior } = splitBehavior(savedObjects(present.objects))
  const steps = [...cordons(present), ...faultSteps(present)]
  const startAt = present.now - (present.faults.length === 0 ? 0 : beforeFaultsMs)
  const { paused, speed } = present.clock
  const scenario = {
    apiVersion: scenarioVersion,
    kind: 'Scenario',
    metadata: {
      name,
      ...(title === '' ? {} : { title }),
      ...(sentence === '' ? {} : { description: sentence }),
    },
    spec: {
      seed: present.seed,
      clock: { startAt: new Date(startAt).toISOString(), paused, speed },
      nodes: present.nodes.map((node) => nodeOf(present, node)),
      ...(objects.length === 0 ? {} : { objects }),
      ...(Object.keys(behavior).length === 0 ? {} : { behavior }),
      ...(steps.length === 0 ? {} : { steps }),
    },
  }
  const yaml = stringify(scenario, { lineWidth: 0, version: '1.1', aliasDuplicateObjects: false })
  const text = leftOutNote(present) + yaml
  const read = readScenario(`${name}.yaml`, text)
  return read.ok ? ok(text) : err(`The scenario cannot be saved: ${read.error}`)
}
