import { describe, expect, it } from 'vitest'
import { defaultKubeletConfiguration } from '../../kubelet/server/default-configuration.ts'
import { configurationIn, nodeUseIn, podsIn, runningPodsIn } from './kubelet-answers.ts'
import { figuresOf, wantedSamples } from './kubelet-figures.ts'
import { samplesIn } from './prometheus-text.ts'

describe('/pods and /runningpods', () => {
  it('are lists of pods; what has no name or UID is left out', () => {
    const items = [
      { metadata: { name: 'a', namespace: 'x', uid: '1' }, spec: { containers: [{ name: 'c' }] } },
      { metadata: { name: 'b', uid: '2' }, spec: {} },
      { metadata: { name: 'c' } },
      null,
    ]
    const body = JSON.stringify({ kind: 'PodList', items })
    expect(podsIn(body)).toMatchObject({
      ok: true,
      value: [{ metadata: { uid: '1' } }, { metadata: { uid: '2' } }],
    })
    expect(runningPodsIn(body)).toEqual({
      ok: true,
      value: [
        { uid: '1', name: 'a', namespace: 'x', containers: ['c'] },
        { uid: '2', name: 'b', namespace: 'default', containers: [] },
      ],
    })
  })

  it.each(['<html>', '[]', '{"kind":"Status"}'])('are nothing else: %s', (body) => {
    expect(podsIn(body)).toMatchObject({ ok: false, error: expect.stringMatching(/^is not/) })
  })
})

describe('/configz', () => {
  it('is compared with the defaults; what an older kubelet lacks is named', () => {
    const {
      shutdownGracePeriod: _none,
      enforceNodeAllocatable: _list,
      ...older
    } = defaultKubeletConfiguration
    const kubeletconfig = {
      ...older,
      maxPods: 220,
      staticPodPath: '/etc/kubernetes/manifests',
      evictionHard: { ...(older['evictionHard'] as object), 'memory.available': '500Mi' },
      tlsCertFile: '/own',
      allowedUnsafeSysctls: [],
    }
    expect(configurationIn(JSON.stringify({ kubeletconfig }))).toEqual({
      ok: true,
      value: {
        staticPodPath: '/etc/kubernetes/manifests',
        differences: [
          { field: 'maxPods', value: '220', initial: '110' },
          { field: 'evictionHard.memory.available', value: '500Mi', initial: '100Mi' },
          { field: 'staticPodPath', value: '/etc/kubernetes/manifests', initial: null },
          { field: 'enforceNodeAllocatable', value: '[]', initial: '["pods"]' },
        ],
        missingFields: ['shutdownGracePeriod'],
      },
    })
  })
})

describe('/stats/summary', () => {
  it('gives the use of the node', () => {
    const node = { cpu: { usageNanoCores: 1_250_000_000 }, memory: { workingSetBytes: 4096 } }
    expect(nodeUseIn(JSON.stringify({ node, pods: [{}, {}] }))).toEqual({
      ok: true,
      value: { cpuMillicores: 1250, memoryBytes: 4096, pods: 2 },
    })
    expect(nodeUseIn('{}')).toEqual({
      ok: true,
      value: { cpuMillicores: null, memoryBytes: null, pods: 0 },
    })
  })
})

const text = (
  sum: number,
  slow: number,
): string => `# HELP kubelet_pleg_relist_duration_seconds [ALPHA] x
# TYPE kubelet_pleg_relist_duration_seconds histogram
kubelet_pleg_relist_duration_seconds_bucket{le="0.005"} ${sum - slow}
kubelet_pleg_relist_duration_seconds_bucket{le="2.5"} ${sum}
kubelet_pleg_relist_duration_seconds_bucket{le="+Inf"} ${sum}
kubelet_pleg_relist_duration_seconds_count ${sum}
kubelet_working_pods{config="desired",lifecycle="sync",static=""} 9
kubelet_working_pods{config="desired",lifecycle="sync",static="true"} 2
kubelet_working_pods{config="orphan",lifecycle="terminating",static="true"} 1
kubelet_running_containers{container_state="running"} 12
kubelet_running_containers{container_state="exited"} 3
kubelet_evictions{eviction_signal="memory.available"} 4
process_start_time_seconds 1.795344e+09
other_metric{le="0.005"} 1
`

describe('/metrics', () => {
  it('is read for the wanted names only, with labels, escapes and infinities', () => {
    const rows = 'a{x="q\\"\\n\\\\",y="2"} +Inf\nb 1\na_bucket{le="1"} NaN\n# a comment\n\na'
    expect(samplesIn(rows, new Set(['a']))).toEqual([
      { name: 'a', labels: { x: 'q"\n\\', y: '2' }, value: Infinity },
      { name: 'a_bucket', labels: { le: '1' }, value: Number.NaN },
    ])
  })

  it('gives counts, and latencies since the reading before', () => {
    const before = wantedSamples(text(1000, 0))
    const figures = figuresOf(wantedSamples(text(1100, 10)), before)
    expect(figures).toMatchObject({
      startedAt: 1_795_344_000_000,
      workers: { sync: 11, terminating: 1 },
      runningContainers: 12,
      mirrorPods: null,
      evictions: { 'memory.available': 4 },
      plegRelist: { count: 100, p50: 0.005, p99: 2.5 },
      plegInterval: { count: 0, p50: null, p99: null },
    })
  })

  it('gives the relists by how long they took, and no latency where nothing was counted in between', () => {
    const samples = wantedSamples(text(1100, 10))
    const { plegRelists, plegRelist } = figuresOf(samples, samples)
    expect(plegRelists).toEqual([
      { upTo: 0.005, count: 1090 },
      { upTo: 2.5, count: 10 },
      { upTo: null, count: 0 },
    ])
    expect(plegRelist).toEqual({ count: 0, p50: null, p99: null })
  })

  it('starts again where the kubelet has restarted', () => {
    expect(
      figuresOf(wantedSamples(text(50, 0)), wantedSamples(text(1000, 0))).plegRelist.count,
    ).toBe(50)
  })
})
