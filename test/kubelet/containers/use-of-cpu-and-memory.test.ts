import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { ResourceRequirements } from '../../../src/shared/kubernetes/objects.ts'
import type { PodUse } from '../../../src/shared/model/inside-pod/pod-use.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

let sandbox: MemorySandbox

beforeEach(() => {
  sandbox = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1'],
    log: new FakeLog(),
  })
  sandbox.start()
})

afterEach(() => {
  sandbox.stop()
})

async function create(
  annotations: Readonly<Record<string, string>>,
  resources: ResourceRequirements,
): Promise<string> {
  const prefixed = Object.entries(annotations).map(
    ([name, value]) => [`simulated.nodescope.dev/${name}`, value] as const,
  )
  await sandbox.createPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      uid: '',
      namespace: 'default',
      annotations: Object.fromEntries(prefixed),
    },
    spec: {
      nodeName: 'n1',
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'c', image: 'busybox:1.36', command: ['sleep', '1d'], resources }],
    },
  })
  await sandbox.clock.advance(10_000)
  const [pod] = sandbox.node().kubelet.podManager.getPods()
  return pod?.metadata.uid ?? ''
}

async function useOf(uid: string): Promise<PodUse> {
  const use = await sandbox.node().kubelet.podUse(uid)
  if (use === undefined) throw new Error('no such pod')
  return use
}

/** For each run the seconds that are known of it, and its least and highest memory in MiB. */
function runsOf({ containers }: PodUse): readonly (readonly number[])[] {
  return (containers[0]?.runs ?? []).map(({ samples }) => {
    const mebibytes = samples.map(({ memoryBytes }) => Math.round(memoryBytes / 2 ** 20))
    const seconds = ((samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)) / 1000
    return [Math.round(seconds), mebibytes[0] ?? 0, mebibytes.at(-1) ?? 0]
  })
}

const leak = { memory: '64Mi to 256Mi over 60s' }
const limits = { requests: { memory: '96Mi', cpu: '100m' }, limits: { memory: '128Mi' } }

describe('containers#use-of-cpu-and-memory', () => {
  it('is known from the first look on, with the run that ended at its limit', async () => {
    const uid = await create(leak, limits)
    await sandbox.clock.advance(20_000)
    const use = await useOf(uid)
    const runs = runsOf(use)
    expect(runs[0]).toEqual([20, 64, 128])
    expect(runs[1]?.[1]).toBe(64)
    expect(runs).toHaveLength(2)
    expect(use.to - use.from).toBe(600_000)
    const [container] = use.containers
    expect(container).toMatchObject({
      container: 'c',
      memory: { request: 96 * 2 ** 20, limit: 128 * 2 ** 20 },
      cpu: { request: 100, limit: null },
    })
    expect(use.error).toBe('')
  })

  it('keeps runs whose containers were removed, while someone looks, for ten minutes', async () => {
    const uid = await create(leak, limits)
    const looks: number[] = []
    for (let seconds = 0; seconds < 240; seconds += 10) {
      await sandbox.clock.advance(10_000)
      looks.push(runsOf(await useOf(uid)).length)
    }
    const listed = await sandbox.node().runtime.listContainers({ podUid: uid })
    const kept = listed.ok ? listed.value.length : 0
    expect(looks.at(-1)).toBeGreaterThan(kept)
    expect(looks).toEqual(looks.toSorted((a, b) => a - b))
    await sandbox.clock.advance(3_600_000)
    const use = await useOf(uid)
    const first = use.containers[0]?.runs[0]?.samples[0]?.at ?? 0
    expect(first).toBeGreaterThanOrEqual(use.from)
  })

  it('is what the CPU limit leaves of what the container wants', async () => {
    const uid = await create({ cpu: '1' }, { limits: { cpu: '250m', memory: '64Mi' } })
    const [container] = (await useOf(uid)).containers
    expect(container?.runs[0]?.samples.at(-1)).toMatchObject({ cpuMillis: 250, isThrottled: true })
    expect(container?.cpu).toEqual({ request: 250, limit: 250 })
  })

  it('follows a resize: what was before it stays, if it was measured', async () => {
    const uid = await create({ memory: '64Mi' }, limits)
    await useOf(uid)
    await sandbox.send({
      method: 'PATCH',
      path: '/api/v1/namespaces/default/pods/p/resize',
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
      body: {
        spec: {
          containers: [
            { name: 'c', resources: { requests: { memory: '80Mi' }, limits: { memory: '100Mi' } } },
          ],
        },
      },
    })
    await sandbox.clock.advance(20_000)
    const use = await useOf(uid)
    expect(use.containers[0]?.memory).toEqual({ request: 80 * 2 ** 20, limit: 100 * 2 ** 20 })
    expect(runsOf(use)).toHaveLength(1)
    expect(runsOf(use)[0]?.[0]).toBeGreaterThan(20)
  })

  it('ends with the power, not with the boot after it', async () => {
    const uid = await create({ memory: '64Mi' }, limits)
    const before = sandbox.clock.now()
    sandbox.powerOff()
    await sandbox.clock.advance(60_000)
    sandbox.bringUp()
    await sandbox.clock.advance(30_000)
    const [first] = (await useOf(uid)).containers[0]?.runs ?? []
    expect(first?.samples.at(-1)?.at).toBe(before)
  })

  it('is not known without the runtime; what was known stays', async () => {
    const uid = await create({ memory: '64Mi' }, limits)
    const before = runsOf(await useOf(uid))
    expect(await sandbox.node().kubelet.podUse('none')).toBeUndefined()
    await sandbox.clock.advance(1000)
    sandbox.node().faults.setRuntime('down')
    const use = await useOf(uid)
    expect(use.error).toContain('connection refused')
    expect(runsOf(use)).toEqual(before)
  })
})
