import fc from 'fast-check'
import type { JsonObject } from '../../../src/shared/json.ts'

/** Pods with the fields that PodSecurity checks, good and bad, and namespaces whose labels say what is checked. */

/** Each field in about every second value. */
function some(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<JsonObject> {
  return fc.record(fields, { requiredKeys: [] })
}

/** Mostly the first value, which no check refuses. */
function mostly<T>(good: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(good) },
    { weight: 1, arbitrary: fc.constantFrom(good, ...others) },
  )
}

const profiles = mostly('RuntimeDefault', 'Localhost', 'Unconfined', '').map((type) => ({ type }))

const seLinuxOptions = some({
  type: mostly('container_t', '', 'container_engine_t', 'spc_t', 'unconfined_t'),
  level: fc.constant('s0'),
  user: mostly('', 'system_u'),
  role: mostly('', 'system_r'),
})

const windowsOptions = some({ hostProcess: mostly(false, true) })

const shared = {
  runAsNonRoot: mostly(true, false),
  runAsUser: mostly(1000, 0),
  seccompProfile: profiles,
  appArmorProfile: profiles,
  seLinuxOptions,
  windowsOptions,
}

const capabilities = some({
  drop: mostly(['ALL'], [], ['NET_RAW'], ['KILL', 'ALL']),
  add: mostly<readonly string[]>([], ['NET_BIND_SERVICE'], ['CHOWN'], ['SYS_ADMIN', 'NET_RAW']),
})

const securityContext = some({
  ...shared,
  privileged: mostly(false, true),
  allowPrivilegeEscalation: mostly(false, true),
  procMount: mostly('Default', 'Unmasked'),
  capabilities,
})

const actions = some({
  httpGet: some({ port: fc.constant(80), host: mostly('', 'b.example', 'a"b') }),
  tcpSocket: some({ port: fc.constant(80), host: mostly('', 'a.example') }),
})

const container = fc
  .record(
    {
      image: fc.constantFrom('i', 'j'),
      securityContext,
      ports: fc.array(
        fc.record({ containerPort: fc.constant(80), hostPort: mostly(0, 80, 9, 8080) }),
        { maxLength: 2 },
      ),
      livenessProbe: actions,
      readinessProbe: actions,
      startupProbe: actions,
      lifecycle: some({ postStart: actions, preStop: actions }),
    },
    { requiredKeys: ['image'] },
  )
  .map((one): JsonObject => one)

/** Named by their place. */
function containers(prefix: string, minLength: number): fc.Arbitrary<readonly JsonObject[]> {
  return fc
    .array(container, { minLength, maxLength: 3 })
    .map((all) => all.map((one, index) => ({ name: `${prefix}${index}`, ...one })))
}

const goodSources = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]

const badSources = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
  'none',
]

const volumes = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...goodSources) },
      { weight: 1, arbitrary: fc.constantFrom(...badSources) },
    ),
    { maxLength: 3 },
  )
  .map((sources) => sources.map((source, index) => ({ name: `v${index}`, [source]: {} })))

const sysctls = fc
  .array(
    fc.constantFrom(
      'kernel.shm_rmid_forced',
      'net.ipv4.ip_local_reserved_ports',
      'net.ipv4.tcp_keepalive_time',
      'net.ipv4.tcp_rmem',
      'kernel.msgmax',
      '',
    ),
    { maxLength: 2 },
  )
  .map((names) => names.map((name) => ({ name, value: '0' })))

const spec = fc
  .tuple(
    containers('c', 1),
    some({
      initContainers: containers('i', 0),
      ephemeralContainers: containers('e', 0),
      volumes,
      hostNetwork: mostly(false, true),
      hostPID: mostly(false, true),
      hostIPC: mostly(false, true),
      hostUsers: mostly(true, false),
      os: mostly({ name: 'linux' }, { name: 'windows' }),
      securityContext: some({ ...shared, sysctls }),
    }),
  )
  .map(([all, rest]): JsonObject => ({ containers: all, ...rest }))

const annotations = some({
  'seccomp.security.alpha.kubernetes.io/pod': mostly('runtime/default', 'unconfined', 'a"b'),
  'container.seccomp.security.alpha.kubernetes.io/c0': mostly('localhost/x', 'unconfined', ''),
  'container.seccomp.security.alpha.kubernetes.io/other': fc.constant('unconfined'),
  'container.apparmor.security.beta.kubernetes.io/c0': mostly('runtime/default', 'unconfined', ''),
  'container.apparmor.security.beta.kubernetes.io/other': mostly('localhost/x', 'unconfined'),
})

const emptyMeta = fc.constant<JsonObject>({})

/** A pod, or a template of pods. */
export const securedPods: fc.Arbitrary<JsonObject> = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: emptyMeta }, { weight: 1, arbitrary: annotations }), spec)
  .map(([own, rest]) => ({
    metadata: { name: 'x', namespace: 'n', annotations: own },
    spec: rest,
  }))

export const securityLevels = fc.constantFrom('privileged', 'baseline', 'restricted' as const)

/** The versions at which a check changes, those around them, and others. */
export const securityVersions = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map((minor) => `v1.${minor}`),
  fc.constantFrom('latest', 'v1.9223372036854775807'),
)

const labelledLevels = mostly('restricted', 'privileged', 'baseline', '', 'Baseline', 'strict')
const labelledVersions = fc.oneof(
  { weight: 4, arbitrary: securityVersions },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '1.20', 'v1', 'v2.0', 'v1.01', 'v1.9223372036854775808'),
  },
)

const prefix = 'pod-security.kubernetes.io'

/** The labels of a namespace. */
export const securityLabels = fc.record(
  {
    [`${prefix}/enforce`]: labelledLevels,
    [`${prefix}/enforce-version`]: labelledVersions,
    [`${prefix}/audit`]: labelledLevels,
    [`${prefix}/audit-version`]: labelledVersions,
    [`${prefix}/warn`]: labelledLevels,
    [`${prefix}/warn-version`]: labelledVersions,
    [`${prefix}/other`]: fc.constant('x'),
  },
  { requiredKeys: [] },
)
