/**
 * How a strategic merge treats a list: `mergeKey` names the field by which its objects are matched,
 * `undefined` merges scalars as a set. A list that is not named in a schema is replaced as a whole.
 */
export interface ListSchema {
  readonly mergeKey: string | undefined
  readonly items?: PatchSchema
}

/** The fields of one object that a strategic merge does not treat in the plain way. */
export interface PatchSchema {
  readonly lists?: Readonly<Record<string, ListSchema>>
  readonly objects?: Readonly<Record<string, PatchSchema>>
  /** Fields whose object takes the place of the old one. */
  readonly replaced?: readonly string[]
}

// The patchStrategy and patchMergeKey tags of k8s.io/api v0.34. Taints, tolerations, images and
// container statuses have none: they are replaced as a whole.

const metadata: PatchSchema = {
  lists: { ownerReferences: { mergeKey: 'uid' }, finalizers: { mergeKey: undefined } },
}

const container: PatchSchema = {
  lists: {
    ports: { mergeKey: 'containerPort' },
    env: { mergeKey: 'name' },
    volumeMounts: { mergeKey: 'mountPath' },
    volumeDevices: { mergeKey: 'devicePath' },
  },
}

const podSpec: PatchSchema = {
  lists: {
    volumes: { mergeKey: 'name' },
    initContainers: { mergeKey: 'name', items: container },
    containers: { mergeKey: 'name', items: container },
    ephemeralContainers: { mergeKey: 'name', items: container },
    imagePullSecrets: { mergeKey: 'name' },
    hostAliases: { mergeKey: 'ip' },
    topologySpreadConstraints: { mergeKey: 'topologyKey' },
    schedulingGates: { mergeKey: 'name' },
    resourceClaims: { mergeKey: 'name' },
  },
}

const podStatus: PatchSchema = {
  lists: {
    conditions: { mergeKey: 'type' },
    hostIPs: { mergeKey: 'ip' },
    podIPs: { mergeKey: 'ip' },
    resourceClaimStatuses: { mergeKey: 'name' },
  },
}

const nodeStatus: PatchSchema = {
  lists: { conditions: { mergeKey: 'type' }, addresses: { mergeKey: 'type' } },
}

const schemas: Readonly<Record<string, PatchSchema>> = {
  Pod: { objects: { metadata, spec: podSpec, status: podStatus } },
  Node: {
    objects: {
      metadata,
      spec: { lists: { podCIDRs: { mergeKey: undefined } } },
      status: nodeStatus,
    },
  },
  Namespace: {
    objects: { metadata, status: { lists: { conditions: { mergeKey: 'type' } } } },
  },
  PodDisruptionBudget: {
    objects: {
      metadata,
      spec: { replaced: ['selector'] },
      status: { lists: { conditions: { mergeKey: 'type' } } },
    },
  },
  ServiceAccount: { objects: { metadata }, lists: { secrets: { mergeKey: 'name' } } },
}

/** The schema of a kind; kinds without lists of their own have that of their metadata only. */
export function patchSchemaOf(kind: string): PatchSchema {
  return schemas[kind] ?? { objects: { metadata } }
}
