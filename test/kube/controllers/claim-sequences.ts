import { objectAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import { create, patch, pass, pathOf, remove, scale, sent } from './acts.ts'
import type { Act } from './acts.ts'
import { template, workload } from './basic-sequences.ts'
import type { Sequence } from './basic-sequences.ts'

/**
 * Classes and volumes have no namespace: they are named after their sequence. Each sequence has a class of its own, so that no
 * claim takes a volume of another.
 */
function volume(name: string, size: string, more: JsonObject = {}, labels: JsonObject = {}): Act {
  return create('persistentvolumes', {
    metadata: { name, labels },
    spec: {
      capacity: { storage: size },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/mnt/nodescope' },
      storageClassName: name.split('-').slice(0, 2).join('-'),
      ...more,
    },
  })
}

function claimIn(storageClassName: string) {
  return (name: string, size: string, more: JsonObject = {}): Act =>
    create('persistentvolumeclaims', {
      metadata: { name },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: size } },
        storageClassName,
        ...more,
      },
    })
}

const matching = claimIn('claims-matching')
const naming = claimIn('claims-named')
const reclaimed = claimIn('claims-reclaimed')
const unclassed = claimIn('')

function storageClass(name: string, provisioner: string, more: JsonObject = {}): Act {
  return create('storageclasses', { metadata: { name }, provisioner, ...more })
}

function removeClaim(name: string): Act {
  return remove('persistentvolumeclaims', name)
}

/** Without finalizers, as when a user forces it. */
function dropFinalizers(kind: 'persistentvolumes' | 'persistentvolumeclaims', name: string): Act {
  return patch(kind, name, { metadata: { finalizers: null } }, 'merge-patch')
}

/** What an external provisioner does. */
function provision(name: string, claimName: string, spec: JsonObject): Act {
  return {
    title: `provision ${name}`,
    run: async (scene) => {
      const found = await sent(scene, ['GET', pathOf(scene, 'persistentvolumeclaims', claimName)])
      const uid = textAt(objectAt(found, 'metadata'), 'uid')
      const { namespace } = scene
      const claimRef = { kind: 'PersistentVolumeClaim', namespace, name: claimName, uid }
      const volumeObject = {
        metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': 'example.com/disks' } },
        spec: {
          capacity: { storage: '3Gi' },
          accessModes: ['ReadWriteOnce'],
          csi: { driver: 'disks.example.com', volumeHandle: name },
          claimRef: { apiVersion: 'v1', ...claimRef },
          ...spec,
        },
      }
      await sent(scene, ['POST', pathOf(scene, 'persistentvolumes'), volumeObject])
    },
  }
}

function podWith(name: string, volumes: readonly JsonObject[]): Act {
  const spec = objectAt(template('registry.example/stay-pending:1', { volumes }), 'spec')
  return create('pods', { metadata: { name }, spec })
}

function using(claimName: string): JsonObject {
  return { name: 'data', persistentVolumeClaim: { claimName } }
}

const waits = { volumeBindingMode: 'WaitForFirstConsumer' }

export const claimSequences: readonly Sequence[] = [
  {
    name: 'claims-matching',
    hasClaims: true,
    acts: [
      volume('claims-matching-small', '1Gi'),
      volume('claims-matching-large', '8Gi'),
      volume('claims-matching-shared', '2Gi', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] }),
      volume('claims-matching-fast', '4Gi', {}, { disk: 'fast' }),
      volume('claims-matching-device', '1Gi', { volumeMode: 'Block' }),
      volume('claims-matching-class', '1Gi', { storageClassName: 'claims-matching-other' }),
      matching('selected', '1Gi', { selector: { matchLabels: { disk: 'fast' } } }),
      matching('smallest', '500Mi'),
      matching('fewest-modes', '2Gi'),
      matching('many', '1Gi', { accessModes: ['ReadWriteMany'] }),
      matching('device', '1Gi', { volumeMode: 'Block' }),
      matching('of-class', '1Gi', { storageClassName: 'claims-matching-other' }),
      matching('too-large', '9Gi'),
      volume('claims-matching-late', '10Gi'),
      pass(16),
    ],
  },
  {
    name: 'claims-named',
    hasClaims: true,
    acts: [
      volume('claims-named-one', '1Gi'),
      naming('by-name', '1Gi', { volumeName: 'claims-named-one' }),
      naming('taken', '1Gi', { volumeName: 'claims-named-one' }),
      naming('absent', '1Gi', { volumeName: 'claims-named-two' }),
      naming('too-large', '5Gi', { volumeName: 'claims-named-three' }),
      volume('claims-named-two', '1Gi'),
      volume('claims-named-three', '1Gi'),
      pass(16),
      volume('claims-named-reserved', '7Gi', {
        claimRef: { namespace: 'claims-named', name: 'later' },
      }),
      naming('other', '7Gi'),
      naming('later', '1Gi'),
      naming('wrong-mode', '1Gi', { volumeMode: 'Block' }),
      naming('wrong-class', '1Gi', {
        storageClassName: 'claims-named-other',
        volumeName: 'claims-named-three',
      }),
      pass(16),
    ],
  },
  {
    name: 'claims-reclaimed',
    hasClaims: true,
    acts: [
      volume('claims-reclaimed-kept', '1Gi'),
      reclaimed('kept', '1Gi'),
      removeClaim('kept'),
      reclaimed('kept', '1Gi'),
      patch(
        'persistentvolumes',
        'claims-reclaimed-kept',
        { spec: { claimRef: null } },
        'merge-patch',
      ),
      pass(16),
      volume('claims-reclaimed-removed', '2Gi', {
        persistentVolumeReclaimPolicy: 'Delete',
        hostPath: { path: '/tmp/nodescope-claims-reclaimed' },
      }),
      reclaimed('removed', '2Gi'),
      removeClaim('removed'),
      volume('claims-reclaimed-failed', '3Gi', { persistentVolumeReclaimPolicy: 'Delete' }),
      reclaimed('failed', '3Gi'),
      removeClaim('failed'),
      volume('claims-reclaimed-nfs', '4Gi', {
        persistentVolumeReclaimPolicy: 'Delete',
        hostPath: undefined,
        nfs: { server: 'files.example.com', path: '/' },
      }),
      reclaimed('nfs', '4Gi'),
      removeClaim('nfs'),
      volume('claims-reclaimed-lost', '5Gi'),
      reclaimed('lost', '5Gi'),
      remove('persistentvolumes', 'claims-reclaimed-lost'),
      dropFinalizers('persistentvolumes', 'claims-reclaimed-lost'),
      pass(16),
      removeClaim('lost'),
    ],
  },
  {
    name: 'claims-classes',
    hasClaims: true,
    acts: [
      storageClass('claims-classes-external', 'example.com/disks'),
      storageClass('claims-classes-inside', 'kubernetes.io/storageos'),
      storageClass('claims-classes-folder', 'kubernetes.io/host-path'),
      storageClass('claims-classes-nfs', 'kubernetes.io/nfs'),
      storageClass('claims-classes-aws', 'kubernetes.io/aws-ebs'),
      storageClass('claims-classes-none', 'kubernetes.io/no-provisioner', waits),
      storageClass('claims-classes-waiting', 'example.com/disks', waits),
      unclassed('external', '1Gi', { storageClassName: 'claims-classes-external' }),
      unclassed('inside', '1Gi', { storageClassName: 'claims-classes-inside' }),
      unclassed('folder', '1Gi', { storageClassName: 'claims-classes-folder' }),
      unclassed('nfs', '1Gi', { storageClassName: 'claims-classes-nfs' }),
      unclassed('aws', '1Gi', { storageClassName: 'claims-classes-aws' }),
      unclassed('none', '1Gi', { storageClassName: 'claims-classes-none' }),
      unclassed('missing', '1Gi', { storageClassName: 'claims-classes-missing' }),
      unclassed('waiting', '1Gi', { storageClassName: 'claims-classes-waiting' }),
      unclassed('no-class', '1Gi'),
      volume('claims-classes-local', '1Gi', { storageClassName: 'claims-classes-none' }),
      podWith('user', [using('waiting')]),
      pass(16),
      patch(
        'persistentvolumeclaims',
        'waiting',
        { metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'n1' } } },
        'merge-patch',
      ),
    ],
  },
  {
    name: 'claims-provisioned',
    hasClaims: true,
    acts: [
      storageClass('claims-provisioned-fast', 'example.com/disks'),
      unclassed('data', '3Gi', { storageClassName: 'claims-provisioned-fast' }),
      provision('claims-provisioned-data', 'data', {
        storageClassName: 'claims-provisioned-fast',
        persistentVolumeReclaimPolicy: 'Delete',
      }),
      removeClaim('data'),
      unclassed('twice', '3Gi', { storageClassName: 'claims-provisioned-fast' }),
      provision('claims-provisioned-first', 'twice', {
        storageClassName: 'claims-provisioned-fast',
      }),
      provision('claims-provisioned-second', 'twice', {
        storageClassName: 'claims-provisioned-fast',
      }),
      provision('claims-provisioned-third', 'twice', {
        storageClassName: 'claims-provisioned-fast',
        persistentVolumeReclaimPolicy: 'Delete',
      }),
    ],
  },
  {
    name: 'statefulsets-retention',
    acts: [
      create(
        'statefulsets',
        workload({
          replicas: 3,
          serviceName: 'web',
          persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Delete' },
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: {
                accessModes: ['ReadWriteOnce'],
                resources: { requests: { storage: '1Gi' } },
                storageClassName: 'statefulsets-retention',
              },
            },
          ],
        }),
      ),
      patch('pods', 'web-0', {
        metadata: { labels: { 'statefulset.kubernetes.io/pod-name': null } },
      }),
      scale('statefulsets', 'web', 1),
      patch('statefulsets', 'web', {
        spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain' } },
      }),
      scale('statefulsets', 'web', 2),
      patch('persistentvolumeclaims', 'data-web-1', {
        metadata: {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'Pod', name: 'web-1', uid: 'another', controller: true },
          ],
        },
      }),
      patch('statefulsets', 'web', {
        spec: { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Retain' } },
      }),
      patch('statefulsets', 'web', {
        spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } },
      }),
      remove('statefulsets', 'web'),
    ],
  },
  {
    name: 'claims-ephemeral',
    hasClaims: true,
    acts: [
      podWith('web', [
        {
          name: 'scratch',
          ephemeral: {
            volumeClaimTemplate: {
              metadata: { labels: { a: 'b' }, annotations: { note: 'x' } },
              spec: {
                accessModes: ['ReadWriteOnce'],
                storageClassName: '',
                resources: { requests: { storage: '1Gi' } },
              },
            },
          },
        },
      ]),
      removeClaim('web-scratch'),
      unclassed('other-scratch', '1Gi'),
      podWith('other', [
        {
          name: 'scratch',
          ephemeral: {
            volumeClaimTemplate: {
              spec: {
                accessModes: ['ReadWriteOnce'],
                resources: { requests: { storage: '1Gi' } },
              },
            },
          },
        },
      ]),
      remove('pods', 'web'),
    ],
  },
]
