import { describe, expect, it } from 'vitest'
import type { Node, Pod, PodSpec } from '../../../src/shared/kubernetes/objects.ts'
import type { TraceEvent } from '../../../src/shared/model/trace-event.ts'
import type { RuntimeCallName } from '../../../src/shared/model/node/node-faults.ts'
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

  async delete(name: string): Promise<void> {
    await this.cluster.request('DELETE', `/api/v1/namespaces/default/pods/${name}`)
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

const toldToFail = 'this call was made to fail in Nodescope'
const pulled = { containers: [{ name: 'c', image: 'nginx:1.27' }] }

describe('one runtime call that fails', () => {
  it.each<[RuntimeCallName, string, string]>([
    ['StartContainer', 'Failed', `Error: ${toldToFail}`],
    ['CreateContainer', 'Failed', `Error: ${toldToFail}`],
    [
      'RunPodSandbox',
      'FailedCreatePodSandBox',
      `Failed to create pod sandbox: rpc error: code = Unknown desc = ${toldToFail}`,
    ],
    [
      'PullImage',
      'Failed',
      `Failed to pull image "nginx:1.27": rpc error: code = Unknown desc = ${toldToFail}`,
    ],
    ['ImageStatus', 'Failed', 'Error: ImageInspectError'],
    [
      'ContainerStatus',
      'FailedSync',
      `error determining status: rpc error: code = Unknown desc = ${toldToFail}`,
    ],
  ])('%s: a new pod says so, and starts when it is answered', async (call, reason, message) => {
    const faulty = await atWork()
    faulty.faults.setCall({ call, how: 'fails', pod: null })
    await faulty.create('new', pulled)
    await faulty.seconds(60)
    expect(faulty.recorded(reason)).toContain(message)
    expect(await faulty.phase('new')).toBe('Pending')
    expect(await faulty.phase('old')).toBe('Running')
    expect(await faulty.ready()).toMatch(/^True /)
    faulty.faults.setCall(null)
    await faulty.seconds(60)
    expect(await faulty.phase('new')).toBe('Running')
    faulty.cluster.stop()
  })

  it('fails for one pod only, also in a container that was there before', async () => {
    const faulty = await atWork()
    await faulty.create('other')
    await faulty.seconds(10)
    const pod = { namespace: 'default', name: 'old' }
    faulty.faults.setCall({ call: 'StopContainer', how: 'fails', pod })
    await faulty.delete('other')
    await faulty.seconds(5)
    expect(faulty.recorded('FailedKillPod')).toEqual([])
    await faulty.delete('old')
    await faulty.seconds(5)
    expect(faulty.recorded('FailedKillPod')).toEqual([
      `error killing pod: failed to "KillContainer" for "c" with KillContainerError: "rpc error: code = Unknown desc = ${toldToFail}"`,
    ])
    faulty.cluster.stop()
  })

  it('fails for a pod that is created later, by its name', async () => {
    const faulty = await atWork()
    const pod = { namespace: 'default', name: 'late' }
    faulty.faults.setCall({ call: 'CreateContainer', how: 'fails', pod })
    await faulty.create('early')
    await faulty.create('late')
    await faulty.seconds(30)
    expect([await faulty.phase('early'), await faulty.phase('late')]).toEqual([
      'Running',
      'Pending',
    ])
    faulty.cluster.stop()
  })

  it('stalls the PLEG if it is the listing of containers', async () => {
    const faulty = await atWork()
    faulty.faults.setCall({ call: 'ListContainers', how: 'fails', pod: null })
    await faulty.seconds(170)
    expect(await faulty.ready()).toMatch(/^True /)
    await faulty.seconds(40)
    expect(await faulty.ready()).toMatch(/^False PLEG is not healthy: /)
    faulty.cluster.stop()
  })
})

describe('one runtime call that hangs', () => {
  it('is given up after two minutes, while the others are answered', async () => {
    const faulty = await atWork()
    faulty.faults.setCall({ call: 'StartContainer', how: 'hangs', pod: null })
    await faulty.create('new')
    await faulty.seconds(119)
    expect(faulty.recorded('Failed')).toEqual([])
    await faulty.seconds(5)
    expect(faulty.recorded('Failed')).toEqual(['Error: context deadline exceeded'])
    expect(await faulty.ready()).toMatch(/^True /)
    faulty.cluster.stop()
  })

  it('is made when it is taken back, and goes on hanging when the whole runtime hangs', async () => {
    const faulty = await atWork()
    faulty.faults.setCall({ call: 'StartContainer', how: 'hangs', pod: null })
    await faulty.create('new')
    await faulty.seconds(50)
    faulty.faults.setRuntime('hangs')
    faulty.faults.setCall(null)
    await faulty.seconds(20)
    expect(faulty.recorded('Started')).toHaveLength(1)
    faulty.faults.setRuntime('answers')
    await faulty.seconds(5)
    expect(faulty.recorded('Started')).toHaveLength(2)
    expect(faulty.recorded('Failed')).toEqual([])
    faulty.cluster.stop()
  })

  it('fails at once when it is made to fail instead', async () => {
    const faulty = await atWork()
    faulty.faults.setCall({ call: 'CreateContainer', how: 'hangs', pod: null })
    await faulty.create('new')
    await faulty.seconds(50)
    faulty.faults.setCall({ call: 'CreateContainer', how: 'fails', pod: null })
    await faulty.seconds(1)
    expect(faulty.recorded('Failed')).toContain(`Error: ${toldToFail}`)
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
  faulty.faults.setCall({ call: 'Status', how: 'fails', pod: null })
  faulty.faults.setDiskFull(true)
  faulty.faults.setSlowMounts(true)
  faulty.node.powerOff()
  expect(faulty.faults.state).toEqual({
    runtime: 'answers',
    call: null,
    isDiskFull: false,
    hasSlowMounts: false,
  })
  faulty.node.boot()
  await faulty.seconds(60)
  expect(await faulty.ready()).toMatch(/^True /)
  faulty.cluster.stop()
})
