import { describe, expect, it } from 'vitest'
import type { Pod, Taint, Toleration } from '../../../shared/kubernetes/objects.ts'
import { metadataOf, nodes, pod, pods } from '../fake-client.ts'
import { clusterUnderTest, conditionOf, eventsAbout, keepAlive, readyNode } from './fake-cluster.ts'
import { minTolerationMs } from '../../../shared/kubernetes/taints.ts'

function tolerating(...tolerations: readonly Toleration[]): Pod {
  return { metadata: { name: 'p', uid: 'u' }, spec: { containers: [], tolerations } }
}

describe('a pod has to leave', () => {
  const taint: Taint = { key: 'k', effect: 'NoExecute' }
  const forTen: Toleration = {
    key: 'k',
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 10,
  }

  it.each<[string, Pod, readonly Taint[], number]>([
    ['never without taints', tolerating(), [], Infinity],
    [
      'never for taints other than NoExecute',
      tolerating(),
      [{ ...taint, effect: 'NoSchedule' }],
      Infinity,
    ],
    ['at once when it does not tolerate', tolerating(), [taint], 0],
    ['never when it tolerates for good', tolerating({ operator: 'Exists' }), [taint], Infinity],
    ['when its seconds are over', tolerating(forTen), [taint], 10_000],
    [
      'after the shortest of its tolerationSeconds',
      tolerating(forTen, { ...forTen, tolerationSeconds: 5 }),
      [taint],
      5000,
    ],
    [
      'after the shortest time of several taints',
      tolerating(forTen, { key: 'z', operator: 'Exists' }),
      [taint, { key: 'z', effect: 'NoExecute' }],
      10_000,
    ],
    [
      'at once when one of several is not tolerated',
      tolerating(forTen),
      [taint, { key: 'z', effect: 'NoExecute' }],
      0,
    ],
    [
      'at once for negative tolerationSeconds',
      tolerating({ ...forTen, tolerationSeconds: -5 }),
      [taint],
      0,
    ],
  ])('%s', (_, given, taints, span) => {
    expect(minTolerationMs(given, taints)).toBe(span)
  })
})

describe('taint eviction', () => {
  it('deletes the pods of a node without heartbeats after five more minutes, except those that tolerate it', async () => {
    const cluster = await clusterUnderTest()
    const { client, clock } = cluster
    // Without a node that stays Ready, nothing is evicted.
    await client.post(nodes, readyNode('other'))
    await keepAlive(cluster, 'other')
    await client.post(nodes, readyNode('n1'))
    const silence = await keepAlive(cluster, 'n1')
    await client.post(pods, pod('web'))
    await client.post(
      pods,
      pod('static', { tolerations: [{ operator: 'Exists', effect: 'NoExecute' }] }),
    )
    await cluster.settle()
    silence()
    await clock.advance(61_000)
    await clock.advance(285_000)
    expect(metadataOf(await client.get(`${pods}/web`))['deletionTimestamp']).toBeUndefined()
    await clock.advance(20_000)
    expect(metadataOf(await client.get(`${pods}/web`))['deletionGracePeriodSeconds']).toBe(30)
    expect(metadataOf(await client.get(`${pods}/static`))['deletionTimestamp']).toBeUndefined()
    expect(await conditionOf(client, `${pods}/web`, 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
    })
    expect(await eventsAbout(client, 'web')).toContain(
      'Normal TaintManagerEviction: Marking for deletion Pod default/web',
    )
  })

  it('deletes pods that do not tolerate a taint at once, also those that are bound later', async () => {
    const { client, settle } = await clusterUnderTest()
    await client.post(nodes, readyNode('n1'))
    await client.post(pods, pod('there'))
    await settle()
    await client.patch(`${nodes}/n1`, { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } })
    await settle()
    await client.post(pods, pod('late'))
    await settle()
    for (const name of ['there', 'late']) {
      expect(metadataOf(await client.get(`${pods}/${name}`))['deletionTimestamp']).toBeDefined()
    }
  })

  it('counts tolerationSeconds from when it saw pod and taint together, not from timeAdded', async () => {
    const { client, settle, clock } = await clusterUnderTest()
    await client.post(nodes, readyNode('n1'))
    const spec = {
      tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }],
    }
    await client.post(pods, pod('there', spec))
    await settle()
    await client.patch(`${nodes}/n1`, { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } })
    await clock.advance(6000)
    await client.post(pods, pod('late', spec))
    const isLeaving = async (name: string): Promise<boolean> =>
      metadataOf(await client.get(`${pods}/${name}`))['deletionTimestamp'] !== undefined
    const states: (readonly boolean[])[] = []
    for (const ms of [3000, 3000, 3000, 3000]) {
      await clock.advance(ms)
      states.push([await isLeaving('there'), await isLeaving('late')])
    }
    expect(states).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [true, true],
    ])
  })

  it('does not delete a pod whose taint is removed in time', async () => {
    const { client, settle, clock } = await clusterUnderTest()
    await client.post(nodes, readyNode('n1'))
    await client.post(
      pods,
      pod('web', {
        tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }],
      }),
    )
    await settle()
    const timeAdded = new Date(clock.now()).toISOString()
    await client.patch(`${nodes}/n1`, {
      spec: { taints: [{ key: 'k', effect: 'NoExecute', timeAdded }] },
    })
    await clock.advance(8000)
    await client.patch(`${nodes}/n1`, { spec: { taints: [] } })
    await clock.advance(20_000)
    expect(metadataOf(await client.get(`${pods}/web`))['deletionTimestamp']).toBeUndefined()
  })
})
