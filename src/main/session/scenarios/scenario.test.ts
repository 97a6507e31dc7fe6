import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import schema from '../../nodes/control/control.schema.json'
import { listAt, objectAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { nodeActs } from '../../../shared/model/node-act.ts'
import { gotchaCategories } from '../../../shared/model/scenarios/gotcha.ts'
import { stepActNames } from './scenario-step.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { parsersInPlace } from '../../parsing/kubernetes-text.ts'
import { fakeSessionConfig } from '../fake-session-config.ts'
import { startSession } from '../start-session.ts'
import { readScenario } from './read-scenario.ts'
import { scenarioObjects } from './scenario.ts'
import { readScenarioFile } from './start-scenario.ts'

const repository = join(import.meta.dirname, '../../../..')

const head = `apiVersion: nodescope.dev/v1alpha1
kind: Scenario
metadata:
  name: lesson
`
const pod = `    - apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec: { containers: [{ name: c, image: nginx }] }
`

function steps(step: string): string {
  return `${head}spec:\n  steps:\n    - ${step}\n`
}

/** Values of an enumeration of the schema. */
function enumerated(definition: JsonObject, ...path: readonly string[]): readonly unknown[] {
  return listAt(path.reduce(objectAt, definition), 'enum')
}

// In two parts: the handbook's own test finds each citation of a section that does not exist.
const noSection = ['none', 'here'].join('#')

describe('the schema', () => {
  const { step, scenario } = schema.$defs

  it('has the acts of steps, of nodes, and the categories of gotchas', () => {
    const acts = Object.keys(step.properties)
    expect(acts.toSorted()).toEqual(['say', 'refused', ...stepActNames].toSorted())
    expect(enumerated(step, 'properties', 'node', 'properties', 'act')).toEqual(
      nodeActs.filter((act) => act !== 'failCall'),
    )
    expect(
      enumerated(scenario, 'properties', 'spec', 'properties', 'gotcha', 'properties', 'category'),
    ).toEqual(gotchaCategories)
  })
})

describe('readScenario', () => {
  it('gives the pods their behavior', () => {
    const scenario = readScenario(
      'f.yaml',
      `${head}spec:\n  objects:\n${pod}  behavior:\n    default/web: { example.com/a: '1' }\n`,
    )
    if (!scenario.ok) throw new Error(scenario.error)
    expect(scenarioObjects(scenario.value.scenario)).toMatchObject([
      { metadata: { name: 'web', annotations: { 'example.com/a': '1' } } },
    ])
  })

  it('says why its file cannot be read', async () => {
    expect(await readScenarioFile('/nonexistent')).toEqual({
      ok: false,
      error: 'The scenario /nonexistent cannot be read: it does not exist.',
    })
  })

  const bad: readonly (readonly [string, string])[] = [
    ['', 'f.yaml:1: There is no scenario in it.'],
    [
      'kind: State',
      'f.yaml:1:7: This is a state file. Open it with --import, or with Import in the menu.',
    ],
    ['- a', 'f.yaml:1:1: This is not a map of fields.'],
    [head, 'f.yaml:1:1: spec is missing.'],
    [`${head}spec: {}\n---\nkind: Pod\n`, 'f.yaml:7:1: A scenario file has one document.'],
    [
      `${head}spec:\n  speed: 2\n`,
      'f.yaml:6:10: spec.speed is not known: spec has seed, clock, nodes, objects, behavior, faults, steps, stopAt, lookAt, next, show, gotcha.',
    ],
    [
      `${head}spec:\n  clock:\n    speed: fast\n`,
      'f.yaml:7:12: spec.clock.speed needs a number, not a text.',
    ],
    [
      `${head}spec:\n  clock:\n    startAt: '2026-99-01T00:00:00Z'\n`,
      'f.yaml:7:14: spec.clock.startAt is no date.',
    ],
    [
      `${head}spec:\n  nodes:\n    - name: a\n    - name: a\n`,
      'f.yaml:8:13: spec.nodes[1].name is there twice: a.',
    ],
    [`${head}spec:\n  nodes: []\n`, 'f.yaml:6:10: spec.nodes needs at least 1 item.'],
    [
      `${head}spec:\n  nodes:\n    - name: a\n      manifests:\n        - { file: ../x.yaml, content: {} }\n`,
      'spec.nodes[0].manifests[0].file needs a file name that does not begin with a dot, not "../x.yaml".',
    ],
    [
      `${head}spec:\n  objects:\n    - { apiVersion: v1, kind: Ship, metadata: {} }\n`,
      'f.yaml:7:31: spec.objects[0].kind needs a kind that the sandbox or a definition of the file has, not v1 Ship.',
    ],
    [
      `${head}spec:\n  behavior:\n    default/web: { a: b }\n`,
      'f.yaml:7:18: spec.behavior has default/web, which is no pod of spec.objects or spec.steps.',
    ],
    [
      `${head}spec:\n  faults:\n    - { type: CutOff, node: b }\n`,
      'f.yaml:7:29: spec.faults[0].node needs one of scope-node-1, not b.',
    ],
    [
      `${head}spec:\n  stopAt: { after: 1m, until: { resource: pod/a, for: create } }\n`,
      'f.yaml:6:11: spec.stopAt needs exactly one of after, until.',
    ],
    [`${head}spec: {}\nspec: {}\n`, 'f.yaml:6:1: This field stands there twice'],
    [
      head.replace('v1alpha1', 'v2'),
      'f.yaml:1:13: This scenario is of nodescope.dev/v2, and this version of Nodescope reads nodescope.dev/v1alpha1. Open it with a newer Nodescope.',
    ],
    [`${head}spec:\n\tnodes: []\n`, 'f.yaml:6:1: This is not valid YAML'],
    [`{"apiVersion": "nodescope.dev/v1alpha1",`, 'f.yaml:1:41: This is not valid JSON'],
    [
      `${head.replace('lesson', 'My Lesson')}spec: {}\n`,
      'f.yaml:4:9: metadata.name needs a name of',
    ],
    [
      steps('{ run: soon }'),
      'f.yaml:7:14: spec.steps[0].run needs a duration such as 30s, 5m or 1h30m, not "soon".',
    ],
    [steps('{ run: 2000h }'), 'f.yaml:7:14: spec.steps[0].run is at most 1000h.'],
    [
      steps('{ run: 1s, cordon: { node: scope-node-1 } }'),
      'f.yaml:7:7: spec.steps[0] has cordon and run: a step has one act.',
    ],
    [steps('{}'), 'f.yaml:7:7: spec.steps[0] needs say or one of create, apply,'],
    [
      steps('{ jump: 1 }'),
      'f.yaml:7:15: spec.steps[0].jump is not known: spec.steps[0] has say, create, apply,',
    ],
    [
      steps('{ until: [{ pod: web, status: Running, machine: on }] }'),
      'spec.steps[0].until[0].machine is not known',
    ],
    [
      steps('{ until: [{ pod: web, for: create }] }'),
      'f.yaml:7:34: spec.steps[0].until[0].for has no effect on a pod.',
    ],
    [
      steps('{ until: [{ resource: ship/web, for: create }] }'),
      'f.yaml:7:29: spec.steps[0].until[0].resource needs a type that the sandbox has, not ship.',
    ],
    [
      steps('{ until: [{ resource: pod/web }] }'),
      'f.yaml:7:17: spec.steps[0].until[0] needs for, as in kubectl wait --for.',
    ],
    [
      steps('{ until: [{ status: Running }] }'),
      'f.yaml:7:17: spec.steps[0].until[0] needs one of resource, pod, node.',
    ],
    [steps('{ until: [] }'), 'f.yaml:7:16: spec.steps[0].until needs at least 1 item.'],
    [
      steps('{ node: { act: explode } }'),
      'f.yaml:7:22: spec.steps[0].node.act needs one of restartAgent,',
    ],
    [
      steps('{ drain: { node: other } }'),
      'f.yaml:7:24: spec.steps[0].drain.node needs one of scope-node-1, not other.',
    ],
    [
      steps('{ patch: { resource: ship/web, patch: {} } }'),
      'f.yaml:7:28: spec.steps[0].patch.resource needs a type that the sandbox has, not ship.',
    ],
    [
      steps('{ create: { apiVersion: v1, kind: Ship, metadata: {} } }'),
      'f.yaml:7:41: spec.steps[0].create.kind needs a kind that the sandbox or a definition of the file has, not v1 Ship.',
    ],
    [
      steps('{ manifest: { file: web.yaml } }'),
      'f.yaml:7:19: spec.steps[0].manifest needs one of content, text.',
    ],
    [
      steps('{ faultsOn: [{ type: Latency }] }'),
      'f.yaml:7:20: spec.steps[0].faultsOn[0].latency is missing: Latency needs it.',
    ],
    [
      steps('{ run: 1s, refused: no way }'),
      'f.yaml:7:27: spec.steps[0].refused has no effect without an act that can be refused.',
    ],
    [
      `${head}spec:\n  nodes:\n    - { name: a, capacity: { cpu: 2 } }\n`,
      'f.yaml:7:35: spec.nodes[0].capacity.cpu needs a text, not a number.',
    ],
    [
      `${head}spec:\n  nodes:\n    - { name: a, taints: [{ key: a, effect: Never }] }\n`,
      'spec.nodes[0].taints[0].effect needs one of NoSchedule,',
    ],
    [`${head}spec:\n  show: { node: scope-node-1 }\n`, 'f.yaml:6:9: spec.show needs pod.'],
    [
      `${head}spec:\n  gotcha: { category: Restarts, confusion: a, truth: b, sections: [${noSection}] }\n`,
      `f.yaml:6:68: spec.gotcha.sections[0] is no section of the handbook: ${noSection}.`,
    ],
  ]
  it.each(bad)('refuses %j', (text, sentence) => {
    const scenario = readScenario('f.yaml', text)
    expect(scenario).toMatchObject({ ok: false, error: expect.stringContaining(sentence) })
  })
})

describe('a session with a scenario', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nodescope-scenario-'))
  })
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  function start(scenarioPath: string) {
    const kubeconfigPath = join(folder, 'kubeconfig')
    return startSession(
      fakeSessionConfig({
        cluster: { kind: 'sandbox', port: null, kubeconfigPath, scenarioPath },
        manifestsPath: join(folder, 'manifests'),
        dataFolder: folder,
      }),
      {
        log: new FakeLog(),
        assets: { list: () => Promise.resolve([]), readText: () => Promise.resolve('') },
        parsers: parsersInPlace,
        host: 'web',
        printLine: () => undefined,
        environment: {},
      },
    )
  }

  it.each(['missed-leases.yaml'])('comes to the moment of the shipped %s', async (name) => {
    const started = await start(join(repository, 'scenarios', name))
    if (!started.ok) throw new Error(started.error.message)
    const page = started.value.channel.connect(() => undefined)
    const { clusters } = await page.request('view.open', {})
    await started.value.stop()
    expect(clusters[0]?.clock).toMatchObject({ paused: true })
    expect(clusters[0]?.nodes.map((node) => node.name)).toEqual(['node-a', 'node-b'])
    expect(await readdir(join(folder, 'scenario'))).toEqual(['node-a', 'node-b'])
    expect(await readFile(join(folder, 'scenario/node-b/agent.yaml'), 'utf8')).toContain(
      'name: agent',
    )
  })

  it('says which object the server refuses, and stops', async () => {
    const path = join(folder, 'bad.yaml')
    await writeFile(path, `${head}spec:\n  objects:\n${pod.replace('image: nginx', "image: ''")}`)
    const started = await start(path)
    expect(started).toMatchObject({
      ok: false,
      error: {
        exitCode: 2,
        message: expect.stringContaining(
          'bad.yaml:7:7: The scenario lesson stopped: spec.objects[0] is refused: Pod "web" is invalid: spec.containers[0].image: Required value',
        ),
      },
    })
  })
})
