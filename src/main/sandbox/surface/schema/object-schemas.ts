import type { SchemaTable } from './schema-notation.ts'

/** The smaller kinds of core/v1. */
export const coreObjectSchemas: SchemaTable = {
  Namespace: {
    about: 'A space for names.',
    fields: { metadata: 'ObjectMeta', spec: 'NamespaceSpec', status: 'NamespaceStatus' },
  },
  NamespaceSpec: {
    about: 'Finalizers that must be removed before a namespace is deleted.',
    fields: { finalizers: '[]string' },
  },
  NamespaceStatus: {
    about: 'Whether a namespace is in use.',
    fields: {
      phase: 'string | Active or Terminating.',
      conditions: '[]NamespaceCondition merge=type',
    },
  },
  NamespaceCondition: {
    about: 'How far a deletion has come.',
    fields: {
      type: 'string!',
      status: 'string!',
      lastTransitionTime: 'time',
      reason: 'string',
      message: 'string',
    },
  },
  Event: {
    about: 'A report of what happened to an object; deleted after some time.',
    fields: {
      metadata: 'ObjectMeta!',
      involvedObject:
        'ObjectReference! | The object of the event; for a static pod, the UID is the static UID, not the mirror UID.',
      reason: 'string | Why, in one word.',
      message: 'string | What happened, for people.',
      source: 'EventSource | Who reported it.',
      firstTimestamp: 'time',
      lastTimestamp: 'time',
      count: 'int32 | Number of occurrences.',
      type: 'string | Normal or Warning.',
      eventTime: 'microTime',
      series: 'EventSeries',
      action: 'string',
      related: 'ObjectReference',
      reportingComponent: 'string',
      reportingInstance: 'string',
    },
  },
  EventSource: { about: 'Who reported it.', fields: { component: 'string', host: 'string' } },
  EventSeries: {
    about: 'How often, and when last.',
    fields: { count: 'int32', lastObservedTime: 'microTime' },
  },
  ObjectReference: {
    about: 'An object, or a part of it.',
    fields: {
      kind: 'string',
      namespace: 'string',
      name: 'string',
      uid: 'string',
      apiVersion: 'string',
      resourceVersion: 'string',
      fieldPath: 'string',
    },
  },
  ServiceAccount: {
    about: 'The identity of the processes in a pod for the API.',
    fields: {
      metadata: 'ObjectMeta',
      secrets: '[]ObjectReference merge=name',
      imagePullSecrets: '[]LocalObjectReference',
      automountServiceAccountToken: 'bool',
    },
  },
  ConfigMap: {
    about: 'Settings for pods.',
    fields: {
      metadata: 'ObjectMeta',
      immutable: 'bool',
      data: 'map:string',
      binaryData: 'map:bytes',
    },
  },
  Binding: {
    about: 'Binds a pod to a node.',
    fields: { metadata: 'ObjectMeta', target: 'ObjectReference! | The node.' },
  },
}

export const coordinationSchemas: SchemaTable = {
  Lease: {
    about: 'A lock with a holder and an expiry; a node renews its lease every ten seconds.',
    fields: { metadata: 'ObjectMeta', spec: 'LeaseSpec' },
  },
  LeaseSpec: {
    about: 'The holder and the expiry of the lease.',
    fields: {
      holderIdentity: 'string | The holder of the lease.',
      leaseDurationSeconds: 'int32 | Seconds that the lease is valid after a renewal.',
      acquireTime: 'microTime',
      renewTime: 'microTime | When it was last renewed.',
      leaseTransitions: 'int32 | How often the holder changed.',
      strategy: 'string',
      preferredHolder: 'string',
    },
  },
}

export const policySchemas: SchemaTable = {
  Eviction: {
    about: 'Asks for a pod to go, unless a disruption budget forbids it.',
    fields: { metadata: 'ObjectMeta', deleteOptions: 'DeleteOptions' },
  },
  PodDisruptionBudget: {
    about: 'Limits how many of the selected pods can be evicted at the same time.',
    fields: {
      metadata: 'ObjectMeta',
      spec: 'PodDisruptionBudgetSpec',
      status: 'PodDisruptionBudgetStatus',
    },
  },
  PodDisruptionBudgetSpec: {
    about: 'The selected pods and their limits.',
    fields: {
      minAvailable: 'intOrString | How many must stay healthy, as a number or a percentage.',
      selector:
        'LabelSelector replace | Selects the pods; absent selects none, empty selects all in the namespace.',
      maxUnavailable: 'intOrString | How many may be unavailable, as a number or a percentage.',
      unhealthyPodEvictionPolicy:
        'string | Whether pods that are not ready can be evicted: IfHealthyBudget or AlwaysAllow.',
    },
  },
  PodDisruptionBudgetStatus: {
    about: 'How many pods can be evicted now.',
    fields: {
      observedGeneration: 'int64 | The generation of the budget that this status describes.',
      disruptedPods:
        'map:time | Pods whose eviction was allowed and whose deletion has not been observed yet.',
      disruptionsAllowed: 'int32! | How many pods can be evicted now.',
      currentHealthy: 'int32! | Number of healthy pods.',
      desiredHealthy: 'int32! | Required number of healthy pods.',
      expectedPods: 'int32! | Number of pods that the budget counts.',
      conditions: '[]Condition merge=type | DisruptionAllowed.',
    },
  },
}

export const appsSchemas: SchemaTable = {
  DaemonSet: {
    about: 'Runs a pod on every node that matches.',
    fields: { metadata: 'ObjectMeta', spec: 'DaemonSetSpec', status: 'DaemonSetStatus' },
  },
  DaemonSetSpec: {
    about: 'The pod template and the node selection.',
    fields: {
      selector: 'LabelSelector!',
      template: 'PodTemplateSpec!',
      updateStrategy: 'DaemonSetUpdateStrategy',
      minReadySeconds: 'int32',
      revisionHistoryLimit: 'int32',
    },
  },
  DaemonSetUpdateStrategy: {
    about: 'How its pods are replaced.',
    fields: { type: 'string', rollingUpdate: 'RollingUpdateDaemonSet' },
  },
  RollingUpdateDaemonSet: {
    about: 'How many are replaced at a time.',
    fields: { maxUnavailable: 'intOrString', maxSurge: 'intOrString' },
  },
  DaemonSetStatus: {
    about: 'On how many nodes it runs.',
    fields: {
      currentNumberScheduled: 'int32!',
      numberMisscheduled: 'int32!',
      desiredNumberScheduled: 'int32!',
      numberReady: 'int32!',
      observedGeneration: 'int64',
      updatedNumberScheduled: 'int32',
      numberAvailable: 'int32',
      numberUnavailable: 'int32',
      collisionCount: 'int32',
      conditions: '[]DaemonSetCondition merge=type',
    },
  },
  DaemonSetCondition: {
    about: 'A condition of a DaemonSet.',
    fields: {
      type: 'string!',
      status: 'string!',
      lastTransitionTime: 'time',
      reason: 'string',
      message: 'string',
    },
  },
}
