import type { SchemaTable } from './schema-notation.ts'

/** core/v1 Node and what it is made of. */
export const nodeSchemas: SchemaTable = {
  Node: {
    about: 'A machine that runs pods.',
    fields: { metadata: 'ObjectMeta', spec: 'NodeSpec', status: 'NodeStatus' },
  },
  NodeSpec: {
    about: 'How a node is to be used.',
    fields: {
      podCIDR: 'string',
      podCIDRs: '[]string merge',
      providerID: 'string',
      unschedulable: 'bool | Whether new pods are not scheduled here (cordon).',
      taints: '[]Taint | Repel pods that do not tolerate them.',
      configSource: 'NodeConfigSource',
      externalID: 'string',
    },
  },
  Taint: {
    about: 'Repels pods that do not tolerate it.',
    fields: {
      key: 'string!',
      value: 'string',
      effect: 'string! | NoSchedule, PreferNoSchedule or NoExecute.',
      timeAdded: 'time',
    },
  },
  NodeConfigSource: { about: 'No longer used.', fields: { configMap: 'object' } },
  NodeStatus: {
    about: 'How a node is, as its kubelet last said.',
    fields: {
      capacity: 'map:quantity | Total resources.',
      allocatable: 'map:quantity | Resources available to pods.',
      phase: 'string',
      conditions: '[]NodeCondition merge=type | Observed conditions of the node.',
      addresses: '[]NodeAddress merge=type',
      daemonEndpoints: 'NodeDaemonEndpoints',
      nodeInfo: 'NodeSystemInfo | Versions and identities.',
      images: '[]ContainerImage | Images on the node.',
      volumesInUse: '[]string',
      volumesAttached: '[]AttachedVolume',
      config: 'NodeConfigStatus',
      runtimeHandlers: '[]NodeRuntimeHandler',
      features: 'NodeFeatures',
    },
  },
  NodeCondition: {
    about: 'A condition of a node.',
    fields: {
      type: 'string!',
      status: 'string! | True, False or Unknown.',
      lastHeartbeatTime: 'time | When the kubelet last reported the condition.',
      lastTransitionTime: 'time | When the status last changed.',
      reason: 'string',
      message: 'string',
    },
  },
  NodeAddress: {
    about: 'An address of a node.',
    fields: { type: 'string! | Hostname, InternalIP, ExternalIP, …', address: 'string!' },
  },
  NodeDaemonEndpoints: {
    about: 'Ports of the node’s daemons.',
    fields: { kubeletEndpoint: 'DaemonEndpoint' },
  },
  // The capital letter is the API's own.
  DaemonEndpoint: { about: 'A port.', fields: { Port: 'int32!' } },
  NodeSystemInfo: {
    about: 'Versions and identities of a node.',
    fields: {
      machineID: 'string!',
      systemUUID: 'string!',
      bootID: 'string!',
      kernelVersion: 'string!',
      osImage: 'string!',
      containerRuntimeVersion: 'string!',
      kubeletVersion: 'string!',
      kubeProxyVersion: 'string!',
      operatingSystem: 'string!',
      architecture: 'string!',
      swap: 'NodeSwapStatus',
    },
  },
  NodeSwapStatus: { about: 'Swap space.', fields: { capacity: 'int64' } },
  ContainerImage: {
    about: 'An image on the node.',
    fields: { names: '[]string', sizeBytes: 'int64' },
  },
  AttachedVolume: {
    about: 'A volume attached to the node.',
    fields: { name: 'string!', devicePath: 'string!' },
  },
  NodeConfigStatus: {
    about: 'No longer used.',
    fields: {
      assigned: 'NodeConfigSource',
      active: 'NodeConfigSource',
      lastKnownGood: 'NodeConfigSource',
      error: 'string',
    },
  },
  NodeRuntimeHandler: {
    about: 'A configuration of the container runtime.',
    fields: { name: 'string!', features: 'NodeRuntimeHandlerFeatures' },
  },
  NodeRuntimeHandlerFeatures: {
    about: 'Features of a runtime handler.',
    fields: { recursiveReadOnlyMounts: 'bool', userNamespaces: 'bool' },
  },
  NodeFeatures: {
    about: 'Features of the container runtime.',
    fields: { supplementalGroupsPolicy: 'bool' },
  },
}
