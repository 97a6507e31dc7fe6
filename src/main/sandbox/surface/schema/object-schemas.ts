import type { SchemaTable } from './schema-notation.ts'

/** The smaller kinds of core/v1. */
export const coreObjectSchemas: SchemaTable = {
  Namespace: {
    about: 'A space for names.',
    fields: { metadata: 'ObjectMeta', spec: 'NamespaceSpec', status: 'NamespaceStatus' },
  },
  NamespaceSpec: {
    about: 'What must be done before a namespace can go.',
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
    about: 'Something that happened to an object, kept for a while.',
    fields: {
      metadata: 'ObjectMeta!',
      involvedObject:
        'ObjectReference! | What it is about; for a static pod the uid is the kubelet’s own, not the mirror’s.',
      reason: 'string | Why, in one word.',
      message: 'string | What happened, for people.',
      source: 'EventSource | Who reported it.',
      firstTimestamp: 'time',
      lastTimestamp: 'time',
      count: 'int32 | How often.',
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
    about: 'Whom the processes of a pod are for the API.',
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
    about: 'Who holds something, and until when; a node renews its own every ten seconds.',
    fields: { metadata: 'ObjectMeta', spec: 'LeaseSpec' },
  },
  LeaseSpec: {
    about: 'Who holds it, and until when.',
    fields: {
      holderIdentity: 'string | Who holds it.',
      leaseDurationSeconds: 'int32 | Seconds after the last renewal during which it is good.',
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
    about: 'How many of some pods must stay, or may be missing, when pods are evicted.',
    fields: {
      metadata: 'ObjectMeta',
      spec: 'PodDisruptionBudgetSpec',
      status: 'PodDisruptionBudgetStatus',
    },
  },
  PodDisruptionBudgetSpec: {
    about: 'Which pods, and how many of them.',
    fields: {
      minAvailable: 'intOrString | How many must stay healthy, as a number or a percentage.',
      selector:
        'LabelSelector replace | The pods; without one none, with an empty one all of the namespace.',
      maxUnavailable: 'intOrString | How many may be missing, as a number or a percentage.',
      unhealthyPodEvictionPolicy:
        'string | Whether pods that are not ready may go: IfHealthyBudget or AlwaysAllow.',
    },
  },
  PodDisruptionBudgetStatus: {
    about: 'How many may go now.',
    fields: {
      observedGeneration: 'int64 | The generation of the budget that this was counted for.',
      disruptedPods:
        'map:time | Pods whose eviction has passed and whose deletion is not seen yet.',
      disruptionsAllowed: 'int32! | How many may go now.',
      currentHealthy: 'int32! | How many are healthy.',
      desiredHealthy: 'int32! | How many must be.',
      expectedPods: 'int32! | How many are counted.',
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
    about: 'Which pod, and where.',
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
    about: 'Something that is true of a DaemonSet, or not.',
    fields: {
      type: 'string!',
      status: 'string!',
      lastTransitionTime: 'time',
      reason: 'string',
      message: 'string',
    },
  },
}
