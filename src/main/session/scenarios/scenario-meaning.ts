import type { JsonObject } from '../../../shared/json.ts'
import { listAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { SchemaProblem } from '../../../shared/json-schema.ts'
import { anchors } from '../../../shared/handbook/anchors.ts'
import { parseDuration } from '../../../shared/go/duration.ts'
import { readFaults } from '../../nodes/control/faults.ts'
import { resourceNamed } from '../../nodes/control/wait-condition.ts'
import type { ResourceType } from '../../sandbox/registry/resource-type.ts'
import { resourceTypes } from '../../sandbox/registry/resource-types.ts'
import { nodesOf, podKeyOf, typeOfObject } from './scenario.ts'
import type { Scenario } from './scenario.ts'
import { stepActNames } from './scenario-step.ts'
import type { ScenarioStep, StepCondition } from './scenario-step.ts'

type Problem = SchemaProblem | undefined

/** The longest time that one step or the moment may take, on the sandbox's clock. */
const longestMs = 1000 * 3_600_000

function at(field: string, words: string): SchemaProblem {
  return { field, message: `${field} ${words}.` }
}

function first<T>(items: readonly T[], find: (item: T, index: number) => Problem): Problem {
  for (const [index, item] of items.entries()) {
    const problem = find(item, index)
    if (problem !== undefined) return problem
  }
  return undefined
}

function durationProblem(field: string, text: string | undefined): Problem {
  return (parseDuration(text ?? '') ?? 0) > longestMs ? at(field, 'is at most 1000h') : undefined
}

function nodesProblem(scenario: Scenario): Problem {
  const nodes = nodesOf(scenario)
  const names = nodes.map(({ name }) => name)
  return first(nodes, ({ name, manifests = [] }, index) => {
    const field = `spec.nodes[${index}]`
    if (names.indexOf(name) !== index) return at(`${field}.name`, `is there twice: ${name}`)
    const files = manifests.map(({ file }) => file)
    return first(manifests, (manifest, number) => {
      const inside = `${field}.manifests[${number}]`
      if (files.indexOf(manifest.file) !== number)
        return at(`${inside}.file`, `is there twice: ${manifest.file}`)
      return manifestProblem(inside, manifest)
    })
  })
}

function manifestProblem(field: string, manifest: object): Problem {
  return 'content' in manifest === 'text' in manifest
    ? at(field, 'needs one of content, text')
    : undefined
}

type Type = Pick<ResourceType, 'group' | 'version' | 'kind' | 'plural' | 'singular' | 'shortNames'>

/** All objects that a scenario creates. */
function objectsOf({ spec: { objects = [], steps = [] } }: Scenario): readonly JsonObject[] {
  const created = steps.flatMap(({ create, apply }): readonly JsonObject[] =>
    [create, apply].filter((object) => object !== undefined),
  )
  return [...objects, ...created]
}

/** The types that the definitions of the file add to those of the sandbox. */
function typesWith(scenario: Scenario): readonly Type[] {
  const custom = objectsOf(scenario)
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .flatMap((definition) => {
      const spec = objectAt(definition, 'spec')
      const names = objectAt(spec, 'names')
      const kind = textAt(names, 'kind')
      return objectsAt(spec, 'versions').map((version) => ({
        group: textAt(spec, 'group'),
        version: textAt(version, 'name'),
        kind,
        plural: textAt(names, 'plural'),
        singular: textAt(names, 'singular') || kind.toLowerCase(),
        shortNames: listAt(names, 'shortNames').map(String),
      }))
    })
  return [...resourceTypes, ...custom]
}

function objectProblem(field: string, object: JsonObject, types: readonly Type[]): Problem {
  const kind = `${textAt(object, 'apiVersion')} ${textAt(object, 'kind')}`
  return typeOfObject(object, types) === undefined
    ? at(
        `${field}.kind`,
        `needs a kind that the sandbox or a definition of the file has, not ${kind}`,
      )
    : undefined
}

function behaviorProblem(scenario: Scenario): Problem {
  const { behavior = {} } = scenario.spec
  const isPod = ({ kind }: JsonObject): boolean => kind === 'Pod'
  const pods = new Set(objectsOf(scenario).filter(isPod).map(podKeyOf))
  const unknown = Object.keys(behavior).find((pod) => !pods.has(pod))
  if (unknown === undefined) return undefined
  const message = `spec.behavior has ${unknown}, which is no pod of spec.objects or spec.steps.`
  return { field: `spec.behavior[${unknown}]`, message }
}

const ofApi: readonly string[] = ['resource', 'for', 'namespace', 'timeout']
const ofNode: readonly string[] = ['node', 'status', 'kubelet', 'powered', 'timeout']
const notOfPod: readonly string[] = ['resource', 'for', 'kubelet', 'powered']

/** What a scenario may name. */
interface Known {
  readonly nodes: readonly string[]
  readonly types: readonly Type[]
}

/** Which fields go together: those of an object, of a pod, or of a node. */
function conditionProblem(
  field: string,
  condition: StepCondition,
  { nodes, types }: Known,
): Problem {
  const given = Object.keys(condition)
  const extra = (words: string, isOwn: (name: string) => boolean): Problem => {
    const other = given.find((name) => !isOwn(name))
    return other === undefined ? undefined : at(`${field}.${other}`, `has no effect on ${words}`)
  }
  const late = durationProblem(`${field}.timeout`, condition.timeout)
  if (late !== undefined) return late
  if ('resource' in condition) {
    const kind = condition.resource.split('/')[0] ?? ''
    if (resourceNamed(kind, types) === undefined)
      return at(`${field}.resource`, `needs a type that the sandbox has, not ${kind}`)
    if (!given.includes('for')) return at(field, 'needs for, as in kubectl wait --for')
    return extra('an object of the API', (name) => ofApi.includes(name))
  }
  const node = 'node' in condition ? condition.node : undefined
  if (node !== undefined && !nodes.includes(node))
    return at(`${field}.node`, `needs one of ${nodes.join(', ')}, not ${node}`)
  if ('pod' in condition) return extra('a pod', (name) => !notOfPod.includes(name))
  if (node === undefined) return at(field, 'needs one of resource, pod, node')
  return extra('a node', (name) => ofNode.includes(name))
}

/** Of the acts whose node the schema cannot check. */
function nodeOfAct(step: ScenarioStep): readonly (readonly [string, string | undefined])[] {
  return [
    ['manifest.node', step.manifest?.node],
    ['removeManifest.node', step.removeManifest?.node],
    ['kill.node', step.kill?.node],
    ['evict.node', step.evict?.node],
    ['restartContainer.node', step.restartContainer?.node],
    ['node.name', step.node?.name],
    ['cordon.node', step.cordon?.node],
    ['uncordon.node', step.uncordon?.node],
    ['drain.node', step.drain?.node],
  ]
}

function stepProblem(field: string, step: ScenarioStep, known: Known): Problem {
  const { nodes } = known
  const acts = stepActNames.filter((name) => step[name] !== undefined)
  if (acts.length > 1) return at(field, `has ${acts.join(' and ')}: a step has one act`)
  const [act] = acts
  if (act === undefined && step.say === undefined)
    return at(field, `needs say or one of ${stepActNames.join(', ')}`)
  const neverRefused = ['run', 'until', 'faultsOff', undefined]
  if (step.refused !== undefined && neverRefused.includes(act))
    return at(`${field}.refused`, 'has no effect without an act that can be refused')
  const unknown = nodeOfAct(step).find(([, node]) => node !== undefined && !nodes.includes(node))
  if (unknown !== undefined)
    return at(`${field}.${unknown[0]}`, `needs one of ${nodes.join(', ')}, not ${unknown[1]}`)
  return partsProblem(field, step, known)
}

function partsProblem(field: string, step: ScenarioStep, known: Known): Problem {
  const { nodes, types } = known
  const { create, apply, manifest, faultsOn, until = [], patch } = step
  for (const [name, target] of [
    ['patch', patch],
    ['delete', step.delete],
  ] as const) {
    const kind = target?.resource.split('/')[0] ?? ''
    if (target !== undefined && resourceNamed(kind, types) === undefined)
      return at(`${field}.${name}.resource`, `needs a type that the sandbox has, not ${kind}`)
  }
  const faults = faultsOn && readFaults(faultsOn, `${field}.faultsOn`, nodes)
  if (faults?.ok === false) return faults.error
  return (
    (create && objectProblem(`${field}.create`, create, types)) ??
    (apply && objectProblem(`${field}.apply`, apply, types)) ??
    (manifest && manifestProblem(`${field}.manifest`, manifest)) ??
    durationProblem(`${field}.run`, step.run) ??
    durationProblem(`${field}.drain.timeout`, step.drain?.timeout) ??
    first(until, (one, index) => conditionProblem(`${field}.until[${index}]`, one, known))
  )
}

/** What the schema cannot say. */
export function meaningProblem(scenario: Scenario): Problem {
  const { objects = [], faults = [], steps = [], clock, stopAt, show, gotcha } = scenario.spec
  const nodes = nodesOf(scenario).map(({ name }) => name)
  const known = { nodes, types: typesWith(scenario) }
  const read = readFaults(faults, 'spec.faults', nodes)
  const { startAt } = clock ?? {}
  const isNoDate = startAt !== undefined && Number.isNaN(Date.parse(startAt))
  return (
    nodesProblem(scenario) ??
    first(objects, (object, index) =>
      objectProblem(`spec.objects[${index}]`, object, known.types),
    ) ??
    behaviorProblem(scenario) ??
    (isNoDate ? at('spec.clock.startAt', 'is no date') : undefined) ??
    (read.ok ? undefined : read.error) ??
    first(steps, (step, index) => stepProblem(`spec.steps[${index}]`, step, known)) ??
    durationProblem('spec.stopAt.after', stopAt?.after) ??
    (stopAt?.until && conditionProblem('spec.stopAt.until', stopAt.until, known)) ??
    (show === undefined || 'pod' in show ? undefined : at('spec.show', 'needs pod')) ??
    (show && conditionProblem('spec.show', show, known)) ??
    first(gotcha?.sections ?? [], (section, index) =>
      section in anchors
        ? undefined
        : at(`spec.gotcha.sections[${index}]`, `is no section of the handbook: ${section}`),
    )
  )
}
