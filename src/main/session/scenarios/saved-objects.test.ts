import { expect, it } from 'vitest'
import type { KeptObject } from '../../sandbox/object-store.ts'
import { standardClass } from '../../sandbox/control-plane/volume-claims/storage-provisioner.ts'
import { savedObjects } from './saved-objects.ts'

function claim(name: string, annotations: Record<string, string>): KeptObject {
  const metadata = { name, namespace: 'default', uid: 'u', annotations }
  const spec = { storageClassName: 'standard', volumeName: 'pvc-u' }
  return { resource: 'persistentvolumeclaims', object: { metadata, spec } }
}

it('a saved claim names a volume only if a user did, and the class of every sandbox is not saved', () => {
  const saved = savedObjects([
    { resource: 'storageclasses.storage.k8s.io', object: standardClass },
    claim('made', { 'pv.kubernetes.io/bound-by-controller': 'yes' }),
    claim('named', { 'pv.kubernetes.io/bind-completed': 'yes' }),
  ])
  const kind = 'PersistentVolumeClaim'
  expect(saved).toMatchObject([
    { kind, metadata: { name: 'made' }, spec: { storageClassName: 'standard' } },
    { kind, metadata: { name: 'named' }, spec: { volumeName: 'pvc-u' } },
  ])
  expect(saved[0]?.['spec']).not.toHaveProperty('volumeName')
})

it('a pod whose owner a controller of the sandbox looks after is not saved; the owner of another one is left out', () => {
  const pod = (name: string, apiVersion: string, kind: string): KeptObject => {
    const owner = { apiVersion, kind, name: 'owner', uid: 'o', controller: true }
    const metadata = { name, namespace: 'default', uid: name, ownerReferences: [owner] }
    return { resource: 'pods', object: { metadata } }
  }
  const saved = savedObjects([
    pod('of-set', 'apps/v1', 'ReplicaSet'),
    pod('of-widget', 'example.com/v1', 'Widget'),
  ])
  expect(saved).toEqual([
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'of-widget', namespace: 'default' } },
  ])
})
