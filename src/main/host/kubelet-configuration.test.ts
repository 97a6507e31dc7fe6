import { describe, expect, it } from 'vitest'
import { defaultEvictionSettings } from '../kubelet/eviction/eviction-settings.ts'
import { defaultKubeletSettings } from '../kubelet/kubelet-settings.ts'
import { defaultConfiguration } from './kubelet-configuration-file.ts'
import { readKubeletConfiguration } from './kubelet-configuration.ts'

const head = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n'

function read(fields: string) {
  const result = readKubeletConfiguration(head + fields)
  if (!result.ok) throw new Error(result.error.errors.join('; '))
  return result.value
}

function errorOf(text: string) {
  const result = readKubeletConfiguration(text)
  if (result.ok) throw new Error('it was read')
  return result.error
}

describe('readKubeletConfiguration', () => {
  it('gives a configuration without fields the kubelet’s defaults', () => {
    expect(read('')).toEqual(defaultConfiguration)
    const zeros = 'maxPods: 0\nsyncFrequency: 0s\neventBurst: 0\nregistryPullQPS: null\n'
    expect(read(zeros)).toEqual(defaultConfiguration)
  })

  it('reads every field that acts', () => {
    const { configuration, notes } = read(`
staticPodPath: manifests
staticPodURL: https://m.example/pods
staticPodURLHeader: { X-Key: [a, b] }
httpCheckFrequency: 1m30s
fileCheckFrequency: 500ms
syncFrequency: 2m
nodeStatusUpdateFrequency: 5s
nodeLeaseDurationSeconds: 20
nodeStatusMaxImages: -1
maxPods: 7
eventRecordQPS: 0
eventBurst: 3
registryPullQPS: 0
registryBurst: 2
maxParallelImagePulls: 3
imageMinimumGCAge: 1m
imageMaximumGCAge: 1h
imageGCHighThresholdPercent: 90
imageGCLowThresholdPercent: 0
registerNode: false
registerWithTaints: [{ key: a, value: b, effect: NoSchedule }]
featureGates: { KubeletCrashLoopBackOffMax: true }
crashLoopBackOff: { maxContainerRestartPeriod: 3s }
shutdownGracePeriod: 45s
shutdownGracePeriodCriticalPods: 15s
cgroupsPerQOS: false
enforceNodeAllocatable: []
clusterDNS: [10.0.0.10, dns]
clusterDomain: c.local
`)
    expect(notes).toEqual([])
    const { completed, ...acting } = configuration
    expect(completed).toMatchObject({
      maxPods: 7,
      nodeStatusReportFrequency: '5s',
      serializeImagePulls: false,
      syncFrequency: '2m0s',
    })
    expect(acting).toEqual({
      staticPodPath: 'manifests',
      staticPodURL: 'https://m.example/pods',
      staticPodURLHeader: [
        { name: 'X-Key', value: 'a' },
        { name: 'X-Key', value: 'b' },
      ],
      httpCheckFrequencyMs: 90_000,
      maxPods: 7,
      registerWithTaints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }],
      settings: {
        syncFrequencyMs: 120_000,
        fileCheckFrequencyMs: 500,
        nodeStatusUpdateFrequencyMs: 5000,
        // As the update frequency, which is set.
        nodeStatusReportFrequencyMs: 5000,
        nodeLeaseDurationSeconds: 20,
        nodeStatusMaxImages: -1,
        eventRecordQPS: 0,
        eventBurst: 3,
        registryPullQPS: 0,
        registryBurst: 2,
        // As several pulls at a time are asked for.
        serializeImagePulls: false,
        maxParallelImagePulls: 3,
        imageMinimumGCAgeMs: 60_000,
        imageMaximumGCAgeMs: 3_600_000,
        imageGCHighThresholdPercent: 90,
        imageGCLowThresholdPercent: 0,
        registerNode: false,
        cgroupsPerQOS: false,
        // The other one is no address.
        clusterDNS: ['10.0.0.10'],
        clusterDomain: 'c.local',
        maxContainerRestartPeriodMs: 3000,
        shutdownGracePeriodMs: 45_000,
        shutdownGracePeriodCriticalPodsMs: 15_000,
        // Without cgroups of pods nothing is enforced on them.
        eviction: {
          ...defaultEvictionSettings,
          thresholds: defaultEvictionSettings.thresholds.filter(
            ({ signal }) => signal !== 'allocatableMemory.available',
          ),
        },
      },
    })
  })

  it('wants cgroups for what is enforced on all pods', () => {
    const why = (what: string): string =>
      `invalid configuration: cgroupsPerQOS (--cgroups-per-qos) must be set to true when ${what} contained in enforceNodeAllocatable (--enforce-node-allocatable)`
    const without = `${head}cgroupsPerQOS: false\n`
    expect(readKubeletConfiguration(without)).toEqual({
      ok: false,
      error: { kind: 'invalid', errors: [why('"pods"')] },
    })
    expect(readKubeletConfiguration(`${without}enforceNodeAllocatable: [none]\n`).ok).toBe(true)
  })

  it('names each other field that is set, and each feature gate', () => {
    const fields =
      'cpuManagerPolicy: static\nfeatureGates: { NodeSwap: true }\nauthentication: {}\n'
    expect(read(fields).notes).toEqual([
      'KubeletConfiguration: authentication has no effect here.',
      'KubeletConfiguration: cpuManagerPolicy has no effect here.',
      'KubeletConfiguration: featureGates.NodeSwap has no effect here.',
    ])
  })

  it('decodes leniently with a warning if a field is unknown or repeated', () => {
    const { configuration, notes } = read('maxPods: 5\nmaxPod: 6\nmaxPods: 7\n')
    expect(configuration.maxPods).toBe(7)
    expect(notes).toEqual([
      'KubeletConfiguration: using lenient decoding as strict decoding failed: line 5: field already set; unknown field "maxPod".',
    ])
    const json =
      '{"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration","maxPods":5,"maxPods":6}'
    expect(readKubeletConfiguration(json)).toMatchObject({
      value: {
        configuration: { maxPods: 6, settings: defaultKubeletSettings },
        notes: [expect.stringContaining('duplicate field "maxPods"')],
      },
    })
  })

  it('says that only the first document is read', () => {
    expect(read('---\nmaxPods: 5\n').notes).toEqual([
      'KubeletConfiguration: Only the first document of a file is read; from here on it has no effect (line 3).',
    ])
  })

  it.each([
    ['an empty text', '', 'malformed', 'The file is empty.'],
    ['no YAML', 'a: [', 'malformed', expect.stringContaining('This is not valid YAML')],
    ['another kind', 'apiVersion: v1\nkind: Pod\n', 'wrong-kind', expect.stringContaining('Pod')],
    ['no kind', 'maxPods: 5\n', 'wrong-kind', expect.stringContaining('A field is missing')],
    ['a list', '- a\n', 'wrong-kind', 'It must be an object of kind KubeletConfiguration.'],
    [
      'another version',
      'apiVersion: kubelet.config.k8s.io/v1\nkind: KubeletConfiguration\n',
      'wrong-kind',
      expect.stringContaining('kubelet.config.k8s.io/v1 and'),
    ],
    [
      'a wrong type',
      `${head}maxPods: many\n`,
      'undecodable',
      'json: cannot unmarshal string into Go struct field KubeletConfiguration.maxPods of type int32',
    ],
    [
      'a number as duration',
      `${head}syncFrequency: 5\n`,
      'undecodable',
      'json: cannot unmarshal number into Go struct field KubeletConfiguration.syncFrequency of type string',
    ],
    ['an empty duration', `${head}syncFrequency:\n`, 'undecodable', 'time: invalid duration ""'],
    [
      'a wrong flush frequency',
      `${head}logging: { flushFrequency: true }\n`,
      'undecodable',
      'invalid duration "true": json: cannot unmarshal bool into Go value of type time.Duration',
    ],
    [
      'a wrong type in a field without effect',
      `${head}authentication: { anonymous: { enabled: 1 } }\n`,
      'undecodable',
      expect.stringContaining('anonymous.enabled of type bool'),
    ],
    [
      'a short period',
      `${head}fileCheckFrequency: -1s\n`,
      'unsupported',
      'fileCheckFrequency must be at least 100ms here.',
    ],
    [
      'too many pods',
      `${head}maxPods: 65001\n`,
      'unsupported',
      'maxPods must be at most 65000 here.',
    ],
  ])('refuses %s', (_, text, kind, error: unknown) => {
    expect(errorOf(text)).toEqual({ kind, errors: [error] })
  })

  it('lists all validation errors in the kubelet’s words', () => {
    const fields = `maxPods: -1
eventBurst: -2
nodeLeaseDurationSeconds: -3
registerWithTaints: [{ key: "a b", effect: NoSchedule }, { key: c, effect: Never }]
crashLoopBackOff: { maxContainerRestartPeriod: 5s }
`
    expect(errorOf(head + fields)).toEqual({
      kind: 'invalid',
      errors: [
        'invalid configuration: nodeLeaseDurationSeconds must be greater than 0',
        'invalid configuration: eventBurst (--event-burst) -2 must not be a negative number',
        'invalid configuration: maxPods (--max-pods) -1 must not be a negative number',
        'invalid taint: {a b  NoSchedule <nil>}',
        'invalid taint: {c  Never <nil>}',
        'invalid configuration: FeatureGate KubeletCrashLoopBackOffMax not enabled, CrashLoopBackOff.MaxContainerRestartPeriod must not be set',
      ],
    })
  })

  it('limits the restart period to 1 s to 300 s, and requires a positive sync frequency', () => {
    const gate = `${head}featureGates: { KubeletCrashLoopBackOffMax: true }\n`
    expect(
      errorOf(`${gate}crashLoopBackOff: { maxContainerRestartPeriod: 500ms }\n`).errors,
    ).toEqual([
      'invalid configuration: CrashLoopBackOff.MaxContainerRestartPeriod (got: 0.5 seconds) must be set between 1s and 300s',
    ])
    expect(errorOf(`${head}syncFrequency: -1s\n`).errors).toEqual([
      'invalid sync frequency -1000000000',
    ])
  })
})
