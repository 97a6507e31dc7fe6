import type { SchemaTable } from './schema-notation.ts'

/** core/v1 PodStatus and what it is made of. */
export const podStatusSchemas: SchemaTable = {
  PodStatus: {
    about: 'The status of a pod that the kubelet last reported.',
    fields: {
      observedGeneration: 'int64 | The generation of the spec that this status describes.',
      phase: 'string | Pending, Running, Succeeded, Failed or Unknown.',
      conditions: '[]PodCondition merge=type | Observed conditions of the pod.',
      message: 'string | Why it is in this state, for people.',
      reason: 'string | Why it is in this state, in one word: Evicted, for example.',
      nominatedNodeName: 'string',
      hostIP: 'string | The address of its node.',
      hostIPs: '[]HostIP merge=ip',
      podIP: 'string | The IP address of the pod.',
      podIPs: '[]PodIP merge=ip',
      startTime: 'time | When the kubelet first saw it, before any image was pulled.',
      initContainerStatuses: '[]ContainerStatus',
      containerStatuses: '[]ContainerStatus',
      qosClass: 'string | Guaranteed, Burstable or BestEffort.',
      ephemeralContainerStatuses: '[]ContainerStatus',
      resize: 'string',
      resourceClaimStatuses: '[]PodResourceClaimStatus merge=name,retain',
      extendedResourceClaimStatus: 'PodExtendedResourceClaimStatus',
    },
  },
  PodCondition: {
    about: 'A condition of a pod.',
    fields: {
      type: 'string!',
      observedGeneration: 'int64',
      status: 'string! | True, False or Unknown.',
      lastProbeTime: 'time',
      lastTransitionTime: 'time | When the status last changed.',
      reason: 'string',
      message: 'string',
    },
  },
  HostIP: { about: 'An address of the node.', fields: { ip: 'string!' } },
  PodIP: { about: 'An address of the pod.', fields: { ip: 'string!' } },
  ContainerStatus: {
    about: 'How a container is.',
    fields: {
      name: 'string!',
      state: 'ContainerState | The current state.',
      lastState: 'ContainerState | The state at the last termination.',
      ready: 'bool!',
      restartCount: 'int32!',
      image: 'string!',
      imageID: 'string!',
      containerID: 'string',
      started: 'bool',
      allocatedResources: 'map:quantity',
      resources: 'ResourceRequirements',
      volumeMounts: '[]VolumeMountStatus merge=mountPath',
      user: 'ContainerUser',
      allocatedResourcesStatus: '[]ResourceStatus merge=name',
      stopSignal: 'string',
    },
  },
  ContainerState: {
    about: 'One of three; none means waiting.',
    fields: {
      waiting: 'ContainerStateWaiting',
      running: 'ContainerStateRunning',
      terminated: 'ContainerStateTerminated',
    },
  },
  ContainerStateWaiting: {
    about: 'It does not run yet, or not now.',
    fields: { reason: 'string', message: 'string' },
  },
  ContainerStateRunning: { about: 'It runs.', fields: { startedAt: 'time' } },
  ContainerStateTerminated: {
    about: 'It has ended.',
    fields: {
      exitCode: 'int32!',
      signal: 'int32',
      reason: 'string',
      message: 'string',
      startedAt: 'time',
      finishedAt: 'time',
      containerID: 'string',
    },
  },
  VolumeMountStatus: {
    about: 'A mount as it is.',
    fields: {
      name: 'string!',
      mountPath: 'string!',
      readOnly: 'bool',
      recursiveReadOnly: 'string',
    },
  },
  ContainerUser: { about: 'The user of the container.', fields: { linux: 'LinuxContainerUser' } },
  LinuxContainerUser: {
    about: 'The user of the processes on Linux.',
    fields: { uid: 'int64!', gid: 'int64!', supplementalGroups: '[]int64' },
  },
  ResourceStatus: {
    about: 'How its devices are.',
    fields: { name: 'string!', resources: '[]ResourceHealth' },
  },
  ResourceHealth: {
    about: 'How a device is.',
    fields: { resourceID: 'string!', health: 'string' },
  },
  PodResourceClaimStatus: {
    about: 'The generated claim.',
    fields: { name: 'string!', resourceClaimName: 'string' },
  },
  PodExtendedResourceClaimStatus: {
    about: 'The claim for the extended resources of the pod.',
    fields: {
      requestMappings: '[]ContainerExtendedResourceRequest!',
      resourceClaimName: 'string!',
    },
  },
  ContainerExtendedResourceRequest: {
    about: 'A request for an extended resource.',
    fields: { containerName: 'string!', resourceName: 'string!', requestName: 'string!' },
  },
}
