import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/shared/json.ts'
import type { Container } from '../../src/shared/kubernetes/objects.ts'
import { lossDifferences } from '../../src/shared/model/loss/loss-differences.ts'
import { lossWays } from '../../src/shared/model/loss/loss.ts'
import type { LossResult, LossWay } from '../../src/shared/model/loss/loss.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { Losses } from '../../src/main/session/loss/losses.ts'
import { createObject } from '../../src/main/session/scenarios/send-objects.ts'
import { ActScenario } from './act-scenario.ts'

const image = 'busybox:1.36'

function shell(name: string, script: string): Container {
  return { name, image, command: ['sh', '-c', script] }
}

const handles = shell('handles', "trap 'exit 0' TERM; while true; do sleep 1; done")
const fails = shell('fails', "trap 'exit 3' TERM; while true; do sleep 1; done")
const ignores: Container = { name: 'ignores', image, command: ['sleep', '1000000'] }
const everything = [{ operator: 'Exists' }]

interface Lost {
  readonly title: string
  readonly objects: readonly JsonObject[]
}

// JSON of the API.
function pod(spec: object, metadata: object = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'subject', namespace: 'default', ...metadata },
    spec: { nodeName: 'n', ...spec },
  }
}

const labels = { app: 'subject' }

function owner(apiVersion: string, kind: string, spec: object, template: object): JsonObject {
  return {
    apiVersion,
    kind,
    metadata: { name: 'subject', namespace: 'default' },
    spec: {
      selector: { matchLabels: labels },
      ...spec,
      template: { metadata: { labels }, spec: template },
    },
  }
}

function budget(spec: object): JsonObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'guard', namespace: 'default' },
    spec: { selector: { matchLabels: labels }, ...spec },
  }
}

const pods: readonly Lost[] = [
  { title: 'a pod that handles SIGTERM', objects: [pod({ containers: [handles] })] },
  {
    title: 'a pod that is killed after its grace',
    objects: [pod({ containers: [ignores], terminationGracePeriodSeconds: 40 })],
  },
  { title: 'two containers, one of which fails', objects: [pod({ containers: [handles, fails] })] },
  {
    title: 'a pod that tolerates every taint',
    objects: [pod({ containers: [ignores], tolerations: everything })],
  },
  {
    title: 'a pod that tolerates the taint for 45 s',
    objects: [
      pod({
        containers: [handles],
        tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 45 }],
      }),
    ],
  },
  {
    title: 'a pod with a finalizer',
    objects: [pod({ containers: [handles] }, { finalizers: ['example.com/keep'] })],
  },
  {
    title: 'a critical pod',
    objects: [
      pod(
        { containers: [handles], priorityClassName: 'system-cluster-critical' },
        { namespace: 'kube-system' },
      ),
    ],
  },
  {
    title: 'a pod that is critical for its node',
    objects: [
      pod(
        { containers: [handles], priorityClassName: 'system-node-critical' },
        { namespace: 'kube-system' },
      ),
    ],
  },
  {
    title: 'a pod with a budget that allows no disruption',
    objects: [pod({ containers: [handles] }, { labels }), budget({ minAvailable: 1 })],
  },
  {
    title: 'one of three pods of a Deployment with a budget that allows one',
    objects: [
      owner('apps/v1', 'Deployment', { replicas: 3 }, { containers: [handles] }),
      budget({ minAvailable: 2 }),
    ],
  },
  {
    title: 'a pod of a StatefulSet',
    objects: [
      owner('apps/v1', 'StatefulSet', { replicas: 2, serviceName: 's' }, { containers: [fails] }),
    ],
  },
  {
    title: 'a pod of a DaemonSet',
    objects: [owner('apps/v1', 'DaemonSet', {}, { containers: [ignores] })],
  },
  {
    title: 'a pod of a DaemonSet that tolerates every taint',
    objects: [
      owner('apps/v1', 'DaemonSet', {}, { containers: [handles], tolerations: everything }),
    ],
  },
  {
    title: 'a pod of a Job',
    objects: [
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'subject', namespace: 'default' },
        spec: { template: { spec: { containers: [ignores], restartPolicy: 'Never' } } },
      },
    ],
  },
]

const open: ActScenario[] = []

afterEach(() => {
  for (const scenario of open.splice(0)) scenario.cluster.stop()
})

async function lossesOf({ objects }: Lost): Promise<{ losses: Losses; key: string }> {
  const scenario = await ActScenario.open()
  open.push(scenario)
  const { cluster, session } = scenario
  const { sandbox } = cluster
  for (const object of objects)
    expect(await createObject({ adminTransport: cluster, sandbox }, object)).toBe('')
  await scenario.seconds(30)
  const present = () =>
    Promise.resolve({
      ...cluster.sandbox.server.objects(),
      now: scenario.now,
      seed: 7,
      nodes: [{ name: 'n' }],
      faults: [],
      clock: { paused: true, speed: 1 },
      manifests: [],
    })
  const losses = new Losses({ session, present, log: new FakeLog() })
  const row = session.rows().find(({ name }) => name.startsWith('subject'))
  return { losses, key: row?.key ?? '' }
}

async function rehearse(lost: Lost, way: LossWay): Promise<LossResult> {
  const { losses, key } = await lossesOf(lost)
  const done = await losses.rehearse(key, way)
  if (!done.ok) throw new Error(done.error.message)
  return done.value
}

describe.each(pods)('$title', (lost) => {
  it.each(lossWays)('is lost as it was forecast: %s', async (way) => {
    const result = await rehearse(lost, way)
    expect({ differences: lossDifferences(result.forecast, result), result }).toMatchObject({
      differences: [],
    })
  })

  it('is forecast for the pod itself as for its copy', async () => {
    const { losses, key } = await lossesOf(lost)
    const forecast = losses.forecast(key)
    const copied = await Promise.all(lossWays.map((way) => losses.rehearse(key, way)))
    expect(copied.map((one) => (one.ok ? one.value.forecast : one.error))).toEqual(
      forecast.ok ? forecast.value : forecast.error,
    )
  })
})
