import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { parsersInPlace } from '../../parsing/kubernetes-text.ts'
import { fakeSessionConfig } from '../fake-session-config.ts'
import { startSession } from '../start-session.ts'
import { readScenario } from './read-scenario.ts'
import { scenarioObjects } from './scenario.ts'

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

  const bad: readonly (readonly [string, string])[] = [
    ['', 'f.yaml:1: There is no scenario in it.'],
    [
      'kind: State',
      'f.yaml:1:7: This is a state file. Open it with --import, or with Import in the menu.',
    ],
    ['- a', 'f.yaml:1:1: This is no map of fields.'],
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
      'f.yaml:7:31: spec.objects[0].kind needs a kind that the sandbox has, not v1 Ship.',
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
        exitCode: 1,
        message: expect.stringContaining(
          'bad.yaml:7:7: The scenario lesson stopped: spec.objects[0] is refused: Pod "web" is invalid: spec.containers[0].image: Required value',
        ),
      },
    })
  })
})
