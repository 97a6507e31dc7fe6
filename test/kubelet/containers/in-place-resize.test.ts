import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject, objectsAt, textAt } from '../../../src/shared/json.ts'
import type {
  KubeObject,
  Pod,
  ResourceRequirements,
} from '../../../src/shared/kubernetes/objects.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { SimulatedRuntime } from '../../../src/main/runtimes/simulated/simulated-runtime.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

const pods = '/api/v1/namespaces/default/pods'

let sandbox: MemorySandbox

beforeEach(() => {
  sandbox = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1'],
    log: new FakeLog(),
    size: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '50Gi' },
  })
  sandbox.start()
})

afterEach(() => {
  sandbox.stop()
})

interface PodParts {
  readonly resizePolicy?: readonly object[]
  readonly annotations?: Readonly<Record<string, string>>
}

async function create(
  name: string,
  resources: ResourceRequirements,
  { resizePolicy, annotations }: PodParts = {},
): Promise<void> {
  const command = ['sleep', '100000']
  const policy = resizePolicy === undefined ? {} : { resizePolicy }
  await sandbox.createPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: '', namespace: 'default', ...(annotations && { annotations }) },
    spec: {
      nodeName: 'n1',
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'c', image: 'busybox:1.36', command, resources, ...policy }],
    },
  })
  await sandbox.clock.advance(30_000)
}

async function read(name: string): Promise<Pod> {
  const answer = await sandbox.request('GET', `${pods}/${name}`)
  if (answer.kind !== 'object') throw new Error('no object')
  // As a KubeObject it has no type of its own.
  return answer.body as unknown as Pod
}

async function resize(name: string, resources: ResourceRequirements) {
  const answer = await sandbox.send({
    method: 'PATCH',
    path: `${pods}/${name}/resize`,
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
    body: { spec: { containers: [{ name: 'c', resources }] } },
  })
  if (answer.kind !== 'object') throw new Error('no object')
  return textAt({ ...(answer.body as KubeObject) }, 'message')
}

function resizeConditions({ status }: Pod): readonly string[] {
  return (status?.conditions ?? [])
    .filter(({ type }) => type.startsWith('PodResize'))
    .map(({ type, reason = '', message = '' }) => [type, reason, message].join(' ').trim())
}

async function eventsOf(name: string, reason: string): Promise<readonly string[]> {
  const answer = await sandbox.request('GET', '/api/v1/namespaces/default/events')
  if (answer.kind !== 'object' || !isJsonObject(answer.body)) throw new Error('no list')
  return objectsAt(answer.body, 'items')
    .filter((event) => textAt(event, 'reason') === reason)
    .filter((event) => textAt({ ...(event['involvedObject'] as object) }, 'name') === name)
    .map((event) => textAt(event, 'message'))
}

async function enforced(): Promise<object | undefined> {
  const runtime = sandbox.node().runtime as SimulatedRuntime
  const listed = await runtime.listContainers({ state: 'running' })
  const id = listed.ok ? listed.value[0]?.id : undefined
  const status = id === undefined ? undefined : await runtime.containerStatus(id)
  return status?.ok === true ? status.value.resources : undefined
}

describe('containers#in-place-resize', () => {
  it('changes CPU and memory of a running container without a restart, and reports the end', async () => {
    await create('p', { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '200m' } })
    expect(
      await resize('p', { requests: { cpu: '250m', memory: '128Mi' }, limits: { cpu: '500m' } }),
    ).toBe('')
    await sandbox.clock.advance(5000)
    const pod = await read('p')
    const [status] = pod.status?.containerStatuses ?? []
    expect(pod.metadata.generation).toBe(2)
    expect(status?.restartCount).toBe(0)
    expect(status?.allocatedResources).toEqual({ cpu: '250m', memory: '128Mi' })
    expect(status?.resources).toEqual({
      limits: { cpu: '500m' },
      requests: { cpu: '250m', memory: '128Mi' },
    })
    expect(await enforced()).toMatchObject({ cpuShares: 256, cpuQuota: 50_000 })
    expect(resizeConditions(pod)).toEqual([])
    expect(pod.status?.observedGeneration).toBe(2)
    expect(await eventsOf('p', 'ResizeCompleted')).toEqual([
      'Pod resize completed: {"containers":[{"name":"c","resources":{"limits":{"cpu":"500m"},"requests":{"cpu":"250m","memory":"128Mi"}}}]}',
    ])
  })

  it('restarts a container whose resizePolicy asks for it', async () => {
    await create(
      'p',
      { requests: { memory: '64Mi' }, limits: { memory: '64Mi' } },
      { resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }] },
    )
    await resize('p', { requests: { memory: '96Mi' }, limits: { memory: '96Mi' } })
    await sandbox.clock.advance(70_000)
    const pod = await read('p')
    expect(pod.status?.containerStatuses?.[0]?.restartCount).toBe(1)
    expect(await eventsOf('p', 'Killing')).toEqual(['Container c resize requires restart'])
    expect(await enforced()).toMatchObject({ memoryLimitInBytes: 96 * 1024 ** 2 })
    expect(resizeConditions(pod)).toEqual([])
  })

  it('defers a resize that does not fit now, keeps what was given over a restart of the kubelet, and resizes when there is room', async () => {
    await create('other', { requests: { cpu: '3' } })
    await create('p', { requests: { cpu: '500m' } })
    await resize('p', { requests: { cpu: '2' } })
    await sandbox.clock.advance(5000)
    const deferred =
      "PodResizePending Deferred Node didn't have enough resource: cpu, requested: 2000, used: 3000, capacity: 4000"
    expect(resizeConditions(await read('p'))).toEqual([deferred])
    expect((await read('p')).status?.containerStatuses?.[0]?.allocatedResources).toEqual({
      cpu: '500m',
    })
    sandbox.node().stopKubelet()
    sandbox.node().startKubelet()
    await sandbox.clock.advance(20_000)
    const kept = await read('p')
    expect(kept.status?.phase).toBe('Running')
    expect(kept.status?.containerStatuses?.[0]?.allocatedResources).toEqual({ cpu: '500m' })
    expect(resizeConditions(kept)).toEqual([deferred])
    await sandbox.request('DELETE', `${pods}/other`)
    await sandbox.clock.advance(60_000)
    const pod = await read('p')
    expect(resizeConditions(pod)).toEqual([])
    expect(pod.status?.containerStatuses?.[0]?.allocatedResources).toEqual({ cpu: '2' })
    expect(pod.status?.containerStatuses?.[0]?.restartCount).toBe(0)
  })

  it('calls a resize above the whole node infeasible, until it is taken back', async () => {
    await create('p', { requests: { cpu: '500m' } })
    await resize('p', { requests: { cpu: '100' } })
    await sandbox.clock.advance(5000)
    expect(resizeConditions(await read('p'))).toEqual([
      "PodResizePending Infeasible Node didn't have enough capacity: cpu, requested: 100000, capacity: 4000",
    ])
    await resize('p', { requests: { cpu: '500m' } })
    await sandbox.clock.advance(5000)
    expect(resizeConditions(await read('p'))).toEqual([])
  })

  it('does not set a memory limit below what the container uses, and tells so', async () => {
    await create(
      'p',
      { requests: { memory: '64Mi' }, limits: { memory: '256Mi' } },
      { annotations: { 'simulated.nodescope.dev/memory': '100Mi' } },
    )
    await resize('p', { limits: { memory: '80Mi' } })
    await sandbox.clock.advance(30_000)
    const [condition = ''] = resizeConditions(await read('p'))
    expect(condition).toMatch(
      /^PodResizeInProgress Error cannot decrease memory limits: \[attempting to set pod memory limit \(83886080\) below current usage \(\d+\), attempting to set container "c" memory limit \(83886080\) below current usage \(\d+\)\]$/,
    )
    expect(await enforced()).toMatchObject({ memoryLimitInBytes: 256 * 1024 ** 2 })
  })
})
