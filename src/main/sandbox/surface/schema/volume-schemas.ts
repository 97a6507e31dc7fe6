import type { SchemaTable } from './schema-notation.ts'

/** core/v1 Volume and its sources. Sources of single storage makers are not looked into. */
export const volumeSchemas: SchemaTable = {
  Volume: {
    about: 'Storage that containers of the pod can mount; exactly one source.',
    fields: {
      name: 'string! | Unique within the pod.',
      hostPath: 'HostPathVolumeSource | A file or folder of the node.',
      emptyDir: 'EmptyDirVolumeSource | An empty directory with the lifetime of the pod.',
      secret: 'SecretVolumeSource',
      configMap: 'ConfigMapVolumeSource',
      downwardAPI: 'DownwardAPIVolumeSource | Fields of the pod as files.',
      projected: 'ProjectedVolumeSource | Several sources in one folder.',
      persistentVolumeClaim: 'PersistentVolumeClaimVolumeSource',
      ephemeral: 'EphemeralVolumeSource',
      csi: 'CSIVolumeSource',
      nfs: 'NFSVolumeSource',
      image: 'ImageVolumeSource | The content of an image.',
      awsElasticBlockStore: 'object',
      azureDisk: 'object',
      azureFile: 'object',
      cephfs: 'object',
      cinder: 'object',
      fc: 'object',
      flexVolume: 'object',
      flocker: 'object',
      gcePersistentDisk: 'object',
      gitRepo: 'object',
      glusterfs: 'object',
      iscsi: 'object',
      photonPersistentDisk: 'object',
      portworxVolume: 'object',
      quobyte: 'object',
      rbd: 'object',
      scaleIO: 'object',
      storageos: 'object',
      vsphereVolume: 'object',
    },
  },
  VolumeMount: {
    about: 'Where a container sees a volume.',
    fields: {
      name: 'string! | The volume.',
      readOnly: 'bool',
      recursiveReadOnly: 'string',
      mountPath: 'string! | The path in the container.',
      subPath: 'string | A path in the volume.',
      mountPropagation: 'string',
      subPathExpr: 'string | As subPath, with $(NAME) replaced.',
    },
  },
  VolumeDevice: {
    about: 'Where a container sees a block device.',
    fields: { name: 'string!', devicePath: 'string!' },
  },
  HostPathVolumeSource: {
    about: 'A file or folder of the node.',
    fields: { path: 'string!', type: 'string' },
  },
  EmptyDirVolumeSource: {
    about: 'An empty directory with the lifetime of the pod.',
    fields: { medium: 'string | Memory for a tmpfs.', sizeLimit: 'quantity' },
  },
  SecretVolumeSource: {
    about: 'The entries of a secret as files.',
    fields: {
      secretName: 'string',
      items: '[]KeyToPath',
      defaultMode: 'int32',
      optional: 'bool',
    },
  },
  ConfigMapVolumeSource: {
    about: 'The entries of a config map as files.',
    fields: { name: 'string', items: '[]KeyToPath', defaultMode: 'int32', optional: 'bool' },
  },
  KeyToPath: {
    about: 'An entry and its file.',
    fields: { key: 'string!', path: 'string!', mode: 'int32' },
  },
  DownwardAPIVolumeSource: {
    about: 'Fields of the pod as files.',
    fields: { items: '[]DownwardAPIVolumeFile', defaultMode: 'int32' },
  },
  DownwardAPIVolumeFile: {
    about: 'A field and its file.',
    fields: {
      path: 'string!',
      fieldRef: 'ObjectFieldSelector',
      resourceFieldRef: 'ResourceFieldSelector',
      mode: 'int32',
    },
  },
  ProjectedVolumeSource: {
    about: 'Several sources in one folder.',
    fields: { sources: '[]VolumeProjection', defaultMode: 'int32' },
  },
  VolumeProjection: {
    about: 'One of several sources.',
    fields: {
      secret: 'SecretProjection',
      downwardAPI: 'DownwardAPIProjection',
      configMap: 'ConfigMapProjection',
      serviceAccountToken: 'ServiceAccountTokenProjection',
      clusterTrustBundle: 'ClusterTrustBundleProjection',
      podCertificate: 'PodCertificateProjection',
    },
  },
  SecretProjection: {
    about: 'Entries of a secret.',
    fields: { name: 'string', items: '[]KeyToPath', optional: 'bool' },
  },
  ConfigMapProjection: {
    about: 'Entries of a config map.',
    fields: { name: 'string', items: '[]KeyToPath', optional: 'bool' },
  },
  DownwardAPIProjection: {
    about: 'Fields of the pod.',
    fields: { items: '[]DownwardAPIVolumeFile' },
  },
  ServiceAccountTokenProjection: {
    about: 'A token of the service account.',
    fields: { audience: 'string', expirationSeconds: 'int64', path: 'string!' },
  },
  ClusterTrustBundleProjection: {
    about: 'Certificates to trust.',
    fields: {
      name: 'string',
      signerName: 'string',
      labelSelector: 'LabelSelector',
      optional: 'bool',
      path: 'string!',
    },
  },
  PodCertificateProjection: {
    about: 'A certificate of the pod.',
    fields: {
      signerName: 'string',
      keyType: 'string',
      maxExpirationSeconds: 'int32',
      credentialBundlePath: 'string',
      keyPath: 'string',
      certificateChainPath: 'string',
    },
  },
  PersistentVolumeClaimVolumeSource: {
    about: 'A claim in the same namespace.',
    fields: { claimName: 'string!', readOnly: 'bool' },
  },
  NFSVolumeSource: {
    about: 'A folder of an NFS server.',
    fields: { server: 'string!', path: 'string!', readOnly: 'bool' },
  },
  CSIVolumeSource: {
    about: 'A volume of a CSI driver, made for the pod.',
    fields: {
      driver: 'string!',
      readOnly: 'bool',
      fsType: 'string',
      volumeAttributes: 'map:string',
      nodePublishSecretRef: 'LocalObjectReference',
    },
  },
  EphemeralVolumeSource: {
    about: 'A claim made for the pod.',
    fields: { volumeClaimTemplate: 'PersistentVolumeClaimTemplate' },
  },
  PersistentVolumeClaimTemplate: {
    about: 'The claim to make.',
    fields: { metadata: 'ObjectMeta', spec: 'PersistentVolumeClaimSpec!' },
  },
  PersistentVolumeClaimSpec: {
    about: 'The specification of a claim.',
    fields: {
      accessModes: '[]string',
      selector: 'LabelSelector',
      resources: 'VolumeResourceRequirements',
      volumeName: 'string',
      storageClassName: 'string',
      volumeMode: 'string',
      dataSource: 'TypedLocalObjectReference',
      dataSourceRef: 'TypedObjectReference',
      volumeAttributesClassName: 'string',
    },
  },
  VolumeResourceRequirements: {
    about: 'How large a volume must be.',
    fields: { limits: 'map:quantity', requests: 'map:quantity' },
  },
  TypedLocalObjectReference: {
    about: 'An object in the same namespace, with its kind.',
    fields: { apiGroup: 'string', kind: 'string!', name: 'string!' },
  },
  TypedObjectReference: {
    about: 'An object, with its kind.',
    fields: { apiGroup: 'string', kind: 'string!', name: 'string!', namespace: 'string' },
  },
  ImageVolumeSource: {
    about: 'The content of an image.',
    fields: { reference: 'string', pullPolicy: 'string' },
  },
}
