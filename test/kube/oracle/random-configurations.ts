import fc from 'fast-check'
import { stringify } from 'yaml'

/** Mostly valid: a configuration has many fields, and one bad value is enough for a refusal. */
function mostly<T>(good: readonly T[], ...bad: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 120, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  )
}

const periods = mostly<unknown>(
  ['10s', '1m30s', '0s', '0', '1.5h', '500ms', '.5m', '1h0m0.25s', '+3s'],
  '-1s',
  '5',
  '',
  null,
  7,
  '3 s',
  '1d',
  true,
  [],
  '1us',
  '-.s',
)
const numbers = mostly<unknown>([0, 1, 5, 100, null, 70_000], -1, '5', 1.5, 3_000_000_000, true)
const texts = mostly<unknown>(['', 'a', '/abs/a', '../b', null], 5, false, {})
const flags = mostly<unknown>([true, false, null], 'yes', 0)
const taints = fc.array(
  fc.record(
    {
      key: mostly<unknown>(['a', 'a.b/c'], 'a b', '', 5),
      value: mostly<unknown>(['', 'v', null], 'bad value'),
      effect: mostly<unknown>(['NoSchedule', 'NoExecute', 'PreferNoSchedule', ''], 'Never'),
    },
    { requiredKeys: ['key'] },
  ),
  { maxLength: 2 },
)

/** Fields that act, and others with values that a kubelet takes. */
const fields = fc.record(
  {
    staticPodPath: texts,
    staticPodURL: mostly<unknown>(['http://m/p', ''], 5),
    staticPodURLHeader: mostly<unknown>(
      [{ a: ['b', 'c'] }, {}, null, { a: [], b: ['c'] }],
      { a: 'b' },
      [],
    ),
    httpCheckFrequency: periods,
    fileCheckFrequency: periods,
    syncFrequency: periods,
    nodeStatusUpdateFrequency: periods,
    nodeStatusReportFrequency: periods,
    nodeLeaseDurationSeconds: numbers,
    nodeStatusMaxImages: mostly<unknown>([50, 0, -1, null], -2, '2'),
    maxPods: numbers,
    eventRecordQPS: numbers,
    eventBurst: numbers,
    registryPullQPS: numbers,
    registryBurst: numbers,
    serializeImagePulls: flags,
    maxParallelImagePulls: mostly<unknown>([1, 3, null], 0, -2, '2'),
    imageMinimumGCAge: mostly<unknown>(['2m', '0s', '10m', '-1m'], 5),
    imageMaximumGCAge: mostly<unknown>(['0s', '5m', '1h'], '-1s', '2m', '1m'),
    imageGCHighThresholdPercent: mostly<unknown>([85, 100, 90, null], 101, -1, 80),
    imageGCLowThresholdPercent: mostly<unknown>([80, 0, null, 70], 100, -3, 95),
    registerNode: flags,
    shutdownGracePeriod: mostly<unknown>(['30s', '1m', '0s'], '500ms', '-1s', 5),
    shutdownGracePeriodCriticalPods: mostly<unknown>(['10s', '0s'], '2m', '1ms'),
    shutdownGracePeriodByPodPriority: mostly<unknown>(
      [null, []],
      [{ priority: 5, shutdownGracePeriodSeconds: 5 }],
    ),
    registerWithTaints: mostly<unknown>([null], {}, 'a'),
    featureGates: fc.constantFrom<unknown>(
      { KubeletCrashLoopBackOffMax: true },
      { KubeletCrashLoopBackOffMax: true },
      { KubeletCrashLoopBackOffMax: false, NodeSwap: true },
      { ImageMaximumGCAge: false },
      {},
      null,
    ),
    crashLoopBackOff: fc.constantFrom<unknown>({}, null),
    authentication: mostly<unknown>(
      [{ anonymous: { enabled: true }, webhook: { cacheTTL: '2m' } }, {}],
      { anonymous: { enabled: 'no' } },
      { webhook: { cacheTTL: 5 } },
      { webhoook: {} },
      [],
    ),
    logging: mostly<unknown>(
      [{ verbosity: 3, flushFrequency: '5s' }, { flushFrequency: 5 }],
      {
        verbosity: 'a',
      },
      { flushFrequency: true },
      { flushFrequency: 1.5 },
      { flushFrequency: 'a' },
    ),
    cpuManagerPolicy: mostly<unknown>(['static', 'none'], 5),
    evictionHard: mostly<unknown>(
      [{ 'memory.available': '100Mi' }, { 'nodefs.available': '10%' }, null],
      { a: 5 },
    ),
    evictionSoft: mostly<unknown>([{ 'memory.available': '1Gi' }, null], { a: 5 }),
    evictionMinimumReclaim: mostly<unknown>([{ 'memory.available': '0' }, null], 5),
    evictionPressureTransitionPeriod: mostly<unknown>(['30s', '0s', '5m'], 5),
    evictionMaxPodGracePeriod: mostly<unknown>([0, 30, null], 'a'),
    mergeDefaultEvictionSettings: flags,
    kernelMemcgNotification: flags,
    localStorageCapacityIsolation: flags,
    cgroupsPerQOS: mostly<unknown>([true, null], false, 5),
    enforceNodeAllocatable: mostly<unknown>([['pods'], ['none'], [], null], 'pods', [5]),
    clusterDomain: mostly<unknown>(['cluster.local', '', null], 5),
    clusterDNS: mostly<unknown>([['10.0.0.10'], []], '10.0.0.10', [5]),
    memorySwap: mostly<unknown>([{ swapBehavior: 'NoSwap' }], { swap: 1 }),
    podPidsLimit: mostly<unknown>([-1, 5], 'a'),
  },
  { requiredKeys: [] },
)

const configurations = fc
  .tuple(
    fields,
    fc.option(taints, { freq: 3 }),
    fc.option(fc.constantFrom('10s', '1s', '300s', '1m0.5s', '500ms', '301s', '0s'), { freq: 4 }),
    fc.constantFrom('', '', '', '', 'maxPod', 'MaxPods'),
    mostly(['kubelet.config.k8s.io/v1beta1'], 'kubelet.config.k8s.io/v1', 'v1', ''),
    mostly(['KubeletConfiguration'], 'Pod', 'CredentialProviderConfig', ''),
  )
  .map(([given, registerWithTaints, maxContainerRestartPeriod, unknown, apiVersion, kind]) => ({
    apiVersion,
    kind,
    ...given,
    // A kubelet finds only later that it is missing.
    evictionSoftGracePeriod: { 'memory.available': '1m30s' },
    ...(registerWithTaints === null ? {} : { registerWithTaints }),
    ...(maxContainerRestartPeriod === null
      ? {}
      : { crashLoopBackOff: { maxContainerRestartPeriod } }),
    ...(unknown === '' ? {} : { [unknown]: 5 }),
  }))

/** Texts of configurations, some of which a kubelet refuses. */
export const configurationTexts: fc.Arbitrary<string> = fc
  .tuple(configurations, fc.boolean())
  .map(([one, isYaml]) => (isYaml ? stringify(one) : JSON.stringify(one)))

const head = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n'

export const unusualConfigurations: readonly (readonly [string, string])[] = [
  ['an empty text', ''],
  ['a comment', '# a\n'],
  ['a list', '- a\n'],
  ['a text', 'abc\n'],
  ['no YAML', 'a: [\n'],
  ['no JSON', '{"a":'],
  ['only a kind', 'kind: KubeletConfiguration\n'],
  ['no field', head],
  ['a second document', `${head}maxPods: 5\n---\nmaxPods: 6\n`],
  ['a repeated field', `${head}maxPods: 5\nmaxPods: 6\n`],
  ['a repeated field inside', `${head}authentication:\n  webhook: {}\n  webhook: {}\n`],
  [
    'a repeated field in JSON',
    '{"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration","maxPods":5,"maxPods":6}',
  ],
  ['unknown fields', `${head}a: 1\nauthentication: { b: 2 }\n`],
  ['a field in other case', `${head}MaxPods: 5\n`],
  ['a wrong type after an unknown field', `${head}a: 1\nmaxPods: b\n`],
  ['two wrong types', `${head}maxPods: b\nregisterNode: 5\n`],
  ['a wrong type before a wrong duration', `${head}maxPods: b\nsyncFrequency: 5\n`],
  ['an empty duration', `${head}syncFrequency:\n`],
  ['an empty pointer to a duration', `${head}cpuCFSQuotaPeriod:\ncrashLoopBackOff:\n`],
  ['numbers as YAML writes them', `${head}maxPods: 0x10\neventBurst: 010\nregistryBurst: 1_0\n`],
  ['a boolean as YAML writes it', `${head}registerNode: off\n`],
  ['a number with a fraction of zero', `${head}maxPods: 5.0\n`],
  [
    'a taint with a time',
    `${head}registerWithTaints: [{ key: a, effect: NoSchedule, timeAdded: "2026-01-01T00:00:00Z" }]\n`,
  ],
  ['an empty taint', `${head}registerWithTaints: [{}]\n`],
  [
    'a restart period without the gate',
    `${head}crashLoopBackOff: { maxContainerRestartPeriod: 5s }\n`,
  ],
  [
    'the gate without a restart period',
    `${head}featureGates: { KubeletCrashLoopBackOffMax: true }\n`,
  ],
  ['only the update frequency', `${head}nodeStatusUpdateFrequency: 7s\n`],
]
