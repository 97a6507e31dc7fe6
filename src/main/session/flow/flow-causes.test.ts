import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { flowArrow } from '../../../shared/model/flow.ts'
import type { FlowArrow } from '../../../shared/model/flow-arrows.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import { FakeOperator } from '../scenarios/fake-operator.ts'
import type { PodManifest } from '../scenarios/fake-pod-manifest.ts'
import { readScenario } from '../scenarios/read-scenario.ts'
import { openScenarioCluster } from '../scenarios/scenario-cluster.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'

let folder: string
let started: Started | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-flow-'))
})

afterEach(async () => {
  await started?.cluster.stop()
  started = undefined
  await rm(folder, { recursive: true, force: true })
})

interface Started {
  readonly cluster: OpenSandbox
  readonly sandbox: FakeOperator
}

const nodeA = 'node-a'
const settings =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { color: blue }'

/** A sandbox in which the script has run. */
async function run(script: (sandbox: FakeOperator) => Promise<void>): Promise<Started> {
  const text = `apiVersion: nodescope.dev/v1alpha1
kind: Scenario
metadata: { name: flow }
spec:
  nodes: [{ name: ${nodeA} }]
  clock: { paused: true }
  steps: [{ until: [{ node: ${nodeA}, status: Ready }] }]
`
  const read = readScenario('flow.yaml', text)
  if (!read.ok) throw new Error(read.error)
  const opened = await openScenarioCluster('flow', read.value, {
    folder,
    version: '0.0.0',
    log: new FakeLog(),
  })
  if (!opened.ok) throw new Error(opened.error)
  const sandbox = new FakeOperator(opened.value)
  started = { cluster: opened.value, sandbox }
  await script(sandbox)
  return started
}

/** The arrows of a followed cause, each once, in the order in which they were first taken. */
function arrowsOf({ cluster }: Started, cause: RegExp): readonly FlowArrow[] {
  const roots = cluster.session.flow(nodeA)?.roots ?? []
  const root = roots.find(({ text }) => cause.test(text))
  if (root === undefined) throw new Error(`no cause ${cause} among ${JSON.stringify(roots)}`)
  const { events = [] } = cluster.queries.related(root.seq) ?? {}
  const effects = events.filter(({ seq }) => seq >= root.seq)
  return [...new Set(effects.flatMap((event) => flowArrow(event) ?? []))]
}

it('leads from a failed liveness probe to the end of the container and its next start', async () => {
  const pod: PodManifest = {
    name: 'web',
    graceSeconds: 1,
    containerFields: {
      livenessProbe: { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 3 },
    },
  }
  const done = await run(async (sandbox) => {
    await sandbox.createPod(pod)
    await sandbox.until('it is restarted', () =>
      sandbox.has('web', { restarts: 1, status: 'Running' }),
    )
  })
  expect(arrowsOf(done, /^liveness failure of web$/)).toEqual([
    'runtime-prober',
    'prober-syncLoop',
    'syncLoop-podWorkers',
    'podWorkers-runtime-stop',
    'imageManager-podWorkers',
    'podWorkers-runtime-start',
    'runtime-pleg',
    'pleg-syncLoop',
    'podWorkers-statusManager',
  ])
})

it('leads from a ConfigMap that arrives to the mount of its volume and the start', async () => {
  const pod: PodManifest = {
    name: 'web',
    volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
    containerFields: { volumeMounts: [{ name: 'settings', mountPath: '/config' }] },
  }
  const done = await run(async (sandbox) => {
    await sandbox.createPod(pod)
    await sandbox.advance(20_000)
    await sandbox.create(settings)
    await sandbox.untilRunning('web')
  })
  expect(arrowsOf(done, /configmap/)).toEqual([
    'apiServer-volumeManager',
    'volumeManager-podWorkers',
    'podWorkers-runtime-start',
    'imageManager-runtime',
    'runtime-pleg',
    'pleg-syncLoop',
    'syncLoop-podWorkers',
    'imageManager-podWorkers',
    'podWorkers-statusManager',
  ])
})

it('has what the prober, the volume manager and the image managers hold', async () => {
  const pod: PodManifest = {
    name: 'web',
    volumes: [
      { name: 'settings', configMap: { name: 'settings' } },
      { name: 'cache', emptyDir: {} },
    ],
    containerFields: {
      readinessProbe: { exec: { command: ['false'] }, periodSeconds: 5 },
      livenessProbe: { exec: { command: ['true'] }, periodSeconds: 7 },
      volumeMounts: [
        { name: 'settings', mountPath: '/config' },
        { name: 'cache', mountPath: '/cache' },
      ],
    },
  }
  const { cluster, sandbox } = await run(async (script) => {
    await script.createPod(pod)
    await script.createPod({ name: 'late', image: 'app:slow' })
    await script.advance(15_000)
  })
  const flow = () => cluster.session.flow(nodeA)
  // The default service account's token has the ConfigMap of the certificate.
  expect(flow()?.volumes).toMatchObject({
    mounted: 3,
    waiting: 1,
    configMaps: 2,
    secrets: 0,
    objects: ['configmaps default/kube-root-ca.crt', 'configmaps default/settings'],
  })
  expect(flow()?.volumes?.lines[0]).toEqual({
    podName: 'web',
    volume: 'settings',
    plugin: 'kubernetes.io/configmap',
    isMounted: false,
  })
  expect(flow()?.images?.pulling).toEqual(['app:slow'])
  expect(flow()?.prober?.workers).toBe(0)
  await sandbox.create(settings)
  await sandbox.untilRunning('web')
  await sandbox.advance(5 * 60_000)
  expect(flow()?.volumes).toMatchObject({ mounted: 4, waiting: 0 })
  expect(flow()?.images).toMatchObject({ pulling: [], unused: 0 })
  expect(
    flow()
      ?.images?.lines.map(({ name, isUsed }) => [name, isUsed])
      .toSorted(),
  ).toEqual([
    ['docker.io/library/app:slow', true],
    ['docker.io/library/busybox:1.36', true],
    ['registry.k8s.io/pause:3.10', true],
  ])
  expect(flow()?.prober).toMatchObject({ workers: 2, failing: 1 })
  expect(flow()?.prober?.lines.map(({ type, result }) => [type, result])).toEqual([
    ['readiness', 'failure'],
    ['liveness', 'success'],
  ])
})
