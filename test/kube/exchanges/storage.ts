import { expect } from 'vitest'
import {
  events,
  get,
  patch,
  post,
  put,
  remove,
  watch,
  type Ask,
  type Scenario,
} from '../exchange.ts'

const claims = '/api/v1/namespaces/<ns>/persistentvolumeclaims'
const volumes = '/api/v1/persistentvolumes'
const classes = '/apis/storage.k8s.io/v1/storageclasses'
const web = `${claims}/web`
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

type Fields = Readonly<Record<string, unknown>>

const invalid = { status: 422, holds: { reason: 'Invalid' } }
const immutable = {
  ...invalid,
  differs: [
    { at: 'body.message', why: 'Go prints the difference of two structs' },
    { at: 'body.details.causes.0.message', why: 'Go prints the difference of two structs' },
  ],
}
const forbidden = { status: 403, holds: { reason: 'Forbidden' } }

function claim(spec: Fields = {}, name = 'web'): unknown {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      ...spec,
    },
  }
}

function volume(spec: Fields = {}, name = '<ns>-disk'): unknown {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      hostPath: { path: '/data' },
      ...spec,
    },
  }
}

function storageClass(more: Fields = {}, name = '<ns>-fast'): unknown {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'example.com/disks',
    ...more,
  }
}

function refusedAt(path: string, what: string) {
  return (title: string, ...bodies: readonly unknown[]): Scenario => ({
    title: `a ${what} with ${title} is refused`,
    steps: bodies.map((body) => post(path, { body, ...invalid })),
  })
}

const refusedClaim = refusedAt(claims, 'claim')
const refusedVolume = refusedAt(volumes, 'volume')
const refusedClass = refusedAt(classes, 'storage class')

/** A cluster-scoped object that the scenario leaves behind otherwise. */
function cleared(path: string): Ask {
  return remove(path)
}

const defaultClass = 'storageclass.kubernetes.io/is-default-class'

/** Claims, volumes and storage classes, without the controllers that bind and provision. */
export const storageExchanges: readonly Scenario[] = [
  {
    title: 'a claim is created, listed, watched and changed, and waits for a volume',
    steps: [
      watch('claims', claims),
      post(claims, {
        body: claim(),
        save: 'web',
        holds: { spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
      }),
      post(claims, { body: claim(), status: 409, holds: { reason: 'AlreadyExists' } }),
      get(claims, { holds: { kind: 'PersistentVolumeClaimList' } }),
      get(claims, { accept: table, holds: { kind: 'Table' } }),
      get(claims, { query: { fieldSelector: 'metadata.name=web' } }),
      patch('merge', web, { metadata: { labels: { a: 'b' } } }),
      patch('strategic', web, { spec: { volumeName: '<ns>-disk' } }),
      patch('json', web, [{ op: 'add', path: '/metadata/annotations', value: { a: 'b' } }]),
      patch('merge', web, { spec: { volumeName: 'another' } }, immutable),
      patch('merge', web, { spec: { accessModes: ['ReadWriteMany'] } }, immutable),
      patch('merge', web, { spec: { volumeMode: 'Block' } }, immutable),
      patch('merge', web, { spec: { resources: { requests: { storage: '2Gi' } } } }, immutable),
      patch('merge', web, { spec: { selector: { matchLabels: { a: 'b' } } } }, immutable),
      put(web, { body: claim({ volumeName: '<ns>-disk' }) }),
      events('claims', [
        { type: 'ADDED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
      ]),
    ],
  },
  {
    title: 'a claim’s status is a subresource, and its size can grow once it is bound',
    steps: [
      post(claims, { body: claim({ storageClassName: 'slow', volumeName: '<ns>-disk' }) }),
      patch('merge', `${web}/status`, {
        spec: { volumeName: 'ignored' },
        status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
      }),
      get(`${web}/status`),
      get(claims, { accept: table }),
      patch('merge', web, { spec: { resources: { requests: { storage: '2Gi' } } } }, forbidden),
      patch('merge', web, { spec: { resources: { requests: { storage: '500Mi' } } } }, invalid),
      patch('merge', web, { spec: { storageClassName: 'other' } }, immutable),
      patch('merge', web, { spec: { volumeAttributesClassName: 'gold' } }),
      patch('merge', `${web}/status`, { status: { capacity: { storage: '-1' } } }, invalid),
    ],
  },
  {
    title: 'a claim in use is protected from deletion',
    steps: [
      post(claims, {
        body: claim(),
        holds: { metadata: { finalizers: ['kubernetes.io/pvc-protection'] } },
      }),
      remove(web, { holds: { kind: 'PersistentVolumeClaim' } }),
      get(web, { holds: { metadata: { finalizers: ['kubernetes.io/pvc-protection'] } } }),
      patch('merge', web, { metadata: { finalizers: null } }),
      get(web, { status: 404, holds: { reason: 'NotFound' } }),
    ],
  },
  {
    title: 'other fields of a claim',
    steps: [
      post(claims, {
        body: claim({
          volumeMode: 'Block',
          selector: {
            matchLabels: { a: 'b' },
            matchExpressions: [{ key: 'c', operator: 'Exists' }],
          },
          storageClassName: '',
          resources: { requests: { storage: '1.5Gi' }, limits: { storage: '3000Mi' } },
        }),
      }),
      post(claims, {
        body: claim({ dataSource: { kind: 'PersistentVolumeClaim', name: 'web' } }, 'copy'),
        holds: { spec: { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'web' } } },
      }),
      post(claims, {
        body: claim(
          { dataSourceRef: { apiGroup: 'example.com', kind: 'Image', name: 'disk' } },
          'image',
        ),
      }),
      post(claims, { body: claim({ dataSource: { kind: 'Pod', name: 'x' } }, 'dropped') }),
      post(claims, { body: claim({ accessModes: ['ReadWriteOncePod'] }, 'single') }),
      get(claims, { accept: table }),
    ],
  },
  refusedClaim(
    'no modes, no size or no sense',
    claim({ accessModes: [] }),
    claim({ accessModes: undefined }),
    claim({ accessModes: ['Sometimes'] }),
    claim({ accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] }),
    claim({ resources: {} }),
    claim({ resources: undefined }),
    claim({ resources: { requests: { storage: '0' } } }),
    claim({ resources: { requests: { storage: '-1Gi' } } }),
    claim({ resources: { requests: { cpu: '1' } } }),
    claim({ storageClassName: 'No_Class' }),
    claim({ volumeMode: 'Tape' }),
    claim({ selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } }),
    claim({ dataSourceRef: { kind: '', name: '' } }),
    claim({ dataSourceRef: { kind: 'Pod', name: 'x' } }),
    claim({}, 'No_Name'),
  ),
  {
    title: 'a volume is created, listed, changed and protected',
    steps: [
      post(volumes, {
        body: volume(),
        holds: {
          metadata: { finalizers: ['kubernetes.io/pv-protection'] },
          spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
          status: { phase: 'Pending' },
        },
      }),
      post(volumes, { body: volume(), status: 409 }),
      get(`${volumes}/<ns>-disk`),
      get(`${volumes}/<ns>-disk`, { accept: table }),
      patch('merge', `${volumes}/<ns>-disk`, {
        spec: { persistentVolumeReclaimPolicy: 'Delete', storageClassName: 'slow' },
      }),
      patch('strategic', `${volumes}/<ns>-disk`, {
        spec: { claimRef: { namespace: '<ns>', name: 'web' }, capacity: { storage: '2Gi' } },
      }),
      patch('merge', `${volumes}/<ns>-disk`, { spec: { hostPath: { path: '/other' } } }, immutable),
      patch('merge', `${volumes}/<ns>-disk`, { spec: { volumeMode: 'Block' } }, invalid),
      patch('merge', `${volumes}/<ns>-disk`, { spec: { capacity: null } }, invalid),
      patch('merge', `${volumes}/<ns>-disk/status`, {
        spec: { storageClassName: 'ignored' },
        status: { phase: 'Bound' },
      }),
      get(`${volumes}/<ns>-disk`, { accept: table }),
      remove(`${volumes}/<ns>-disk`, { holds: { kind: 'PersistentVolume' } }),
      patch('merge', `${volumes}/<ns>-disk`, { metadata: { finalizers: null } }),
      get(`${volumes}/<ns>-disk`, { status: 404 }),
    ],
  },
  {
    title: 'volumes of many sources',
    steps: [
      post(volumes, {
        body: volume({
          hostPath: undefined,
          local: { path: '/mnt' },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
              ],
            },
          },
        }),
      }),
      post(volumes, {
        body: volume(
          { hostPath: undefined, csi: { driver: 'disks.example.com', volumeHandle: '7' } },
          '<ns>-csi',
        ),
      }),
      post(volumes, {
        body: volume(
          { hostPath: undefined, nfs: { server: 'nas', path: '/x' }, mountOptions: ['hard'] },
          '<ns>-nfs',
        ),
      }),
      patch('merge', `${volumes}/<ns>-disk`, { metadata: { finalizers: null } }),
      patch('merge', `${volumes}/<ns>-csi`, { metadata: { finalizers: null } }),
      patch('merge', `${volumes}/<ns>-nfs`, { metadata: { finalizers: null } }),
      cleared(`${volumes}/<ns>-disk`),
      cleared(`${volumes}/<ns>-csi`),
      cleared(`${volumes}/<ns>-nfs`),
    ],
  },
  refusedVolume(
    'no source, no size or no sense',
    volume({ hostPath: undefined }),
    volume({ nfs: { server: 'nas', path: '/x' } }),
    volume({ hostPath: { path: '' } }),
    volume({ hostPath: { path: '/a/../b' } }),
    volume({ hostPath: { path: '/a', type: 'Tape' } }),
    volume({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' }),
    volume({ accessModes: [] }),
    volume({ accessModes: ['Sometimes'] }),
    volume({ capacity: undefined }),
    volume({ capacity: { storage: '0' } }),
    volume({ capacity: { storage: '1Gi', cpu: '1' } }),
    volume({ persistentVolumeReclaimPolicy: 'Burn' }),
    volume({ volumeMode: 'Tape' }),
    volume({ storageClassName: 'No_Class' }),
    volume({ hostPath: undefined, local: { path: '/mnt' } }),
    volume({ hostPath: undefined, local: { path: '' } }),
    volume({ hostPath: undefined, csi: { driver: '', volumeHandle: '' } }),
    volume({ hostPath: undefined, nfs: { server: '', path: '' } }),
    volume({}, 'No_Name'),
  ),
  {
    title: 'a storage class is created, listed and deleted, and never changed',
    steps: [
      post(classes, {
        body: storageClass(),
        holds: { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
      }),
      get(`${classes}/<ns>-fast`),
      get(`${classes}/<ns>-fast`, { accept: table }),
      patch('merge', `${classes}/<ns>-fast`, { metadata: { labels: { a: 'b' } } }),
      patch('merge', `${classes}/<ns>-fast`, { allowVolumeExpansion: true }),
      patch('merge', `${classes}/<ns>-fast`, { provisioner: 'other' }, invalid),
      patch('merge', `${classes}/<ns>-fast`, { parameters: { a: 'b' } }, invalid),
      patch('merge', `${classes}/<ns>-fast`, { reclaimPolicy: 'Retain' }, invalid),
      patch(
        'merge',
        `${classes}/<ns>-fast`,
        { volumeBindingMode: 'WaitForFirstConsumer' },
        invalid,
      ),
      remove(`${classes}/<ns>-fast`),
      get(`${classes}/<ns>-fast`, { status: 404 }),
    ],
  },
  refusedClass(
    'what it may not be',
    storageClass({ provisioner: '' }),
    storageClass({ provisioner: 'no provisioner' }),
    storageClass({ reclaimPolicy: 'Burn' }),
    storageClass({ volumeBindingMode: 'Never' }),
    storageClass({ parameters: { '': 'x' } }),
    storageClass({}, 'No_Name'),
    storageClass({ allowedTopologies: [{ matchLabelExpressions: [{ key: '', values: [] }] }] }),
  ),
  {
    title: 'a claim without a class gets the default one',
    steps: [
      post(classes, {
        body: {
          metadata: { name: '<ns>-default', annotations: { [defaultClass]: 'true' } },
          provisioner: 'example.com/disks',
          volumeBindingMode: 'WaitForFirstConsumer',
          allowVolumeExpansion: true,
        },
      }),
      post(claims, {
        body: claim(),
        query: { dryRun: 'All' },
        isEventual: true,
        holds: { spec: { storageClassName: expect.any(String) } },
      }),
      post(claims, { body: claim() }),
      post(claims, {
        body: claim({ storageClassName: '' }, 'none'),
        holds: { spec: { storageClassName: '' } },
      }),
      post(claims, { body: claim({ storageClassName: 'own' }, 'own') }),
      get(`${classes}/<ns>-default`, { accept: table }),
      patch('merge', `${web}`, { spec: { volumeName: '<ns>-disk' } }),
      patch('merge', `${web}/status`, {
        status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
      }),
      patch('merge', web, { spec: { resources: { requests: { storage: '2Gi' } } } }),
      remove(`${classes}/<ns>-default`),
      post(claims, {
        body: claim({}, 'late'),
        query: { dryRun: 'All' },
        isEventual: true,
        holds: { spec: expect.not.objectContaining({ storageClassName: expect.any(String) }) },
      }),
    ],
  },
]
