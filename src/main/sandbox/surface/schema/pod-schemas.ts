import type { SchemaTable } from './schema-notation.ts'

/** core/v1 Pod and what its spec is made of, without containers and volumes. */
export const podSchemas: SchemaTable = {
  Pod: {
    about: 'A group of containers that run on one node, share its network and terminate together.',
    fields: {
      metadata: 'ObjectMeta | Names, labels, owners.',
      spec: 'PodSpec | The desired pod.',
      status: 'PodStatus | The status that the kubelet last reported.',
    },
  },
  PodSpec: {
    about: 'The specification of a pod.',
    fields: {
      volumes: '[]Volume merge=name,retain | Volumes that containers can mount.',
      initContainers:
        '[]Container merge=name | Run one after another before the app containers start; with restartPolicy Always they keep running (sidecars).',
      containers:
        '[]Container! merge=name | The containers of the pod; at least one. Containers cannot be added or removed later.',
      ephemeralContainers:
        '[]EphemeralContainer merge=name | Added to a running pod for debugging.',
      restartPolicy: 'string | Always, OnFailure or Never; defaults to Always.',
      terminationGracePeriodSeconds:
        'int64 | Seconds between SIGTERM and SIGKILL; defaults to 30, 0 kills immediately.',
      activeDeadlineSeconds:
        'int64 | Seconds after the start of the pod after which the kubelet fails it.',
      dnsPolicy: 'string | ClusterFirst, ClusterFirstWithHostNet, Default or None.',
      nodeSelector: 'map:string | Labels that the node must have.',
      serviceAccountName: 'string | The service account the pod runs as.',
      serviceAccount: 'string | The old name of serviceAccountName.',
      automountServiceAccountToken: 'bool | Whether the token of the service account is mounted.',
      nodeName: 'string | The node the pod is bound to; empty until it is scheduled.',
      hostNetwork: 'bool | Uses the network of the node.',
      hostPID: 'bool | Uses the PID namespace of the node.',
      hostIPC: 'bool | Uses the IPC namespace of the node.',
      shareProcessNamespace: 'bool | Whether the containers share one PID namespace.',
      securityContext: 'PodSecurityContext | Security settings of all containers.',
      imagePullSecrets: '[]LocalObjectReference merge=name | Secrets for pulling its images.',
      hostname: 'string | The host name; defaults to the name of the pod.',
      subdomain:
        'string | Sets the full host name to <hostname>.<subdomain>.<namespace>.svc.<domain>.',
      affinity: 'Affinity | Scheduling constraints for nodes and other pods.',
      schedulerName: 'string | The scheduler of the pod.',
      tolerations: '[]Toleration | Taints the pod tolerates.',
      hostAliases: '[]HostAlias merge=ip | Additional entries in the hosts file.',
      priorityClassName:
        'string | The priority class; system-node-critical and system-cluster-critical are the highest.',
      priority: 'int32 | The priority as a number, set from the priority class.',
      dnsConfig: 'PodDNSConfig | DNS settings on top of dnsPolicy.',
      readinessGates:
        '[]PodReadinessGate | Additional conditions that must be true for the pod to be ready.',
      runtimeClassName: 'string | The RuntimeClass that runs the pod.',
      enableServiceLinks:
        'bool | Whether services are set as environment variables; defaults to true.',
      preemptionPolicy: 'string | PreemptLowerPriority or Never.',
      overhead: 'map:quantity | Resources that the pod needs in addition to its containers.',
      topologySpreadConstraints:
        '[]TopologySpreadConstraint merge=topologyKey | How pods are spread over the cluster.',
      setHostnameAsFQDN: 'bool | Whether the host name is the fully qualified name.',
      os: 'PodOS | The operating system of the containers.',
      hostUsers: 'bool | Whether the pod uses the user namespace of the node.',
      schedulingGates:
        '[]PodSchedulingGate merge=name | The pod is not scheduled until all gates are removed.',
      resourceClaims:
        '[]PodResourceClaim merge=name,retain | Devices that must be allocated before the pod starts.',
      resources: 'ResourceRequirements | Requests and limits of the pod as a whole.',
      hostnameOverride: 'string | The host name inside the pod; overrides hostname and subdomain.',
    },
  },
  PodOS: { about: 'An operating system.', fields: { name: 'string! | linux or windows.' } },
  PodSchedulingGate: { about: 'Holds a pod back from the scheduler.', fields: { name: 'string!' } },
  PodReadinessGate: {
    about: 'A condition that the readiness of the pod depends on.',
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
    about: 'Tolerates the matching taints.',
    fields: {
      key: 'string | The taint’s key; empty with Exists matches every taint.',
      operator: 'string | Exists or Equal.',
      value: 'string | The taint’s value, for Equal.',
      effect: 'string | NoSchedule, PreferNoSchedule or NoExecute; empty matches all.',
      tolerationSeconds:
        'int64 | Seconds that the pod tolerates a NoExecute taint; defaults to forever.',
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
    about: 'The pods that a controller creates.',
    fields: { metadata: 'ObjectMeta', spec: 'PodSpec' },
  },
}

/** Where a pod is to be placed. */
export const affinitySchemas: SchemaTable = {
  Affinity: {
    about: 'Where a pod is to be placed.',
    fields: {
      nodeAffinity: 'NodeAffinity | Constraints on nodes.',
      podAffinity: 'PodAffinity | Pods to be scheduled near.',
      podAntiAffinity: 'PodAntiAffinity | Pods to be scheduled away from.',
    },
  },
  NodeAffinity: {
    about: 'Required and preferred nodes.',
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
    about: 'A set of pods and the topology domain that counts as near.',
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
