import { describe, expect, it } from 'vitest'
import { seededRandom } from '../clock/seeded-random.ts'
import { startControlPlane } from './control-plane.ts'
import type { ControlPlaneDeps } from './control-plane.ts'
import { clusterUnderTest, keepAlive, readyNode } from './control-plane/fake-cluster.ts'
import { runPods, workloadNamed } from './control-plane/fake-pods.ts'
import { nodes, pod, pods, silentLog } from './fake-client.ts'

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

  it('creates and deletes no pod when it starts on stored owners that have their pods', async () => {
    const cluster = await clusterUnderTest()
    const { client, server, clock } = cluster
    for (const name of ['n1', 'n2', 'n3']) await client.post(nodes, readyNode(name))
    for (const plural of ['deployments', 'statefulsets', 'daemonsets']) {
      const owner = workloadNamed(plural, plural === 'daemonsets' ? {} : { replicas: 3 })
      await client.post(`/apis/apps/v1/namespaces/default/${plural}`, owner)
    }
    const template = {
      spec: {
        schedulerName: 'none',
        restartPolicy: 'Never',
        containers: [{ name: 'c', image: 'x:1' }],
      },
    }
    const job = { metadata: { name: 'work' }, spec: { template, parallelism: 3, completions: 3 } }
    await client.post('/apis/batch/v1/namespaces/default/jobs', job)
    await runPods(cluster)
    const [names, before] = [await client.names(pods), await client.names('/api/v1/events')]
    expect(names).toHaveLength(12)
    cluster.stop()
    await clock.advance(1000)

    const slow: ControlPlaneDeps['server'] = {
      registry: server.registry,
      handle: async (request, caller) => {
        // The list of pods arrives after those of their owners.
        if (request.path === '/api/v1/pods')
          await new Promise<void>((resolve) => clock.after(50, resolve))
        return await server.handle(request, caller)
      },
    }
    const random = seededRandom(2)
    const again = startControlPlane({ server: slow, clock, random, log: silentLog })
    await clock.advance(3000)
    again.stop()
    expect(await client.names(pods)).toEqual(names)
    expect(await client.names('/api/v1/events')).toEqual(before)
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
