import { afterEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { EvictionSettings } from '../../../src/main/kubelet/eviction/eviction-settings.ts'
import { defaultKubeletSettings } from '../../../src/main/kubelet/kubelet-settings.ts'
import { isJsonObject, listAt, objectAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import { parseThresholdConfig } from '../../../src/main/kubelet/eviction/parse-thresholds.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { nextSteps } from '../../../src/shared/model/pressure/next-steps.ts'
import { firstSentence } from '../../../src/shared/model/pressure/ranking-words.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

const gi = 2 ** 30

interface Asked {
  readonly memory?: string
  readonly request?: string
  readonly priorityClassName?: string
  readonly annotations?: Readonly<Record<string, string>>
}

function podOf(name: string, asked: Asked = {}): Pod {
  const { memory = '64Mi', request, priorityClassName, annotations } = asked
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: '',
      annotations: { 'simulated.nodescope.dev/memory': memory, ...annotations },
    },
    spec: {
      nodeName: 'n1',
      containers: [
        {
          name: 'c',
          image: 'registry.k8s.io/pause:3.10',
          ...(request === undefined ? {} : { resources: { requests: { memory: request } } }),
        },
      ],
      ...(priorityClassName === undefined ? {} : { priorityClassName }),
    },
  }
}

let sandbox: MemorySandbox

function begin(eviction: Partial<EvictionSettings> = {}): void {
  sandbox = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1'],
    log: new FakeLog(),
    size: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '50Gi' },
    settings: {
      ...defaultKubeletSettings,
      eviction: { ...defaultKubeletSettings.eviction, ...eviction },
    },
  })
  sandbox.start()
}

afterEach(() => {
  sandbox.stop()
})

function statuses(): Readonly<Record<string, string>> {
  const pods = [...sandbox.sandbox.server.pods.list()]
  return Object.fromEntries(
    pods.map(({ metadata, status }) => [
      metadata.name,
      [status?.phase, status?.reason].filter((word) => word !== undefined).join(' '),
    ]),
  )
}

function kinds(kind: string): number {
  return sandbox.trace.newest(100_000).filter((event) => event.kind === kind).length
}

async function run(pods: readonly Pod[]): Promise<void> {
  const priorityClass = { kind: 'PriorityClass', apiVersion: 'scheduling.k8s.io/v1', value: 100 }
  const metadata = { name: 'important' }
  const path = '/apis/scheduling.k8s.io/v1/priorityclasses'
  await sandbox.request('POST', path, { ...priorityClass, metadata } as never)
  for (const pod of pods) {
    const created = await sandbox.createPod(pod)
    expect(created.status).toBe(201)
  }
  await sandbox.clock.advance(15_000)
}

describe('a node with too little memory', () => {
  it('evicts one pod after another until enough is free, the one above its request first', async () => {
    begin()
    await run([
      podOf('guaranteed', { memory: '2Gi', request: '3Gi' }),
      podOf('over', { memory: '1536Mi', request: '1Gi' }),
      podOf('farther-over', { memory: '1Gi' }),
      podOf('important', { memory: '1Gi', priorityClassName: 'important' }),
    ])
    const node = sandbox.node()
    node.runtime.useOther?.({ memoryBytes: 2.5 * gi })
    expect(node.kubelet.evictionManager.pressure().memory).toBe(false)
    await sandbox.clock.advance(11_000)
    expect(node.kubelet.evictionManager.pressure().memory).toBe(true)
    const { evictions } = await node.kubelet.pressureView()
    expect(evictions.map(({ name, message }) => [name, message])).toEqual([
      [
        'farther-over',
        'The node was low on resource: memory. Threshold quantity: 100Mi, available: 0. Container c was using 1Gi, request is 0, has larger consumption of memory. ',
      ],
    ])
    const view = await node.kubelet.pressureView()
    expect(view.rankings.slice(0, 1).map(firstSentence)).toEqual([
      'over goes first: 2 pods use more than they request; 1 of them has the lowest priority, 0.',
    ])
    expect(nextSteps({ ...view, other: null }).map(({ kind }) => kind)).toEqual([
      'now',
      'round',
      'condition',
    ])
    await sandbox.clock.advance(20_000)
    expect(statuses()).toMatchObject({
      guaranteed: 'Running',
      over: 'Running',
      important: 'Running',
    })
    expect(kinds('eviction.thresholdMet')).toBe(1)
  })
})

/** The events about the node, without those that every start has. */
function nodeEvents(): readonly string[] {
  return sandbox.trace
    .newest(100_000)
    .flatMap((event) =>
      event.kind === 'event.recorded' && event.subject.kind === 'node'
        ? [`${event.data.reason}: ${event.data.message}`]
        : [],
    )
    .filter((text) => text.startsWith('EvictionThresholdMet'))
}

function podNamed(name: string): Pod | undefined {
  return [...sandbox.sandbox.server.pods.list()].find(({ metadata }) => metadata.name === name)
}

async function nodeObject(): Promise<JsonObject> {
  const answer = await sandbox.request('GET', '/api/v1/nodes/n1')
  return answer.kind === 'object' && isJsonObject(answer.body) ? answer.body : {}
}

async function taints(): Promise<readonly unknown[]> {
  const keys = listAt(objectAt(await nodeObject(), 'spec'), 'taints')
  return keys.map((taint) => (isJsonObject(taint) ? taint['key'] : taint))
}

describe('a soft threshold', () => {
  it('makes the condition True at once, and evicts after its grace period with that of the pod', async () => {
    const thresholds = parseThresholdConfig({
      evictionHard: {},
      evictionSoft: { 'memory.available': '1Gi' },
      evictionSoftGracePeriod: { 'memory.available': '30s' },
      evictionMinimumReclaim: { 'memory.available': '512Mi' },
      enforcesPods: true,
    })
    if (!thresholds.ok) throw new Error(thresholds.error)
    begin({
      thresholds: thresholds.value,
      maxPodGracePeriodSeconds: 7,
      pressureTransitionPeriodMs: 20_000,
    })
    await run([podOf('a', { memory: '1Gi' }), podOf('b', { memory: '900Mi' })])
    const node = sandbox.node()
    node.runtime.useOther?.({ memoryBytes: 5.5 * gi })
    await sandbox.clock.advance(10_000)
    expect(node.kubelet.evictionManager.pressure().memory).toBe(true)
    const view = await node.kubelet.pressureView()
    expect(
      nextSteps({ ...view, other: null }).map(({ kind, sentence }) => [kind, sentence]),
    ).toEqual([
      ['met', 'memory.available is below 1Gi'],
      ['now', 'Now'],
      ['eviction', 'a is evicted'],
      ['kill', 'SIGKILL at the latest'],
      ['condition', 'MemoryPressure becomes False at the earliest'],
    ])
    const eviction = nextSteps({ ...view, other: null }).find(({ kind }) => kind === 'eviction')
    await sandbox.clock.advance(20_000)
    expect(kinds('eviction.requested')).toBe(0)
    await sandbox.clock.advance(15_000)
    const { evictions } = await node.kubelet.pressureView()
    expect(evictions).toMatchObject([
      { name: 'a', at: eviction?.at, gracePeriodSeconds: 7, signal: 'memory.available' },
    ])
    // 1.6 GiB are available then: enough also with the minimum reclaim.
    await sandbox.clock.advance(60_000)
    expect(statuses()).toMatchObject({ b: 'Running' })
    expect(node.kubelet.evictionManager.pressure().memory).toBe(false)
  })
})

describe('a limit of local storage', () => {
  it('evicts the pod that exceeds it, without DisruptionTarget and without a condition of the node', async () => {
    begin()
    const pod = podOf('writer', { annotations: { 'simulated.nodescope.dev/disk': '2Mi' } })
    const [container] = pod.spec.containers
    if (container === undefined) throw new Error('it has one')
    const limits = { 'ephemeral-storage': '1Mi' }
    await run([
      { ...pod, spec: { ...pod.spec, containers: [{ ...container, resources: { limits } }] } },
    ])
    await sandbox.clock.advance(10_000)
    const { evictions } = await sandbox.node().kubelet.pressureView()
    expect(evictions).toMatchObject([
      {
        name: 'writer',
        signal: 'ephemeralpodfs.limit',
        gracePeriodSeconds: 1,
        message: 'Pod ephemeral local storage usage exceeds the total limit of containers 1Mi. ',
      },
    ])
    const conditions = podNamed('writer')?.status?.conditions ?? []
    expect(conditions.map(({ type }) => type)).not.toContain('DisruptionTarget')
    expect(nodeEvents()).toEqual([])
  })
})

describe('a node without process IDs', () => {
  it('evicts the pod of the lowest priority, and is tainted', async () => {
    begin({ thresholds: pidThreshold() })
    await run([
      podOf('few', { annotations: { 'simulated.nodescope.dev/processes': '5' } }),
      podOf('bomb', {
        priorityClassName: 'important',
        annotations: { 'simulated.nodescope.dev/processes': '30k' },
      }),
    ])
    await sandbox.clock.advance(30_000)
    const { evictions } = await sandbox.node().kubelet.pressureView()
    expect(evictions.map(({ name }) => name)).toEqual(['bomb', 'few'])
    expect(new Set(nodeEvents())).toEqual(
      new Set(['EvictionThresholdMet: Attempting to reclaim pids']),
    )
    expect(await taints()).toContain('node.kubernetes.io/pid-pressure')
  })
})

describe('a node without inodes', () => {
  it('evicts the pod that has the most files, and reports DiskPressure', async () => {
    begin()
    await run([
      podOf('few', { annotations: { 'simulated.nodescope.dev/inodes': '20k' } }),
      podOf('many', { annotations: { 'simulated.nodescope.dev/inodes': '3M' } }),
    ])
    await sandbox.clock.advance(15_000)
    const { evictions } = await sandbox.node().kubelet.pressureView()
    expect(evictions).toMatchObject([
      {
        name: 'many',
        message: expect.stringMatching(/^The node was low on resource: inodes\. /),
      },
    ])
    expect(await taints()).toContain('node.kubernetes.io/disk-pressure')
  })
})

function pidThreshold(): EvictionSettings['thresholds'] {
  const thresholds = parseThresholdConfig({
    evictionHard: { 'pid.available': '10%' },
    evictionSoft: {},
    evictionSoftGracePeriod: {},
    evictionMinimumReclaim: {},
    enforcesPods: false,
  })
  return thresholds.ok ? thresholds.value : []
}

describe('a full disk', () => {
  it('first loses dead containers and unused images, and then pods; static pods stay, new pods are refused', async () => {
    begin()
    sandbox.putManifests([podOf('static')])
    await run([podOf('a'), podOf('b')])
    const node = sandbox.node()
    node.faults.setDiskFull(true)
    await sandbox.clock.advance(60_000)
    expect(kinds('eviction.reclaimed')).toBeGreaterThan(1)
    expect(kinds('eviction.refused')).toBeGreaterThan(0)
    const { evictions } = await node.kubelet.pressureView()
    expect(evictions.map(({ name }) => name).toSorted()).toEqual(['a', 'b'])
    expect(statuses()).toMatchObject({ 'static-n1': 'Running' })
    await sandbox.createPod(podOf('late'))
    await sandbox.clock.advance(5000)
    expect(podNamed('late')?.status).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'Pod was rejected: The node had condition: [DiskPressure]. ',
    })
  })
})
