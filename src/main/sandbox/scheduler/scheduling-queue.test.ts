import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { Pod, PodSpec } from '../../../shared/kubernetes/objects.ts'
import type { QueuedPod } from './queued-pod.ts'
import { SchedulingQueue } from './scheduling-queue.ts'

const startAt = Date.UTC(2026, 0, 1)

function podNamed(name: string, spec: Partial<PodSpec> = {}): Pod {
  return { metadata: { name, uid: name, namespace: 'default' }, spec: { containers: [], ...spec } }
}

/** A queue whose pods are tried as soon as they are ready, and its clock. */
function setUp(isTriedAtOnce = true) {
  const clock = new VirtualClock(nodeClockHost, { startAt })
  const timers: number[] = []
  const preempting = new Set<string>()
  const tried: string[] = []
  const popped: QueuedPod[] = []
  const queue: SchedulingQueue = new SchedulingQueue({
    clock: {
      now: () => clock.now(),
      after: (delayMs, fn) => {
        timers.push(delayMs)
        return clock.after(delayMs, fn)
      },
    },
    isPreempting: (uid) => preempting.has(uid),
    onReady: () => {
      if (isTriedAtOnce)
        queueMicrotask(() => {
          drain()
        })
    },
  })
  const drain = (): void => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      tried.push(`${next.info.uid} ${(clock.now() - startAt) / 1000}`)
      popped.push(next)
    }
  }
  const triedAgain = async (): Promise<void> => {
    const before = tried.length
    while (tried.length === before) await clock.advance(1000)
  }
  return { queue, clock, timers, preempting, tried, popped, drain, triedAgain }
}

const node = { metadata: { name: 'n1', uid: 'n1' }, status: { allocatable: { pods: '9' } } }
const nodeAdded = { kind: 'node', action: 'Add', after: node } as const
const fit = new Set(['NodeResourcesFit'])
const none: ReadonlySet<string> = new Set()

describe('the scheduling queue', () => {
  it('gives the pod of the highest priority first, then the oldest', () => {
    const { queue, drain, tried } = setUp(false)
    queue.add(podNamed('old'), [])
    queue.add(podNamed('new'), [])
    queue.add(podNamed('urgent', { priority: 10 }), [])
    queue.add(podNamed('gone', { priority: 20 }), [])
    queue.delete('gone')
    drain()
    expect(tried).toEqual(['urgent 0', 'old 0', 'new 0'])
  })

  it('sets no timer while nothing waits', async () => {
    const { queue, clock, timers } = setUp()
    queue.add(podNamed('web'), [])
    queue.move(nodeAdded, [])
    await clock.advance(3_600_000)
    expect(timers).toEqual([])
  })

  it('tries a pod again when an event may help it, at once if nothing else is to be tried', async () => {
    const { queue, clock, tried, popped } = setUp()
    queue.add(podNamed('web'), [])
    await clock.advance(0)
    const [web] = popped
    if (web === undefined) throw new Error('it was tried')
    queue.addUnschedulable(web, fit)
    queue.move({ kind: 'node', action: 'Condition', before: node, after: node }, [])
    await clock.advance(100)
    expect(tried).toEqual(['web 0'])
    queue.move(nodeAdded, [])
    await clock.advance(100)
    expect(tried).toEqual(['web 0', 'web 0.1'])
  })

  it('tries active pods before those that back off', () => {
    const { queue, drain, tried, popped } = setUp(false)
    queue.add(podNamed('failed', { priority: 10 }), [])
    drain()
    const [failed] = popped
    if (failed === undefined) throw new Error('it was tried')
    queue.addUnschedulable(failed, fit)
    queue.move(nodeAdded, [])
    queue.add(podNamed('new'), [])
    drain()
    expect(tried).toEqual(['failed 0', 'new 0', 'failed 0'])
  })

  it('doubles the back-off after each error, up to 10 seconds', async () => {
    const { queue, clock, tried, popped, triedAgain } = setUp()
    queue.add(podNamed('web'), [])
    for (let turn = 0; turn < 7; turn++) {
      await clock.advance(0)
      const last = popped.at(-1)
      if (last !== undefined) queue.addUnschedulable(last, none)
      await triedAgain()
    }
    // The window of one second is added to each back-off.
    expect(tried).toEqual([
      'web 0',
      'web 2',
      'web 5',
      'web 10',
      'web 19',
      'web 30',
      'web 41',
      'web 52',
    ])
  })

  it('tries every pod again after 5 minutes, at the next of its rounds', async () => {
    const { queue, clock, tried, popped } = setUp()
    await clock.advance(10_000)
    queue.add(podNamed('web'), [])
    await clock.advance(0)
    const [web] = popped
    if (web === undefined) throw new Error('it was tried')
    queue.addUnschedulable(web, fit)
    await clock.advance(600_000)
    expect(tried).toEqual(['web 10', 'web 330'])
  })

  it('keeps a pod with scheduling gates until the last is removed', async () => {
    const { queue, clock, tried } = setUp()
    const gated = podNamed('web', { schedulingGates: [{ name: 'a' }, { name: 'b' }] })
    const less = podNamed('web', { schedulingGates: [{ name: 'b' }] })
    queue.add(gated, [])
    queue.move(nodeAdded, [])
    queue.update(gated, less, [])
    await clock.advance(600_000)
    expect(tried).toEqual([])
    queue.update(less, podNamed('web'), [])
    await clock.advance(0)
    expect(tried).toEqual(['web 600'])
  })

  it('keeps a pod while its victims are deleted, until the last one is gone', async () => {
    const { queue, clock, preempting, tried, popped } = setUp()
    queue.add(podNamed('urgent', { priority: 10 }), [])
    await clock.advance(0)
    const [urgent] = popped
    if (urgent === undefined) throw new Error('it was tried')
    preempting.add('urgent')
    queue.addUnschedulable(urgent, fit)
    const before = podNamed('victim', { nodeName: 'n1' })
    const deleted = { kind: 'pod', action: 'Delete', before } as const
    queue.move(deleted, [])
    queue.move(deleted, [])
    await clock.advance(1000)
    expect(tried).toEqual(['urgent 0'])
    preempting.clear()
    queue.move(deleted, [])
    await clock.advance(0)
    expect(tried).toEqual(['urgent 0', 'urgent 1'])
  })

  it('remembers which pods are nominated for a node', () => {
    const { queue } = setUp(false)
    const web = podNamed('web')
    const nominated = { ...web, status: { nominatedNodeName: 'n1' } }
    queue.add(nominated, [])
    expect(queue.nominator.on('n1').map(({ uid }) => uid)).toEqual(['web'])
    queue.update(nominated, { ...web, status: {} }, [])
    expect(queue.nominator.on('n1')).toEqual([])
    queue.delete('web')
  })
})
