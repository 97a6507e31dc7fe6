import { afterEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { defaultKubeletConfiguration } from '../../../src/main/kubelet/server/default-configuration.ts'
import { readKubeletConfiguration } from '../../../src/main/host/kubelet-configuration.ts'
import { thresholdTextsOf } from '../../../src/main/nodes/threshold-configuration.ts'
import { serveSandbox } from '../../../src/main/session/cluster/serve-sandbox.ts'
import { thresholdsYaml } from '../../../src/shared/model/pressure/threshold-texts.ts'
import type { ThresholdTexts } from '../../../src/shared/model/pressure/threshold-texts.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

const usual = thresholdTextsOf(defaultKubeletConfiguration)

const open: MemorySandbox[] = []

afterEach(() => {
  for (const sandbox of open.splice(0)) sandbox.stop()
})

function serve(readOnly = false) {
  const cluster = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1'],
    log: new FakeLog(),
    size: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '50Gi' },
  })
  open.push(cluster)
  const { clock, trace, sandbox } = cluster
  const about = { id: 's', url: 's', kubeconfigPath: '', manifestsPath: '', seed: 1, readOnly }
  const { nodes } = serveSandbox({ ...about, clock, trace, sandbox, log: new FakeLog() })
  cluster.start()
  return { cluster, nodes }
}

const taken: readonly (readonly [string, Partial<ThresholdTexts>])[] = [
  ['the defaults', {}],
  ['another hard threshold alone', { evictionHard: { 'memory.available': '500Mi' } }],
  ['none', { evictionHard: {} }],
  [
    'soft ones with grace, minimum reclaim and the two periods',
    {
      evictionSoft: { 'memory.available': '1Gi', 'nodefs.available': '15%' },
      evictionSoftGracePeriod: { 'memory.available': '1m30s', 'nodefs.available': '2m' },
      evictionMinimumReclaim: { 'memory.available': '200Mi', 'imagefs.available': '5%' },
      evictionPressureTransitionPeriod: '30s',
      evictionMaxPodGracePeriod: '60',
    },
  ],
  ['a negative grace period', { evictionMaxPodGracePeriod: '-3' }],
  ['a transition period of 0', { evictionPressureTransitionPeriod: '0s' }],
  ['a threshold that is off', { evictionHard: { 'pid.available': '0%' } }],
]

const refused: readonly (readonly [keyof ThresholdTexts, string, Partial<ThresholdTexts>])[] = [
  ['evictionHard', 'memory.available', { evictionHard: { 'memory.available': 'much' } }],
  ['evictionHard', 'memory.available', { evictionHard: { 'memory.available': '-1Mi' } }],
  ['evictionHard', 'nodefs.available', { evictionHard: { 'nodefs.available': '110%' } }],
  ['evictionHard', 'memory.free', { evictionHard: { 'memory.free': '1Gi' } }],
  ['evictionSoftGracePeriod', 'pid.available', { evictionSoft: { 'pid.available': '10%' } }],
  [
    'evictionSoftGracePeriod',
    'pid.available',
    {
      evictionSoft: { 'pid.available': '10%' },
      evictionSoftGracePeriod: { 'pid.available': '90' },
    },
  ],
  [
    'evictionMinimumReclaim',
    'pid.available',
    { evictionMinimumReclaim: { 'pid.available': '0%' } },
  ],
]

describe('thresholds that are set on the page', () => {
  it.each(taken)('are those of the file that is shown: %s', async (_, part) => {
    const texts = { ...usual, ...part }
    const { cluster, nodes } = serve()
    await cluster.clock.advance(5000)
    expect(nodes.setThresholds('n1', texts).ok).toBe(true)
    const file = readKubeletConfiguration(thresholdsYaml(texts))
    if (!file.ok) throw new Error(file.error.errors.join(' '))
    const { eviction } = cluster.node().settings
    expect(eviction).toEqual(file.value.configuration.settings.eviction)
    expect(nodes.thresholds('n1')).toEqual(texts)
  })

  it.each(refused)(
    'are refused in the words of the kubelet, at %s of %s',
    (field, signal, part) => {
      const texts = { ...usual, ...part }
      const { cluster, nodes } = serve()
      const [problem, ...others] = nodes.checkThresholds('n1', texts) ?? []
      expect([problem?.field, problem?.signal, others]).toEqual([field, signal, []])
      const file = readKubeletConfiguration(thresholdsYaml(texts))
      if (file.ok) throw new Error('the file is valid')
      expect(file.error.errors.join(' ')).toContain(problem?.message)
      expect(nodes.setThresholds('n1', texts)).toMatchObject({
        ok: false,
        error: { kind: 'refused' },
      })
      expect(cluster.node().starts).toBe(1)
    },
  )

  it('restart the kubelet, which evicts by them and shows them in /configz', async () => {
    const { cluster, nodes } = serve()
    const image = 'registry.k8s.io/pause:3.10'
    const annotations = { 'simulated.nodescope.dev/memory': '1Gi' }
    await cluster.createPod({
      metadata: { name: 'a', namespace: 'default', uid: '', annotations },
      // A BestEffort pod would not be admitted again by the kubelet that starts under pressure.
      spec: {
        nodeName: 'n1',
        containers: [{ name: 'c', image, resources: { requests: { memory: '64Mi' } } }],
      },
    })
    await cluster.clock.advance(30_000)
    const evicted = async () => (await nodes.pressure('n1'))?.evictions.map(({ name }) => name)
    expect(await evicted()).toEqual([])
    const hard = { 'memory.available': '7Gi' }
    expect(nodes.setThresholds('n1', { ...usual, evictionHard: hard }).ok).toBe(true)
    await cluster.clock.advance(30_000)
    expect(cluster.node().starts).toBe(2)
    expect(await evicted()).toEqual(['a'])
    expect(cluster.node().configuration['evictionHard']).toEqual(hard)
  })

  it('are refused where nothing may be changed', () => {
    const { cluster, nodes } = serve(true)
    expect(nodes.setThresholds('n1', usual)).toMatchObject({ error: { kind: 'read-only' } })
    expect(cluster.node().starts).toBe(1)
  })
})
