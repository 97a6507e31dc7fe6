import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { objectAt, textAt } from '../../../shared/json.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import { FakeOperator } from './fake-operator.ts'
import { readScenario } from './read-scenario.ts'
import { openScenarioCluster } from './scenario-cluster.ts'
import { saveScenario } from './save-scenario.ts'

let folder: string
const open: OpenSandbox[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-saved-'))
})

afterEach(async () => {
  for (const cluster of open.splice(0)) await cluster.stop()
  await rm(folder, { recursive: true, force: true })
})

async function opened(id: string, text: string): Promise<OpenSandbox> {
  const read = readScenario('f.yaml', text)
  if (!read.ok) throw new Error(read.error)
  const started = await openScenarioCluster(id, read.value, {
    folder,
    version: '0.0.0',
    log: new FakeLog(),
  })
  if (!started.ok) throw new Error(started.error)
  open.push(started.value)
  return started.value
}

const text = `apiVersion: nodescope.dev/v1alpha1
kind: Scenario
metadata: { name: first }
spec:
  seed: 7
  clock: { startAt: 2026-01-01T08:00:00Z, paused: true, speed: 10 }
  nodes:
    - name: node-a
      labels: { disk: fast }
      taints: [{ key: team, value: shop, effect: PreferNoSchedule }]
      capacity: { cpu: '2', pods: '20' }
      manifests:
        - file: agent.yaml
          text: |
            # kept as it is
            apiVersion: v1
            kind: Pod
            metadata: { name: agent }
            spec: { containers: [{ name: c, image: busybox, command: [sleep, infinity] }] }
    - name: node-b
  objects:
    - { apiVersion: v1, kind: Namespace, metadata: { name: shop } }
    - { apiVersion: v1, kind: Secret, metadata: { name: login, namespace: shop }, stringData: { a: b } }
    - apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, namespace: shop }
      spec:
        replicas: 2
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: c, image: nginx }] }
    - apiVersion: v1
      kind: Service
      metadata: { name: web, namespace: shop }
      spec: { selector: { app: web }, ports: [{ port: 80 }] }
    - apiVersion: batch/v1
      kind: Job
      metadata: { name: once }
      spec:
        template:
          spec: { restartPolicy: Never, containers: [{ name: c, image: busybox, command: [sleep, '900'] }] }
    - apiVersion: v1
      kind: Pod
      metadata: { name: hungry }
      spec: { containers: [{ name: c, image: busybox, command: [sleep, infinity] }] }
  behavior:
    default/hungry: { simulated.nodescope.dev/memory: 20Mi }
  steps:
    - { run: 30s }
    - { cordon: { node: node-b } }
    - { faultsOn: [{ type: ClockSkew, node: node-b, skew: 90s }] }
    - { until: [{ pod: hungry, status: Running }, { pod: agent-node-a, status: Running }] }
`

async function save(cluster: OpenSandbox): Promise<string> {
  const about = { name: 'second', title: 'A title', sentence: 'A sentence.' }
  const saved = await saveScenario(cluster.present, about, undefined)
  if (!saved.ok) throw new Error(saved.error.message)
  return saved.value.text
}

function pods(cluster: OpenSandbox): readonly string[] {
  return new FakeOperator(cluster)
    .rows()
    .map(({ name, namespace, status }) => {
      // Names of replicas end in random letters.
      const stem = name.replace(/^(web|once)-.*$/, '$1')
      return `${namespace}/${stem} ${status}`
    })
    .toSorted()
}

it('opens as the same situation: nodes, manifests, objects, behavior, faults, clock', async () => {
  const first = await opened('first', text)
  const written = await save(first)
  const read = readScenario('second.yaml', written)
  if (!read.ok) throw new Error(read.error)
  const { metadata, spec } = read.value.scenario
  expect(metadata).toEqual({ name: 'second', title: 'A title', description: 'A sentence.' })
  expect(spec.nodes).toEqual([
    {
      name: 'node-a',
      labels: { disk: 'fast' },
      taints: [{ key: 'team', value: 'shop', effect: 'PreferNoSchedule' }],
      capacity: { cpu: '2', pods: '20' },
      manifests: [{ file: 'agent.yaml', text: expect.stringContaining('# kept as it is') }],
    },
    { name: 'node-b' },
  ])
  expect(
    spec.objects?.map(
      (one) => `${textAt(one, 'kind')} ${textAt(objectAt(one, 'metadata'), 'name')}`,
    ),
  ).toEqual([
    'Namespace shop',
    'Secret login',
    'Service web',
    'Deployment web',
    'Job once',
    'Pod hungry',
  ])
  expect(written).not.toMatch(/uid|resourceVersion|managedFields|kube-api-access|status:/)
  expect(spec).toMatchObject({
    seed: 7,
    clock: {
      startAt: new Date(first.virtualClock.now() - 30_000).toISOString(),
      paused: true,
      speed: 10,
    },
    behavior: { 'default/hungry': { 'simulated.nodescope.dev/memory': '20Mi' } },
    steps: [
      { cordon: { node: 'node-b' } },
      { run: '30s' },
      { faultsOn: [{ type: 'ClockSkew', node: 'node-b', skew: '1m30s' }] },
    ],
  })
  const second = await opened('second', written)
  await new FakeOperator(second).until('all run again', () => {
    return JSON.stringify(pods(second)) === JSON.stringify(pods(first))
  })
  expect(pods(second)).toContain('shop/web Running')
})

const bare = text.replace(/ {2}objects:[^]*/, '')

const definition = `    - apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: widgets.example.com }
      spec:
        group: example.com
        scope: Namespaced
        names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
        versions:
          - name: v1
            served: true
            storage: true
            schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`

const objectsOfCustomKinds = `${definition}    - { apiVersion: example.com/v1, kind: Widget, metadata: { name: a }, spec: { size: 3 } }
  steps:
    - { create: { apiVersion: example.com/v1, kind: Widget, metadata: { name: b } } }
    - { patch: { resource: widget/b, type: merge, patch: { spec: { size: 4 } } } }
    - { until: [{ resource: widgets.example.com/b, for: 'jsonpath={.spec.size}=4' }] }
`

it('objects of custom kinds are opened and saved, with their definitions before them', async () => {
  const first = await opened('first', `${bare}  objects:\n${objectsOfCustomKinds}`)
  const second = await opened('second', await save(first))
  const path = '/apis/example.com/v1/namespaces/default/widgets'
  const listed = await second.adminTransport.send({ method: 'GET', path })
  expect(listed).toMatchObject({
    status: 200,
    body: {
      items: [
        { metadata: { name: 'a' }, spec: { size: 3 } },
        { metadata: { name: 'b' }, spec: { size: 4 } },
      ],
    },
  })
})

it('says how many objects are not saved since their definition serves no version', async () => {
  const cluster = await opened('first', `${bare}  objects:\n${objectsOfCustomKinds}`)
  const unserved = await cluster.adminTransport.send({
    method: 'PATCH',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com',
    headers: { 'content-type': 'application/json-patch+json' },
    body: [{ op: 'replace', path: '/spec/versions/0/served', value: false }],
  })
  expect(unserved.status).toBe(200)
  const written = await save(cluster)
  expect(written.split('\n').slice(0, 3)).toEqual([
    '# Not in this file, because their definitions serve no version (an export has them):',
    '#   widgets.example.com: 2',
    'apiVersion: nodescope.dev/v1alpha1',
  ])
  await opened('second', written)
})

it('a kind that neither the sandbox nor a definition of the file has is refused', () => {
  const object = '    - { apiVersion: example.com/v1, kind: Gadget, metadata: { name: a } }\n'
  const read = readScenario('f.yaml', `${bare}  objects:\n${definition}${object}`)
  expect(read).toMatchObject({
    ok: false,
    error: expect.stringContaining(
      'spec.objects[1].kind needs a kind that the sandbox or a definition of the file has, not example.com/v1 Gadget',
    ),
  })
})

it('says that a host could not write the file, and keeps what is there', async () => {
  const cluster = await opened('first', bare)
  const about = { name: 'second', title: '', sentence: '' }
  const full = () =>
    Promise.resolve({ ok: false, error: '/x cannot be written, the disk is full.' } as const)
  expect(await saveScenario(cluster.present, about, full)).toEqual({
    ok: false,
    error: { kind: 'failed', message: '/x cannot be written, the disk is full.' },
  })
  const canceled = () => Promise.resolve({ ok: true, value: undefined } as const)
  expect(await saveScenario(cluster.present, about, canceled)).toMatchObject({
    ok: true,
    value: { file: { kind: 'canceled' } },
  })
})
