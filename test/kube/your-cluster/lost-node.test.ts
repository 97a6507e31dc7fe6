import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectAt, textAt } from '../../../src/shared/json.ts'
import type { SeenNode } from '../../../src/shared/model/seen-cluster.ts'
import { reportComparison, reportMissing } from '../comparison.ts'
import { findParts, startControlPlane, type ControlPlane } from '../control-plane.ts'
import { administratorOf, type Administrator } from '../integration/administrator.ts'
import { LookedAt } from './looked-at.ts'

// What the page predicts for a node whose kubelet is silent, and what a real kube-controller-manager then does.

const found = await findParts(['etcd', 'kube-apiserver', 'kube-controller-manager'], process.env)
const namespace = 'lost'
const pods = `/api/v1/namespaces/${namespace}/pods`
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
const taint = 'node.kubernetes.io/unreachable'
/** The controller looks at nodes every 5 s, and takes a moment to write. */
const controllerMs = 8000

describe.skipIf('missing' in found)('a node that is lost, with a real controller manager', () => {
  let plane: ControlPlane
  let admin: Administrator
  let seen: LookedAt

  beforeAll(async () => {
    plane = await startControlPlane({ environment: process.env, controllers: true })
    admin = await administratorOf(plane.adminKubeconfig)
    await admin.makeNamespace(namespace)
    const time = new Date().toISOString()
    const ready = { type: 'Ready', status: 'True', lastHeartbeatTime: time }
    // Its pods are not evicted while all nodes are lost.
    for (const name of ['silent', 'other-1', 'other-2'])
      await admin.ask('POST', '/api/v1/nodes', {
        metadata: { name },
        status: { conditions: [{ ...ready, lastTransitionTime: time }] },
      })
    seen = await LookedAt.open(plane.adminKubeconfig)
    await seen.untilWatching()
  }, 120_000)

  afterAll(async () => {
    await seen.stop()
    await admin.close()
    await plane.stop()
  }, 60_000)

  const node = async (): Promise<SeenNode> => {
    const { seen: view } = await seen.view()
    const one = view.nodes.find(({ name }) => name === 'silent')
    if (one === undefined) throw new Error('no node')
    return one
  }
  const lossOf = async () => (await node()).loss

  const now = (): string => new Date().toISOString().replace('Z', '000Z')
  const makeLease = async (name: string): Promise<unknown> =>
    admin.ask('POST', leases, {
      metadata: { name },
      spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: now() },
    })
  const renew = async (name: string): Promise<unknown> =>
    admin.transport.send({
      method: 'PATCH',
      path: `${leases}/${name}`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { renewTime: now() } },
    })

  it('is late, Unknown and tainted when the page says, and loses its pods then', async () => {
    const makePod = async (name: string, seconds?: number): Promise<void> => {
      const forever = { key: taint, operator: 'Exists', effect: 'NoExecute' }
      const toleration = {
        ...forever,
        ...(seconds === undefined ? {} : { tolerationSeconds: seconds }),
      }
      await admin.ask('POST', pods, {
        metadata: { name },
        spec: {
          nodeName: 'silent',
          containers: [{ name: 'c', image: 'i' }],
          tolerations: [toleration],
        },
      })
    }
    await makePod('stays')
    await makePod('leaves', 6)
    for (const name of ['silent', 'other-1', 'other-2']) await makeLease(name)
    const renewals = setInterval(() => {
      for (const name of ['other-1', 'other-2']) void renew(name)
    }, 10_000)
    try {
      const until = { timeout: 90_000, interval: 200 }
      await expect.poll(lossOf, until).toMatchObject({ kind: 'late' })
      const late = await lossOf()
      const unknownAt = late.kind === 'late' ? late.unknownAt : 0
      await expect.poll(lossOf, until).toMatchObject({ kind: 'tainted', taint, staying: 1 })
      const taintedAt = Date.now()
      expect(taintedAt).toBeGreaterThanOrEqual(unknownAt - 1000)
      expect(taintedAt).toBeLessThan(unknownAt + controllerMs)
      expect((await node()).status).toBe('NotReady')
      const tainted = await lossOf()
      const [deletion] = tainted.kind === 'tainted' ? tainted.deletions : []
      expect(deletion?.pods).toBe(1)
      const deletedAt = async (): Promise<string> =>
        textAt(objectAt(await admin.ask('GET', `${pods}/leaves`), 'metadata'), 'deletionTimestamp')
      await expect.poll(deletedAt, until).not.toBe('')
      expect(Math.abs(Date.now() - (deletion?.at ?? 0))).toBeLessThan(controllerMs)
      await expect.poll(async () => (await seen.row('leaves')).status).toBe('Terminating')
      expect((await seen.row('stays')).status).not.toBe('Terminating')
      expect(await lossOf()).toMatchObject({ deletions: [], staying: 1 })
      reportComparison(
        'lost nodes',
        `Ready was Unknown ${((taintedAt - unknownAt) / 1000).toFixed(1)} s and the pod deleted ${((Date.now() - (deletion?.at ?? 0)) / 1000).toFixed(1)} s after the time that the page predicted`,
      )
    } finally {
      clearInterval(renewals)
    }
  }, 240_000)
})

if ('missing' in found) reportMissing('lost nodes', found.missing)
