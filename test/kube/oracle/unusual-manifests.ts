const pod = (rest: string, metadata = 'name: web'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  ${metadata}\nspec:\n  containers:\n  - name: c\n    image: i\n${rest}`

const withVolume = (source: string): string => pod(`  volumes:\n  - name: v\n    ${source}\n`)
const resources = (cases: readonly (readonly [string, string])[]): [string, string][] =>
  cases.map(([what, reference]) => [
    `a variable from a resource: ${what}`,
    pod(`    env: [{name: A, valueFrom: {resourceFieldRef: {${reference}}}}]\n`),
  ])
const security = (cases: readonly (readonly [string, string])[]): [string, string][] =>
  cases.map(([what, context]) => [
    `a container with ${what}`,
    pod(`    securityContext: {${context}}\n`),
  ])
const inList = (...items: readonly string[]): string =>
  `apiVersion: v1\nkind: PodList\nitems:${items.map((item) => `\n- ${item}`).join('') || ' []'}\n`
const item = '{metadata: {name: web}, spec: {containers: [{name: c, image: i}]}}'

/** Unusual manifests, each with its peculiarity. */
export const unusualManifests: readonly (readonly [string, string])[] = [
  ['an unknown field', pod('  color: red\n')],
  ['a field in another case', pod('  hostnetwork: true\n')],
  ['a plain pod', pod('')],
  ['nothing', ''],
  ['blanks', '  \n\n'],
  ['a comment', '# later\n'],
  ['null', 'null'],
  ['a document mark', '---\n'],
  ['a number', '7'],
  ['a text', 'hello'],
  ['a list', '- a\n'],
  ['an empty object', '{}'],
  ['a pod behind a document mark', `---\n${pod('')}`],
  ['an empty first document', `---\n---\n${pod('')}`],
  ['a comment as first document', `# c\n---\n${pod('')}`],
  ['two documents', `${pod('')}---\n${pod('', 'name: other')}`],
  ['a broken second document', `${pod('')}---\n{[`],
  ['an end mark', `${pod('')}...\n`],
  ['a byte order mark', `\uFEFF${pod('')}`],
  ['Windows line ends', pod('').replaceAll('\n', '\r\n')],
  ['a tab for indentation', pod('\thostNetwork: true\n')],
  ['broken YAML', 'apiVersion: [v1\nkind: Pod'],
  ['broken JSON', '{"apiVersion":"v1","kind":"Pod",'],
  [
    'JSON',
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    }),
  ],
  [
    'YAML in flow style',
    '{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: c, image: i}]}}',
  ],
  [
    'JSON with a trailing comma',
    '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[{"name":"c","image":"i"}],}}',
  ],
  [
    'JSON and more',
    '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[{"name":"c","image":"i"}]}} {}',
  ],
  [
    'JSON with a field twice',
    '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"metadata":{"name":"web"},"spec":{"containers":[{"name":"c","image":"i"}]}}',
  ],
  ['a field twice', pod('  hostNetwork: false\n  hostNetwork: true\n')],
  ['an anchor', pod('  nodeSelector: &a {x: y}\n', 'name: web\n  labels: {l: m}')],
  [
    'an anchor and an alias',
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  labels: &l {a: b}\n  annotations: *l\nspec: {containers: [{name: c, image: i}]}\n',
  ],
  [
    'a merge key',
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  labels: &l {a: b}\n  annotations: {<<: *l, c: d}\nspec: {containers: [{name: c, image: i}]}\n',
  ],
  ['an anchor in itself', 'apiVersion: v1\nkind: Pod\nmetadata: &m {name: web, labels: *m}\n'],
  ['no kind', 'apiVersion: v1\nmetadata: {name: web}\n'],
  ['no version', 'kind: Pod\nmetadata: {name: web}\n'],
  ['an old version', pod('').replace('v1', 'v1beta3')],
  ['another group', pod('').replace('v1', 'apps/v1')],
  ['a kind in lower case', pod('').replace('kind: Pod', 'kind: pod')],
  ['a Service', 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n'],
  ['a Deployment', 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n'],
  ['an unknown kind', 'apiVersion: v1\nkind: Thing\nmetadata: {name: web}\n'],
  ['a list of pods', inList(item, item.replace('web', 'other'))],
  ['an empty list of pods', inList()],
  ['a list of pods without items', 'apiVersion: v1\nkind: PodList\n'],
  ['a list with a bad pod', inList(item, '{metadata: {name: bad}, spec: {}}')],
  ['a list with a nameless pod', inList(item, '{spec: {containers: [{name: c, image: i}]}}')],
  ['a list with an item of another kind', inList(item, '{kind: Service, metadata: {name: s}}')],
  ['a List of pods', `apiVersion: v1\nkind: List\nitems:\n- ${item}\n`],
  ['a list whose items are no list', 'apiVersion: v1\nkind: PodList\nitems: {}\n'],
  ['no metadata', 'apiVersion: v1\nkind: Pod\nspec: {containers: [{name: c, image: i}]}\n'],
  ['no name', pod('', 'labels: {a: b}')],
  ['an empty name', pod('', 'name: ""')],
  ['generateName alone', pod('', 'generateName: web-')],
  ['a bad name', pod('', 'name: Web_1')],
  ['a number for a name', pod('', 'name: 1')],
  ['a name in quotes that is a number', pod('', 'name: "1"')],
  ['a name of 247 characters', pod('', `name: ${'a'.repeat(247)}`)],
  ['a name that the node makes too long', pod('', `name: ${'a'.repeat(250)}`)],
  ['a bad namespace', pod('', 'name: web\n  namespace: Bad_Space')],
  ['a namespace', pod('', 'name: web\n  namespace: other')],
  ['an empty namespace', pod('', 'name: web\n  namespace: ""')],
  ['a uid of its own', pod('', 'name: web\n  uid: abc')],
  ['labels that are bad', pod('', 'name: web\n  labels: {"a b": c, d: "e f"}')],
  [
    'annotations of the kubelet',
    pod(
      '',
      'name: web\n  annotations: {kubernetes.io/config.hash: x, kubernetes.io/config.source: api, kubernetes.io/config.seen: z}',
    ),
  ],
  ['a mirror annotation', pod('', 'name: web\n  annotations: {kubernetes.io/config.mirror: x}')],
  ['a boolean label', pod('', 'name: web\n  labels: {a: yes}')],
  ['a null label', pod('', 'name: web\n  labels: {a: null}')],
  ['a deletion time', pod('', 'name: web\n  deletionTimestamp: "2026-01-01T00:00:00Z"')],
  [
    'owners and finalizers',
    pod(
      '',
      'name: web\n  finalizers: [a/b]\n  ownerReferences: [{apiVersion: v1, kind: Node, name: n, uid: u}]',
    ),
  ],
  [
    'a resource version and a generation',
    pod('', 'name: web\n  resourceVersion: "7"\n  generation: 3'),
  ],
  ['no spec', 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n'],
  ['a null spec', 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: null\n'],
  ['no containers', 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: []}\n'],
  [
    'a container without an image',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: c}]}\n',
  ],
  [
    'two containers of one name',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: c, image: i}, {name: c, image: i}]}\n',
  ],
  ['a node of its own', pod('  nodeName: other\n')],
  ['a text for a boolean', pod('  hostNetwork: "true"\n')],
  ['yes for a boolean', pod('  hostNetwork: yes\n')],
  ['a text for a number', pod('  terminationGracePeriodSeconds: "30"\n')],
  ['a fraction for a number', pod('  terminationGracePeriodSeconds: 1.5\n')],
  ['a whole fraction for a number', pod('  terminationGracePeriodSeconds: 1.0\n')],
  ['an octal number', pod('  terminationGracePeriodSeconds: 010\n')],
  ['a negative grace', pod('  terminationGracePeriodSeconds: -5\n')],
  ['a grace of none', pod('  terminationGracePeriodSeconds: 0\n')],
  ['a restart policy that is none', pod('  restartPolicy: Sometimes\n')],
  ['ephemeral containers', pod('  ephemeralContainers: [{name: e, image: i}]\n')],
  ['a restart policy of a container', pod('    restartPolicy: Always\n')],
  [
    'an init container’s restart policy that is none',
    pod('  initContainers: [{name: s, image: i, restartPolicy: OnFailure}]\n'),
  ],
  ['a sidecar', pod('  initContainers: [{name: s, image: i, restartPolicy: Always}]\n')],
  [
    'a toleration that is there',
    pod('  tolerations: [{operator: Exists, effect: NoExecute, tolerationSeconds: 5}]\n'),
  ],
  [
    'another toleration',
    pod(
      '  tolerations: [{key: a, operator: Equal, value: b, effect: NoExecute}, {operator: Exists}]\n',
    ),
  ],
  ['a service account', pod('  serviceAccountName: default\n')],
  ['the old service account', pod('  serviceAccount: default\n')],
  ['no token', pod('  automountServiceAccountToken: false\n')],
  ['an empty service account', pod('  serviceAccountName: ""\n')],
  ['pull secrets', pod('  imagePullSecrets: [{name: s}]\n')],
  ['an empty pull secret', pod('  imagePullSecrets: [{}]\n')],
  ['resource claims', pod('  resourceClaims: [{name: r, resourceClaimName: x}]\n')],
  ['an environment from a config map', pod('    envFrom: [{configMapRef: {name: m}}]\n')],
  ['an environment from a secret', pod('    envFrom: [{secretRef: {name: m}}]\n')],
  [
    'a variable from a secret',
    pod('    env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}]\n'),
  ],
  [
    'a variable from a config map',
    pod('    env: [{name: A, valueFrom: {configMapKeyRef: {name: s, key: k}}}]\n'),
  ],
  [
    'a variable from the pod',
    pod('    env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]\n'),
  ],
  ['a number for a variable', pod('    env: [{name: A, value: 1}]\n')],
  [
    'resources in many forms',
    pod(
      '    resources: {limits: {cpu: 1500m, memory: 1024Mi}, requests: {cpu: 0.5, memory: 1e3}}\n',
    ),
  ],
  ['a request above its limit', pod('    resources: {limits: {cpu: 1}, requests: {cpu: 2}}\n')],
  ['a quantity that is none', pod('    resources: {limits: {cpu: lots}}\n')],
  [
    'ports',
    pod(
      '    ports: [{containerPort: 80}, {containerPort: 53, protocol: UDP, hostPort: 53, name: dns}]\n',
    ),
  ],
  ['ports on the host network', pod('    ports: [{containerPort: 80}]\n  hostNetwork: true\n')],
  ['a port that is none', pod('    ports: [{containerPort: 99999}]\n')],
  [
    'probes',
    pod(
      '    livenessProbe: {httpGet: {port: 80}}\n    readinessProbe: {exec: {command: [a]}}\n    startupProbe: {tcpSocket: {port: http}}\n',
    ),
  ],
  ['a probe without a handler', pod('    livenessProbe: {periodSeconds: 5}\n')],
  [
    'lifecycle hooks',
    pod('    lifecycle: {preStop: {sleep: {seconds: 5}}, postStart: {exec: {command: [a]}}}\n'),
  ],
  ['a privileged container', pod('    securityContext: {privileged: true}\n')],
  ['a security context', pod('  securityContext: {runAsUser: 1000, fsGroup: 7}\n')],
  ['a config map', withVolume('configMap: {name: m}')],
  ['a config map without a name', withVolume('configMap: {}')],
  ['a secret', withVolume('secret: {secretName: s}')],
  ['a claim', withVolume('persistentVolumeClaim: {claimName: c}')],
  [
    'an ephemeral volume',
    withVolume(
      'ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}',
    ),
  ],
  ['a CSI volume', withVolume('csi: {driver: d.example.com}')],
  ['a glusterfs volume', withVolume('glusterfs: {endpoints: e, path: p}')],
  ['an azure file', withVolume('azureFile: {secretName: s, shareName: share}')],
  ['an empty folder', withVolume('emptyDir: {}')],
  ['an empty folder of a size', withVolume('emptyDir: {medium: Memory, sizeLimit: 1Gi}')],
  ['a host path', withVolume('hostPath: {path: /tmp}')],
  ['a host path that goes up', withVolume('hostPath: {path: /tmp/../etc}')],
  ['a host path of a kind', withVolume('hostPath: {path: /tmp, type: Directory}')],
  ['a volume of no kind', pod('  volumes: [{name: v}]\n')],
  ['a volume of two kinds', withVolume('emptyDir: {}\n    hostPath: {path: /a}')],
  [
    'a downward volume',
    withVolume('downwardAPI: {items: [{path: a, fieldRef: {fieldPath: metadata.name}}]}'),
  ],
  ['an NFS volume', withVolume('nfs: {server: s, path: /p}')],
  [
    'an iSCSI volume with a secret',
    withVolume(
      'iscsi: {targetPortal: "1.2.3.4:3260", iqn: "iqn.2001-04.com.example:storage", lun: 0, chapAuthSession: true, secretRef: {name: s}}',
    ),
  ],
  ['a projected config map', withVolume('projected: {sources: [{configMap: {name: m}}]}')],
  ['a projected secret', withVolume('projected: {sources: [{secret: {name: m}}]}')],
  [
    'a projected downward API',
    withVolume(
      'projected: {sources: [{downwardAPI: {items: [{path: a, fieldRef: {fieldPath: metadata.name}}]}}]}',
    ),
  ],
  ['a projected nothing', withVolume('projected: {sources: [{}]}')],
  ['a mount of no volume', pod('    volumeMounts: [{name: v, mountPath: /v}]\n')],
  [
    'a mount',
    pod('    volumeMounts: [{name: v, mountPath: /v}]\n  volumes: [{name: v, emptyDir: {}}]\n'),
  ],
  [
    'affinity',
    pod(
      '  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b]}]}]}}}\n',
    ),
  ],
  [
    'host aliases and DNS',
    pod(
      '  hostAliases: [{ip: 127.0.0.1, hostnames: [a]}]\n  dnsPolicy: None\n  dnsConfig: {nameservers: [1.1.1.1]}\n',
    ),
  ],
  ['a priority', pod('  priority: 2000001000\n  priorityClassName: system-node-critical\n')],
  ['scheduling gates', pod('  schedulingGates: [{name: a}]\n')],
  [
    'spread constraints',
    pod(
      '  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]\n',
    ),
  ],
  ['a runtime class and overhead', pod('  runtimeClassName: r\n  overhead: {cpu: 10m}\n')],
  ['user namespaces', pod('  hostUsers: false\n')],
  ['an operating system', pod('  os: {name: linux}\n')],
  ['an image volume without a pull policy', withVolume('image: {reference: r}')],
  ['an image volume', withVolume('image: {reference: r, pullPolicy: Always}')],
  ['an image volume without an image', withVolume('image: {pullPolicy: Never}')],
  ['an image volume with a policy that is none', withVolume('image: {pullPolicy: Often}')],
  ['a variable that begins with a digit', pod('    env: [{name: "1", value: x}]\n')],
  ['a variable with a blank', pod('    env: [{name: "a b", value: x}]\n')],
  ['a variable that is a folder', pod('    env: [{name: ., value: x}]\n')],
  ['a variable that is the folder above', pod('    env: [{name: .., value: x}]\n')],
  ['a variable that begins with two dots', pod('    env: [{name: ..a, value: x}]\n')],
  ['an environment from nowhere', pod('    envFrom: [{}]\n')],
  ['an environment from a nameless config map', pod('    envFrom: [{configMapRef: {}}]\n')],
  [
    'an environment from two',
    pod('    envFrom: [{configMapRef: {name: a}, secretRef: {name: b}}]\n'),
  ],
  ['fractions', pod('', 'name: web\n  annotations: {a: "."}\n  labels: {b: .}')],
  ['a fraction without a digit behind', pod('  terminationGracePeriodSeconds: 5.\n')],
  ['a prefix that begins with a digit', pod('    envFrom: [{prefix: "1"}]\n')],
  ...resources([
    ['a limit', 'resource: limits.cpu'],
    ['a limit in thousandths', 'resource: limits.cpu, divisor: 1m'],
    ['a limit in bad parts', 'resource: limits.cpu, divisor: 10m'],
    ['a request in thousandths', 'resource: requests.cpu, divisor: 0.001'],
    ['memory in Mi', 'resource: limits.memory, divisor: 1Mi'],
    ['memory in bytes', 'resource: limits.memory, divisor: "1"'],
    ['memory in two Mi', 'resource: limits.memory, divisor: 2Mi'],
    ['storage in bad parts', 'resource: limits.ephemeral-storage, divisor: 5'],
    ['huge pages', 'resource: limits.hugepages-2Mi'],
    ['huge pages in bad parts', 'resource: requests.hugepages-2Mi, divisor: 3Ki'],
    ['no resource', 'divisor: "1"'],
    ['a resource that is none', 'resource: limits.gpu, divisor: 7'],
    ['a divisor of nothing', 'resource: limits.cpu, divisor: 0'],
    ['a divisor that is none', 'resource: limits.cpu, divisor: some'],
    ['a number for a resource', 'resource: 5'],
  ]),
  ['a user that is none', pod('  securityContext: {runAsUser: -1}\n')],
  ['a user beyond all', pod('  securityContext: {runAsUser: 2147483648}\n')],
  ['a user in words', pod('  securityContext: {runAsUser: root}\n')],
  [
    'groups that are none',
    pod('  securityContext: {runAsGroup: -1, fsGroup: -2, supplementalGroups: [1, -3]}\n'),
  ],
  [
    'policies of a security context',
    pod('  securityContext: {fsGroupChangePolicy: Always, supplementalGroupsPolicy: Merge}\n'),
  ],
  [
    'policies of a security context that are none',
    pod(
      '  securityContext: {fsGroupChangePolicy: A, supplementalGroupsPolicy: B, seLinuxChangePolicy: C}\n',
    ),
  ],
  ['an SELinux policy', pod('  securityContext: {seLinuxChangePolicy: Recursive}\n')],
  ['processes shared twice', pod('  shareProcessNamespace: true\n  hostPID: true\n')],
  ['processes shared', pod('  shareProcessNamespace: true\n')],
  [
    'sysctls',
    pod(
      '  securityContext: {sysctls: [{name: kernel.shm_rmid_forced, value: "0"}, {name: net/a}]}\n',
    ),
  ],
  [
    'sysctls that are bad',
    pod('  securityContext: {sysctls: [{name: ""}, {name: A.b}, {name: a.b}, {name: a.b}]}\n'),
  ],
  [
    'sysctls of the host',
    pod(
      '  hostNetwork: true\n  hostIPC: true\n  securityContext: {sysctls: [{name: net.a}, {name: kernel.msgmax}, {name: fs.mqueue.a}, {name: kernel.x}]}\n',
    ),
  ],
  ...security([
    ['a user', 'runAsUser: 5, runAsGroup: 7'],
    ['a user that is none', 'runAsUser: -1'],
    ['a group that is none', 'runAsGroup: -1'],
    ['a mount of proc', 'procMount: Default'],
    ['a mount of proc that is none', 'procMount: Masked'],
    ['a mount of all of proc', 'procMount: Unmasked'],
    ['a seccomp profile', 'seccompProfile: {type: RuntimeDefault}'],
    ['a seccomp profile of no type', 'seccompProfile: {}'],
    ['a seccomp profile of a bad type', 'seccompProfile: {type: Any}'],
    ['a local seccomp profile', 'seccompProfile: {type: Localhost, localhostProfile: a/b}'],
    ['a local seccomp profile without a path', 'seccompProfile: {type: Localhost}'],
    ['a seccomp profile of the root', 'seccompProfile: {type: Localhost, localhostProfile: /a}'],
    ['a seccomp profile above', 'seccompProfile: {type: Localhost, localhostProfile: a/../../b}'],
    ['an AppArmor profile', 'appArmorProfile: {type: Unconfined}'],
    ['an AppArmor profile of no type', 'appArmorProfile: {}'],
    ['an AppArmor profile of a bad type', 'appArmorProfile: {type: Any}'],
    ['a local AppArmor profile', 'appArmorProfile: {type: Localhost, localhostProfile: a}'],
    ['a local AppArmor profile without a name', 'appArmorProfile: {type: Localhost}'],
    [
      'a local AppArmor profile with blanks',
      'appArmorProfile: {type: Localhost, localhostProfile: " a"}',
    ],
    [
      'an AppArmor profile with a name too many',
      'appArmorProfile: {type: RuntimeDefault, localhostProfile: a}',
    ],
    ['no escalation', 'allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}'],
    ['a number for a boolean', 'privileged: 1'],
    ['a text for capabilities', 'capabilities: ALL'],
  ]),
  ['a hook that does not sleep', pod('    lifecycle: {preStop: {sleep: {seconds: 0}}}\n')],
  ['a hook that sleeps too long', pod('    lifecycle: {preStop: {sleep: {seconds: 31}}}\n')],
]

/** What ours takes otherwise: explained in docs/differences.md, or named in docs/gaps.md. */
export const explainedManifests: readonly (readonly [string, string])[] = [
  ['an explicit zero value', pod('  hostNetwork: false\n')],
  ['an address in a status', pod('status: {podIP: 10.0.0.1}\n')],
]

/** One pod in many spellings, and others that are nearly the same. */
export const uidManifests: readonly string[] = [
  pod(''),
  `# a comment\n${pod('')}`,
  'spec: {containers: [{image: i, name: c}]}\nkind: Pod\nmetadata: {name: web}\napiVersion: v1\n',
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  }),
  pod('  restartPolicy: Always\n'),
  pod('  terminationGracePeriodSeconds: 30\n  dnsPolicy: ClusterFirst\n'),
  pod('  restartPolicy: null\n'),
  pod('', 'name: web\n  namespace: default'),
  pod('', 'name: web\n  uid: own'),
  pod('', 'name: web\n  labels: {a: b}'),
  pod('    resources: {limits: {cpu: 1}}\n'),
  pod('  tolerations: [{operator: Exists, effect: NoExecute}]\n'),
  pod('  nodeName: node1\n'),
]

/** One amount in two spellings. */
export const sameAmounts: readonly string[] = ['1', '1000m'].map((amount) =>
  pod(`    resources: {limits: {cpu: ${amount}}}\n`),
)
