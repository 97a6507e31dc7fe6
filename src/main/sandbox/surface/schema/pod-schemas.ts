import type { SchemaTable } from './schema-notation.ts'

/** core/v1 Pod and what its spec is made of, without containers and volumes. */
export const podSchemas: SchemaTable = {
  Pod: {
    about: 'A group of containers that run on one node, share its network and end together.',
    fields: {
      metadata: 'ObjectMeta | Names, labels, owners.',
      spec: 'PodSpec | What shall run.',
      status: 'PodStatus | What runs, as the kubelet last said.',
    },
  },
  PodSpec: {
    about: 'What a pod shall be.',
    fields: {
      volumes: '[]Volume merge=name,retain | Volumes that containers can mount.',
      initContainers:
        '[]Container merge=name | Run one after the other before the containers; with restartPolicy Always they go on beside them (sidecars).',
      containers:
        '[]Container! merge=name | The containers of the pod; at least one, cannot be added to or taken from later.',
      ephemeralContainers:
        '[]EphemeralContainer merge=name | Added to a running pod for debugging.',
      restartPolicy: 'string | Always, OnFailure or Never; Always unless said otherwise.',
      terminationGracePeriodSeconds:
        'int64 | Seconds between SIGTERM and SIGKILL; 30 unless said otherwise, 0 kills at once.',
      activeDeadlineSeconds:
        'int64 | Seconds from its start after which the kubelet fails the pod.',
      dnsPolicy: 'string | ClusterFirst, ClusterFirstWithHostNet, Default or None.',
      nodeSelector: 'map:string | Labels that the node must have.',
      serviceAccountName: 'string | The service account the pod runs as.',
      serviceAccount: 'string | The old name of serviceAccountName.',
      automountServiceAccountToken: 'bool | Whether the token of the service account is mounted.',
      nodeName: 'string | The node the pod is bound to; empty until it is scheduled.',
      hostNetwork: 'bool | Uses the network of the node.',
      hostPID: 'bool | Sees the processes of the node.',
      hostIPC: 'bool | Uses the IPC namespace of the node.',
      shareProcessNamespace: 'bool | Its containers see each other’s processes.',
      securityContext: 'PodSecurityContext | Rights of all its containers.',
      imagePullSecrets: '[]LocalObjectReference merge=name | Secrets for pulling its images.',
      hostname: 'string | Its host name; the pod’s name unless said otherwise.',
      subdomain:
        'string | Makes its full host name <hostname>.<subdomain>.<namespace>.svc.<domain>.',
      affinity: 'Affinity | Where it is to be placed, and beside what.',
      schedulerName: 'string | The scheduler that places it.',
      tolerations: '[]Toleration | Taints of nodes that it puts up with.',
      hostAliases: '[]HostAlias merge=ip | Further lines of its hosts file.',
      priorityClassName:
        'string | Names its priority; system-node-critical and system-cluster-critical are the highest.',
      priority: 'int32 | Its priority as a number, set from the class.',
      dnsConfig: 'PodDNSConfig | DNS settings on top of dnsPolicy.',
      readinessGates:
        '[]PodReadinessGate | Further conditions that must be true for it to be ready.',
      runtimeClassName: 'string | Which configuration of the container runtime runs it.',
      enableServiceLinks:
        'bool | Whether services become environment variables; true unless said otherwise.',
      preemptionPolicy: 'string | PreemptLowerPriority or Never.',
      overhead: 'map:quantity | What running it costs beyond its containers.',
      topologySpreadConstraints:
        '[]TopologySpreadConstraint merge=topologyKey | How pods are spread over the cluster.',
      setHostnameAsFQDN: 'bool | Whether its host name is the full one.',
      os: 'PodOS | The operating system its containers are for.',
      hostUsers: 'bool | Whether it uses the user namespace of the node.',
      schedulingGates: '[]PodSchedulingGate merge=name | While there is any, it is not scheduled.',
      resourceClaims:
        '[]PodResourceClaim merge=name,retain | Devices it claims before it may start.',
      resources: 'ResourceRequirements | Requests and limits of the pod as a whole.',
      hostnameOverride:
        'string | Its host name as seen inside, instead of all that hostname and subdomain say.',
    },
  },
  PodOS: { about: 'An operating system.', fields: { name: 'string! | linux or windows.' } },
  PodSchedulingGate: { about: 'Holds a pod back from the scheduler.', fields: { name: 'string!' } },
  PodReadinessGate: {
    about: 'A condition that counts for readiness.',
    fields: { conditionType: 'string! | The type of the condition.' },
  },
  PodResourceClaim: {
    about: 'A claim on a device, by name.',
    fields: {
      name: 'string!',
      resourceClaimName: 'string',
      resourceClaimTemplateName: 'string',
    },
  },
  LocalObjectReference: {
    about: 'An object in the same namespace.',
    fields: { name: 'string | Its name.' },
  },
  HostAlias: {
    about: 'A line of the hosts file.',
    fields: { ip: 'string!', hostnames: '[]string' },
  },
  PodDNSConfig: {
    about: 'DNS settings of a pod.',
    fields: { nameservers: '[]string', searches: '[]string', options: '[]PodDNSConfigOption' },
  },
  PodDNSConfigOption: {
    about: 'An option of the resolver.',
    fields: { name: 'string', value: 'string' },
  },
  Toleration: {
    about: 'Puts up with the taints that match.',
    fields: {
      key: 'string | The taint’s key; empty with Exists matches every taint.',
      operator: 'string | Exists or Equal.',
      value: 'string | The taint’s value, for Equal.',
      effect: 'string | NoSchedule, PreferNoSchedule or NoExecute; empty matches all.',
      tolerationSeconds: 'int64 | How long a NoExecute taint is put up with; for ever unless said.',
    },
  },
  PodSecurityContext: {
    about: 'Rights of all containers of a pod.',
    fields: {
      seLinuxOptions: 'SELinuxOptions',
      windowsOptions: 'WindowsSecurityContextOptions',
      runAsUser: 'int64',
      runAsGroup: 'int64',
      runAsNonRoot: 'bool',
      supplementalGroups: '[]int64',
      supplementalGroupsPolicy: 'string',
      fsGroup: 'int64',
      sysctls: '[]Sysctl',
      fsGroupChangePolicy: 'string',
      seccompProfile: 'SeccompProfile',
      appArmorProfile: 'AppArmorProfile',
      seLinuxChangePolicy: 'string',
    },
  },
  SELinuxOptions: {
    about: 'SELinux labels.',
    fields: { user: 'string', role: 'string', type: 'string', level: 'string' },
  },
  WindowsSecurityContextOptions: {
    about: 'Windows credentials.',
    fields: {
      gmsaCredentialSpecName: 'string',
      gmsaCredentialSpec: 'string',
      runAsUserName: 'string',
      hostProcess: 'bool',
    },
  },
  Sysctl: { about: 'A kernel setting.', fields: { name: 'string!', value: 'string!' } },
  SeccompProfile: {
    about: 'Which system calls are allowed.',
    fields: { type: 'string!', localhostProfile: 'string' },
  },
  AppArmorProfile: {
    about: 'Which AppArmor profile applies.',
    fields: { type: 'string!', localhostProfile: 'string' },
  },
  PodTemplateSpec: {
    about: 'The pods that a controller makes.',
    fields: { metadata: 'ObjectMeta', spec: 'PodSpec' },
  },
}

/** Where a pod is to be placed. */
export const affinitySchemas: SchemaTable = {
  Affinity: {
    about: 'Where a pod is to be placed.',
    fields: {
      nodeAffinity: 'NodeAffinity | On which nodes.',
      podAffinity: 'PodAffinity | Near which pods.',
      podAntiAffinity: 'PodAntiAffinity | Away from which pods.',
    },
  },
  NodeAffinity: {
    about: 'Nodes that are needed or preferred.',
    fields: {
      requiredDuringSchedulingIgnoredDuringExecution: 'NodeSelector',
      preferredDuringSchedulingIgnoredDuringExecution: '[]PreferredSchedulingTerm',
    },
  },
  PodAffinity: {
    about: 'Pods to be near of.',
    fields: {
      requiredDuringSchedulingIgnoredDuringExecution: '[]PodAffinityTerm',
      preferredDuringSchedulingIgnoredDuringExecution: '[]WeightedPodAffinityTerm',
    },
  },
  PodAntiAffinity: {
    about: 'Pods to be away from.',
    fields: {
      requiredDuringSchedulingIgnoredDuringExecution: '[]PodAffinityTerm',
      preferredDuringSchedulingIgnoredDuringExecution: '[]WeightedPodAffinityTerm',
    },
  },
  NodeSelector: {
    about: 'Nodes that match any of the terms.',
    fields: { nodeSelectorTerms: '[]NodeSelectorTerm!' },
  },
  NodeSelectorTerm: {
    about: 'Nodes that match all of the requirements.',
    fields: {
      matchExpressions: '[]NodeSelectorRequirement',
      matchFields: '[]NodeSelectorRequirement',
    },
  },
  NodeSelectorRequirement: {
    about: 'A requirement on a node’s labels or fields.',
    fields: {
      key: 'string!',
      operator: 'string! | In, NotIn, Exists, DoesNotExist, Gt or Lt.',
      values: '[]string',
    },
  },
  PreferredSchedulingTerm: {
    about: 'A term with its weight.',
    fields: { weight: 'int32!', preference: 'NodeSelectorTerm!' },
  },
  PodAffinityTerm: {
    about: 'Pods, and what near means.',
    fields: {
      labelSelector: 'LabelSelector',
      namespaces: '[]string',
      topologyKey: 'string!',
      namespaceSelector: 'LabelSelector',
      matchLabelKeys: '[]string',
      mismatchLabelKeys: '[]string',
    },
  },
  WeightedPodAffinityTerm: {
    about: 'A term with its weight.',
    fields: { weight: 'int32!', podAffinityTerm: 'PodAffinityTerm!' },
  },
  TopologySpreadConstraint: {
    about: 'How evenly pods are spread.',
    fields: {
      maxSkew: 'int32!',
      topologyKey: 'string!',
      whenUnsatisfiable: 'string! | DoNotSchedule or ScheduleAnyway.',
      labelSelector: 'LabelSelector',
      minDomains: 'int32',
      nodeAffinityPolicy: 'string',
      nodeTaintsPolicy: 'string',
      matchLabelKeys: '[]string',
    },
  },
}
