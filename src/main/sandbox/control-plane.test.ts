import { describe, expect, it } from 'vitest'
import { clusterUnderTest, keepAlive, readyNode } from './control-plane/fake-cluster.ts'
import { nodes, pod, pods } from './fake-client.ts'

/** An hour of a small cluster: nodes come and fall silent, pods come and go. */
async function anHour(seed: number): Promise<string> {
  const cluster = await clusterUnderTest(seed)
  const { client, clock, traced, stop } = cluster
  for (const name of ['n1', 'n2']) await client.post(nodes, readyNode(name))
  await keepAlive(cluster, 'n1')
  const silence = await keepAlive(cluster, 'n2')
  for (let index = 0; index < 6; index++) {
    await client.post(pods, pod(`web-${index}`, { nodeName: '' }))
    await clock.advance(1000)
  }
  silence()
  await clock.advance(1_800_000)
  await client.delete(`${nodes}/n2`)
  await clock.advance(1_800_000)
  stop()
  const objects = [
    await client.get(pods),
    await client.get(nodes),
    await client.get('/api/v1/events'),
  ]
  return JSON.stringify([traced, objects.map(({ body }) => body)])
}

describe('the control plane', () => {
  it('is deterministic for a seed, up to the last event', async () => {
    const first = await anHour(5)
    expect(await anHour(5)).toBe(first)
  })

  it('leaves no timer and no watch after its stop', async () => {
    const { stop, clock, settle } = await clusterUnderTest()
    expect(clock.pendingTimers).toBeGreaterThan(0)
    stop()
    await settle()
    await clock.advance(10_000)
    expect(clock.pendingTimers).toBe(0)
  })
})
