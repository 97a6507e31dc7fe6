import { afterEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { EvictionSettings } from '../../../src/main/kubelet/eviction/eviction-settings.ts'
import { defaultKubeletSettings } from '../../../src/main/kubelet/kubelet-settings.ts'
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
