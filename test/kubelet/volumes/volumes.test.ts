import { afterEach, expect, it } from 'vitest'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { KubeObject } from '../../../src/shared/kubernetes/objects.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

let memory: MemorySandbox | undefined

afterEach(() => {
  memory?.stop()
})

const set = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', namespace: 'default', uid: '' },
  spec: {
    replicas: 2,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
    template: {
      metadata: { labels: { app: 'db' } },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'busybox:1.36',
            command: ['sleep', '1000000'],
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          },
        ],
        terminationGracePeriodSeconds: 1,
      },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
}

async function listed(sandbox: MemorySandbox, path: string): Promise<readonly JsonObject[]> {
  const answer = await sandbox.request('GET', path)
  return answer.kind === 'object' && isJsonObject(answer.body)
    ? objectsAt(answer.body, 'items')
    : []
}

function phases(objects: readonly JsonObject[]): readonly string[] {
  return objects.map((one) => textAt(objectAt(one, 'status'), 'phase'))
}

// volumes#provisioned-volumes, volumes#claims-of-pods.
it('the pods of a StatefulSet run with volumes of the default class, which are deleted with the set', async () => {
  const sandbox = new MemorySandbox({
    log: new FakeLog(),
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1', 'n2'],
  })
  memory = sandbox
  sandbox.start()
  await sandbox.clock.advance(30_000)
  const sets = '/apis/apps/v1/namespaces/default/statefulsets'
  await sandbox.request('POST', sets, set as unknown as KubeObject)
  await sandbox.clock.advance(60_000)
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
  expect(phases(await listed(sandbox, '/api/v1/namespaces/default/pods'))).toEqual([
    'Running',
    'Running',
  ])
  expect(phases(await listed(sandbox, claims))).toEqual(['Bound', 'Bound'])
  const volumes = await listed(sandbox, '/api/v1/persistentvolumes')
  expect(phases(volumes)).toEqual(['Bound', 'Bound'])
  await sandbox.request('DELETE', `${sets}/db`)
  await sandbox.clock.advance(60_000)
  expect(await listed(sandbox, claims)).toEqual([])
  expect(await listed(sandbox, '/api/v1/persistentvolumes')).toEqual([])
})
