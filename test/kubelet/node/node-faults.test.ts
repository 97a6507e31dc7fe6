import { describe, expect, it } from 'vitest'
import type { Node, Pod, PodSpec } from '../../../src/shared/kubernetes/objects.ts'
import type { TraceEvent } from '../../../src/shared/model/trace-event.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { FaultSwitches } from '../../../src/main/nodes/fault-switches.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

class FaultyNode {
  readonly cluster = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n'],
    log: new FakeLog(),
  })
  readonly node = this.cluster.node('n')
  readonly faults: FaultSwitches = this.node.faults
  readonly events: TraceEvent[] = []

  constructor() {
    this.cluster.trace.listen((event) => this.events.push(event))
    this.cluster.start()
  }

  async create(name: string, part: Partial<PodSpec> = {}): Promise<void> {
    await this.cluster.createPod({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, uid: '', namespace: 'default' },
      spec: {
        nodeName: 'n',
        tolerations: [{ operator: 'Exists' }],
        automountServiceAccountToken: false,
        containers: [{ name: 'c', image: 'busybox:1.36', command: ['sleep', '100000'] }],
        ...part,
      },
    })
  }

  readonly seconds = (seconds: number): Promise<void> => this.cluster.clock.advance(seconds * 1000)

  async #object(path: string): Promise<unknown> {
    const answer = await this.cluster.request('GET', path)
    if (answer.kind !== 'object') throw new Error(`no object ${path}`)
    return answer.body
  }

  async phase(name: string): Promise<string | undefined> {
    const pod = (await this.#object(`/api/v1/namespaces/default/pods/${name}`)) as Pod
    return pod.status?.phase
  }

  async ready(): Promise<string> {
    const { status } = (await this.#object('/api/v1/nodes/n')) as Node
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')
    return `${ready?.status} ${ready?.message}`
  }

  recorded(reason: string): readonly string[] {
    return this.events.flatMap((event) =>
      event.kind === 'event.recorded' && event.data.reason === reason ? [event.data.message] : [],
    )
  }
}

async function atWork(): Promise<FaultyNode> {
  const faulty = new FaultyNode()
  await faulty.create('old')
  await faulty.seconds(60)
  expect(await faulty.phase('old')).toBe('Running')
  return faulty
}

describe('a runtime that is down', () => {
  it('makes the node not ready, keeps containers running, and starts new pods when it answers again', async () => {
    const faulty = await atWork()
    faulty.faults.setRuntime('down')
    await faulty.seconds(60)
    expect(await faulty.ready()).toMatch(/^False \[?container runtime is down/)
    await faulty.create('new')
    await faulty.seconds(60)
    expect(await faulty.phase('new')).toBe('Pending')
    expect(await faulty.phase('old')).toBe('Running')
    faulty.faults.setRuntime('answers')
    await faulty.seconds(30)
    expect(await faulty.ready()).toMatch(/^True /)
    await faulty.seconds(60)
    expect(await faulty.phase('new')).toBe('Running')
    expect(faulty.events.filter(({ kind }) => kind === 'container.exited')).toEqual([])
    faulty.cluster.stop()
  })
})

describe('a runtime whose calls hang', () => {
  it('stalls the PLEG, which the node says after three minutes, until it answers', async () => {
    const faulty = await atWork()
    faulty.faults.setRuntime('hangs')
    await faulty.seconds(60)
    expect(await faulty.ready()).toBe('False container runtime is down')
    await faulty.seconds(160)
    expect(await faulty.ready()).toMatch(
      /PLEG is not healthy: pleg was last seen active 3m\S+ ago; threshold is 3m0s/,
    )
    faulty.faults.setRuntime('answers')
    await faulty.seconds(20)
    expect(await faulty.ready()).toMatch(/^True /)
    faulty.cluster.stop()
  })

  it('answers a call that nobody frees after two minutes, and one of a killed kubelet never', async () => {
    const faulty = await atWork()
    faulty.faults.setRuntime('hangs')
    const answers: unknown[] = []
    const ask = async (): Promise<void> => {
      answers.push(await faulty.faults.runtime.listImages())
    }
    void ask()
    await faulty.seconds(119)
    expect(answers).toEqual([])
    await faulty.seconds(2)
    const message = 'rpc error: code = DeadlineExceeded desc = context deadline exceeded'
    expect(answers).toEqual([{ ok: false, error: { kind: 'deadline-exceeded', message } }])
    void ask()
    await faulty.seconds(1)
    faulty.node.stopKubelet()
    faulty.faults.setRuntime('answers')
    await faulty.seconds(300)
    expect(answers).toHaveLength(1)
    faulty.cluster.stop()
  })
})

describe('volumes that are slow to set up', () => {
  const withVolume = {
    volumes: [{ name: 'data', emptyDir: {} }],
    containers: [
      {
        name: 'c',
        image: 'busybox:1.36',
        command: ['sleep', '100000'],
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      },
    ],
  }

  it('make a pod wait without an event, and start when they are there', async () => {
    const faulty = await atWork()
    faulty.faults.setSlowMounts(true)
    await faulty.create('new', withVolume)
    await faulty.seconds(150)
    expect(await faulty.phase('new')).toBe('Pending')
    // A wait that ran out of time is no event (kubelet.go SyncPod, wait.Interrupted).
    expect(faulty.recorded('FailedMount')).toEqual([])
    await faulty.seconds(60)
    expect(await faulty.phase('new')).toBe('Running')
    faulty.cluster.stop()
  })

  it('are set up at once when the storage is as usual again', async () => {
    const faulty = await atWork()
    faulty.faults.setSlowMounts(true)
    await faulty.create('new', withVolume)
    await faulty.seconds(20)
    faulty.faults.setSlowMounts(false)
    await faulty.seconds(10)
    expect(await faulty.phase('new')).toBe('Running')
    faulty.cluster.stop()
  })
})

it('a power failure takes every fault back', async () => {
  const faulty = await atWork()
  faulty.faults.setRuntime('hangs')
  faulty.faults.setDiskFull(true)
  faulty.faults.setSlowMounts(true)
  faulty.node.powerOff()
  expect(faulty.faults.state).toEqual({
    runtime: 'answers',
    isDiskFull: false,
    hasSlowMounts: false,
  })
  faulty.node.boot()
  await faulty.seconds(60)
  expect(await faulty.ready()).toMatch(/^True /)
  faulty.cluster.stop()
})
