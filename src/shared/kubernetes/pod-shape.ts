import type { FieldProblem } from './field-problem.ts'
import {
  boolean,
  int32,
  int64,
  integerOrText,
  listOf,
  mapOf,
  object,
  objectMetaShape,
  quantity,
  shapeProblems,
  text,
  time,
} from './object-shape.ts'

const resourceList = mapOf(quantity, 'v1.ResourceList')

const httpGet = object('HTTPGetAction', {
  path: text,
  port: integerOrText,
  host: text,
  scheme: text,
})

const handler = {
  exec: object('ExecAction', { command: listOf(text) }),
  httpGet,
  tcpSocket: object('TCPSocketAction', { port: integerOrText, host: text }),
}

const probe = object('Probe', {
  ...handler,
  grpc: object('GRPCAction', { port: int32, service: text }),
  initialDelaySeconds: int32,
  timeoutSeconds: int32,
  periodSeconds: int32,
  successThreshold: int32,
  failureThreshold: int32,
  terminationGracePeriodSeconds: int64,
})

const lifecycleHandler = object('LifecycleHandler', {
  ...handler,
  sleep: object('SleepAction', { seconds: int64 }),
})

const environmentVariable = object('EnvVar', {
  name: text,
  value: text,
  valueFrom: object('EnvVarSource', {
    fieldRef: object('ObjectFieldSelector', { apiVersion: text, fieldPath: text }),
    resourceFieldRef: object('ResourceFieldSelector', {
      containerName: text,
      resource: text,
      divisor: quantity,
    }),
  }),
})

const seccompProfile = object('SeccompProfile', { type: text, localhostProfile: text })
const appArmorProfile = object('AppArmorProfile', { type: text, localhostProfile: text })

const container = object('Container', {
  name: text,
  image: text,
  command: listOf(text),
  args: listOf(text),
  workingDir: text,
  ports: listOf(
    object('ContainerPort', {
      name: text,
      hostPort: int32,
      containerPort: int32,
      protocol: text,
      hostIP: text,
    }),
  ),
  env: listOf(environmentVariable),
  envFrom: listOf(object('EnvFromSource', { prefix: text })),
  resources: object('ResourceRequirements', { limits: resourceList, requests: resourceList }),
  restartPolicy: text,
  volumeMounts: listOf(
    object('VolumeMount', { name: text, mountPath: text, readOnly: boolean, subPath: text }),
  ),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: object('Lifecycle', { postStart: lifecycleHandler, preStop: lifecycleHandler }),
  terminationMessagePath: text,
  terminationMessagePolicy: text,
  imagePullPolicy: text,
  securityContext: object('SecurityContext', {
    privileged: boolean,
    runAsUser: int64,
    runAsGroup: int64,
    runAsNonRoot: boolean,
    readOnlyRootFilesystem: boolean,
    allowPrivilegeEscalation: boolean,
    procMount: text,
    capabilities: object('Capabilities', { add: listOf(text), drop: listOf(text) }),
    seccompProfile,
    appArmorProfile,
  }),
})

const spec = object('PodSpec', {
  volumes: listOf(
    object('Volume', {
      name: text,
      hostPath: object('HostPathVolumeSource', { path: text, type: text }),
      emptyDir: object('EmptyDirVolumeSource', { medium: text, sizeLimit: quantity }),
    }),
  ),
  initContainers: listOf(container),
  containers: listOf(container),
  ephemeralContainers: listOf(container),
  restartPolicy: text,
  terminationGracePeriodSeconds: int64,
  activeDeadlineSeconds: int64,
  dnsPolicy: text,
  nodeSelector: mapOf(text),
  serviceAccountName: text,
  serviceAccount: text,
  nodeName: text,
  hostNetwork: boolean,
  hostPID: boolean,
  hostIPC: boolean,
  shareProcessNamespace: boolean,
  securityContext: object('PodSecurityContext', {
    runAsUser: int64,
    runAsGroup: int64,
    runAsNonRoot: boolean,
    supplementalGroups: listOf(int64),
    supplementalGroupsPolicy: text,
    fsGroup: int64,
    fsGroupChangePolicy: text,
    seLinuxChangePolicy: text,
    sysctls: listOf(object('Sysctl', { name: text, value: text })),
    seccompProfile,
    appArmorProfile,
  }),
  imagePullSecrets: listOf(object('LocalObjectReference', { name: text })),
  hostname: text,
  subdomain: text,
  schedulerName: text,
  tolerations: listOf(
    object('Toleration', {
      key: text,
      operator: text,
      value: text,
      effect: text,
      tolerationSeconds: int64,
    }),
  ),
  priorityClassName: text,
  priority: int32,
  readinessGates: listOf(object('PodReadinessGate', { conditionType: text })),
  enableServiceLinks: boolean,
  preemptionPolicy: text,
  schedulingGates: listOf(object('PodSchedulingGate', { name: text })),
  resources: object('ResourceRequirements', { limits: resourceList, requests: resourceList }),
})

const containerState = object('ContainerState', {
  waiting: object('ContainerStateWaiting', { reason: text, message: text }),
  running: object('ContainerStateRunning', { startedAt: time }),
  terminated: object('ContainerStateTerminated', {
    exitCode: int32,
    signal: int32,
    reason: text,
    message: text,
    startedAt: time,
    finishedAt: time,
    containerID: text,
  }),
})

const containerStatus = object('ContainerStatus', {
  name: text,
  state: containerState,
  lastState: containerState,
  ready: boolean,
  restartCount: int32,
  image: text,
  imageID: text,
  containerID: text,
  started: boolean,
})

const status = object('PodStatus', {
  observedGeneration: int64,
  phase: text,
  conditions: listOf(
    object('PodCondition', {
      type: text,
      observedGeneration: int64,
      status: text,
      lastProbeTime: time,
      lastTransitionTime: time,
      reason: text,
      message: text,
    }),
  ),
  message: text,
  reason: text,
  hostIP: text,
  podIP: text,
  startTime: time,
  initContainerStatuses: listOf(containerStatus),
  containerStatuses: listOf(containerStatus),
  ephemeralContainerStatuses: listOf(containerStatus),
  qosClass: text,
})

const podShape = object('Pod', {
  apiVersion: text,
  kind: text,
  metadata: objectMetaShape,
  spec,
  status,
})

/**
 * Fields of the wrong type in what should be a pod, in the words of Go's decoder; an API server
 * answers the first with 400. Empty: metadata and spec, where they are there, can be read as a pod's.
 */
export function podShapeProblems(value: unknown): readonly FieldProblem[] {
  return shapeProblems(value, podShape)
}
