/**
 * Every field of a pod, in one of three lists: fields that Nodescope acts on, fields that it does not act on (each with a
 * rule that says so), and fields that no node acts on. To implement a field, delete its rule, name the field in `actedOn`,
 * and delete the rule's row in docs/gaps.md. `pod-fields.test.ts` holds the lists against the schema and the document.
 *
 * A path stands for the field and everything below it; the longest path that fits a field decides. `[*]` is any index.
 */
import { isJsonObject, textAt } from '../json.ts'
import type { Pod } from '../kubernetes/objects.ts'

/** One thing that a pod asks for and does not get. */
export interface NotSimulatedRule {
  /** Stable: docs/gaps.md, the trace and recordings name the rule by it. */
  readonly id: string
  readonly fields: readonly string[]
  /** What happens instead, as a clause that follows the field's path. */
  readonly message: string
  /** Values that ask for nothing more than what happens anyway. */
  readonly defaults?: readonly unknown[]
  /** False: the value asks for nothing more than what happens anyway. */
  readonly applies?: (value: unknown, pod: Pod) => boolean
  /** Whose part it is; `control plane`: only a pod that the sandbox's control plane looks after misses it. Default `node`. */
  readonly part?: 'node' | 'control plane'
}

function inContainers(...fields: readonly string[]): readonly string[] {
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) =>
    fields.map((field) => `spec.${list}[*].${field}`),
  )
}

function volume(
  id: string,
  message: string,
  ...sources: readonly [string, ...string[]]
): NotSimulatedRule {
  return {
    id: `volume-${id}`,
    fields: sources.map((source) => `spec.volumes[*].${source}`),
    message,
  }
}

/** Found by the reader of commands, not by the presence of a field. */
export const commandRule: NotSimulatedRule = {
  id: 'command',
  fields: inContainers('command', 'args'),
  message:
    'command not understood; it runs until stopped, then exits 0; its ports are those of a known server, or assumed',
}

/** The same, where the image alone says what runs. */
export const imageCommandRule: NotSimulatedRule = {
  id: 'image-command',
  fields: inContainers('image'),
  message:
    'what this image runs is unknown: it runs until stopped, then exits 0; open ports are assumed (a command changes that)',
}

/** The same of probes and hooks. */
export const handlerCommandRule: NotSimulatedRule = {
  id: 'handler-command',
  fields: inContainers(
    'livenessProbe.exec',
    'readinessProbe.exec',
    'startupProbe.exec',
    'lifecycle.postStart.exec',
    'lifecycle.preStop.exec',
  ),
  message: 'command not understood; running it is an error: a probe has no result, a hook fails',
}

/** The API groups of the sandbox, and the version of the core group. */
const groupsWithOwners: ReadonlySet<string> = new Set([
  'v1',
  'apps',
  'batch',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'node.k8s.io',
  'policy',
  'scheduling.k8s.io',
  'storage.k8s.io',
])

/** Each found by its fields. */
export const fieldRules: readonly NotSimulatedRule[] = [
  // containers
  {
    id: 'stop-signal',
    fields: inContainers('lifecycle.stopSignal'),
    message: 'ignored; the container is stopped with SIGTERM',
  },
  {
    id: 'container-restart-policy',
    fields: inContainers('restartPolicy'),
    message:
      'removed, as with feature gate ContainerRestartRules off; the restartPolicy of the pod decides',
    // A sidecar's.
    defaults: ['Always'],
  },
  {
    id: 'container-restart-rules',
    fields: inContainers('restartPolicyRules'),
    message:
      'removed, as with feature gate ContainerRestartRules off; the restartPolicy of the pod decides',
  },
  {
    id: 'env-file',
    fields: inContainers('env[*].valueFrom.fileKeyRef'),
    message: 'the variable is empty, as with feature gate EnvFiles off',
  },
  {
    id: 'limits',
    fields: [...inContainers('resources.limits'), 'spec.resources.limits'],
    message:
      'use counts only as annotated (simulated.nodescope.dev/memory, cpu): it is then throttled or OOM-killed',
    defaults: [{}],
  },
  {
    id: 'resource-claims',
    fields: [...inContainers('resources.claims'), 'spec.resources.claims', 'spec.resourceClaims'],
    message: 'no device is allocated; the pod starts without it',
  },
  {
    id: 'mount-propagation',
    fields: inContainers('volumeMounts[*].mountPropagation'),
    message: 'ignored; later mounts on the node and in the container do not reach the other side',
    defaults: ['None'],
  },
  {
    id: 'volume-devices',
    fields: inContainers('volumeDevices'),
    message: 'no block device is attached; the container runs without it',
  },
  {
    id: 'container-security-context',
    fields: inContainers(
      ...[
        'privileged',
        'capabilities',
        'runAsUser',
        'runAsGroup',
        'readOnlyRootFilesystem',
        'allowPrivilegeEscalation',
        'procMount',
        'seccompProfile',
        'seLinuxOptions',
        'windowsOptions',
      ].map((field) => `securityContext.${field}`),
    ),
    message: 'restricts nothing: the simulated process may do everything; `id` shows its user',
  },
  // volumes
  {
    id: 'volume-trust-bundle',
    fields: ['clusterTrustBundle', 'podCertificate'].map(
      (source) => `spec.volumes[*].projected.sources[*].${source}`,
    ),
    message: 'the volume cannot be set up; the containers of the pod do not start',
  },
  {
    id: 'volume-medium',
    fields: ['spec.volumes[*].emptyDir.medium'],
    message: 'ignored; the volume is an ordinary folder of the node',
    defaults: [''],
  },
  volume(
    'claim',
    'a folder of the node takes the place of the volume that the claim is bound to',
    'persistentVolumeClaim',
  ),
  volume(
    'ephemeral',
    'an empty folder of the node takes the place of the volume that its claim is bound to',
    'ephemeral',
  ),
  volume(
    'csi',
    'the CSI driver is not called; an empty folder takes the place of the volume',
    'csi',
  ),
  volume(
    'image',
    'the image is not mounted; an empty folder takes the place of the volume',
    'image',
  ),
  volume(
    'storage',
    'the storage is not attached; an empty folder takes the place of the volume',
    'nfs',
    'awsElasticBlockStore',
    'azureDisk',
    'azureFile',
    'cephfs',
    'cinder',
    'fc',
    'flexVolume',
    'flocker',
    'gcePersistentDisk',
    'gitRepo',
    'glusterfs',
    'iscsi',
    'photonPersistentDisk',
    'portworxVolume',
    'quobyte',
    'rbd',
    'scaleIO',
    'storageos',
    'vsphereVolume',
  ),
  // the pod
  {
    id: 'target-container',
    fields: ['spec.ephemeralContainers[*].targetContainerName'],
    message:
      'must run; its processes are not visible: each container has its own, and its command is PID 1',
  },
  {
    id: 'image-pull-secrets',
    fields: ['spec.imagePullSecrets'],
    message:
      'no registry asks for credentials; the image name alone decides whether a pull succeeds',
  },
  {
    id: 'host-namespaces',
    fields: ['spec.hostPID', 'spec.hostIPC'],
    message: 'ignored; each container has its own processes, and its command is PID 1',
    defaults: [false],
  },
  {
    id: 'shared-processes',
    fields: ['spec.shareProcessNamespace'],
    message: 'ignored; each container has its own processes, and its command is PID 1',
    defaults: [false],
  },
  {
    id: 'user-namespace',
    fields: ['spec.hostUsers'],
    message: 'ignored; there are no user namespaces',
    defaults: [true],
  },
  {
    id: 'hostname',
    fields: ['spec.hostnameOverride'],
    message: 'ignored; the feature gate HostnameOverride is off by default',
  },
  {
    id: 'dns',
    fields: ['spec.dnsPolicy', 'spec.dnsConfig'],
    message: 'in resolv.conf; simulated commands resolve the names of Services, whatever it says',
    defaults: ['ClusterFirst', {}],
  },
  {
    id: 'pod-security-context',
    fields: [
      'runAsUser',
      'runAsGroup',
      'supplementalGroups',
      'supplementalGroupsPolicy',
      'fsGroup',
      'fsGroupChangePolicy',
      'seccompProfile',
      'seLinuxOptions',
      'seLinuxChangePolicy',
      'windowsOptions',
    ].map((field) => `spec.securityContext.${field}`),
    message: 'restricts nothing: simulated processes may do everything; `id` shows their user',
  },
  // the sandbox's control plane
  {
    id: 'owner-references',
    fields: ['metadata.ownerReferences[*]'],
    message: 'the sandbox does not have the kind of this owner; the pod is not deleted when it is',
    applies: (value) =>
      isJsonObject(value) && !groupsWithOwners.has(textAt(value, 'apiVersion').split('/')[0] ?? ''),
    part: 'control plane',
  },
]

/** All rules, those of commands first. */
export const notSimulatedRules: readonly NotSimulatedRule[] = [
  commandRule,
  imageCommandRule,
  handlerCommandRule,
  ...fieldRules,
]

/** Fields that server, scheduler, kubelet or runtime act on, and what the server keeps by itself. */
export const actedOn: readonly string[] = [
  'metadata.name',
  'metadata.generateName',
  'metadata.namespace',
  'metadata.uid',
  'metadata.resourceVersion',
  'metadata.generation',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'metadata.deletionGracePeriodSeconds',
  'metadata.labels',
  'metadata.annotations',
  'metadata.finalizers',
  'spec.activeDeadlineSeconds',
  'spec.affinity',
  'spec.enableServiceLinks',
  'spec.hostAliases',
  'spec.hostname',
  'spec.setHostnameAsFQDN',
  'spec.hostNetwork',
  'spec.nodeName',
  'spec.nodeSelector',
  'spec.os',
  'spec.overhead',
  'spec.preemptionPolicy',
  'spec.priority',
  'spec.priorityClassName',
  'spec.readinessGates',
  'spec.resources.requests',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.schedulingGates',
  'spec.securityContext.appArmorProfile',
  'spec.securityContext.runAsNonRoot',
  'spec.securityContext.sysctls',
  'spec.runtimeClassName',
  'spec.serviceAccount',
  'spec.serviceAccountName',
  'spec.subdomain',
  'spec.terminationGracePeriodSeconds',
  'spec.tolerations',
  'spec.topologySpreadConstraints',
  ...[
    'name',
    'configMap',
    'downwardAPI',
    'emptyDir.sizeLimit',
    'hostPath',
    'projected',
    'secret',
  ].map((field) => `spec.volumes[*].${field}`),
  ...inContainers(
    'stdin',
    'stdinOnce',
    'tty',
    'name',
    'env[*].name',
    'env[*].value',
    'env[*].valueFrom',
    'envFrom',
    'imagePullPolicy',
    'lifecycle.postStart.httpGet',
    'lifecycle.postStart.sleep',
    'lifecycle.postStart.tcpSocket',
    'lifecycle.preStop.httpGet',
    'lifecycle.preStop.sleep',
    'lifecycle.preStop.tcpSocket',
    'livenessProbe',
    'terminationMessagePath',
    'terminationMessagePolicy',
    'ports[*].containerPort',
    'ports[*].hostIP',
    'ports[*].hostPort',
    'ports[*].protocol',
    'readinessProbe',
    'resizePolicy',
    'resources.requests',
    'securityContext.appArmorProfile',
    'securityContext.runAsNonRoot',
    'startupProbe',
    'volumeMounts',
    'workingDir',
  ),
  'status',
]

/** Fields that no node acts on, or that cannot ask for more than what happens anyway; each with the reason. */
export const withoutEffect: Readonly<Record<string, string>> = {
  apiVersion: 'names the type of the object',
  kind: 'names the type of the object',
  'metadata.selfLink': 'no server has set or read it since 1.20',
  'spec.automountServiceAccountToken':
    'admission acts on it: an API server adds the volume of the token, and static pods have no service account',
  'metadata.managedFields': 'only the API server reads it, for server-side apply',
  'spec.containers[*].ports[*].name':
    'a name for probes and Services, which have rules of their own',
  'spec.initContainers[*].ports[*].name':
    'a name for probes and Services, which have rules of their own',
  'spec.ephemeralContainers[*].ports[*].name': 'ephemeral containers have no ports',
}
