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
