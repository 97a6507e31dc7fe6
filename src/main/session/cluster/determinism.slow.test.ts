import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { MemorySandbox } from '../../../../test/memory-sandbox/memory-sandbox.ts'
import { workloadPod, workloadPods } from '../../../../test/memory-sandbox/workload.ts'

const minuteMs = 60_000
const staticCount = 40
const regularCount = 160

/** The first difference between two runs. */
interface Difference {
  readonly at: number
  readonly before: readonly string[]
  readonly one: string | undefined
  readonly other: string | undefined
}

/** Records the trace as lines of text, or compares it with recorded lines. */
class Transcript {
  readonly lines: string[] = []
  readonly #earlier: Transcript | undefined
  readonly #hash = createHash('sha256')
  #count = 0
  difference: Difference | undefined

  constructor(earlier?: Transcript) {
    this.#earlier = earlier
  }

  readonly take = (event: TraceEvent): void => {
    const line = JSON.stringify(event)
    this.#hash.update(`${line}\n`)
    if (this.#earlier === undefined) this.lines.push(line)
    else if (this.#earlier.lines[this.#count] !== line) this.#differs(line)
    this.#count++
  }

  get sum(): string {
    return `${this.#count} events, ${this.#hash.copy().digest('hex')}`
  }

  #differs(other: string): void {
    const { lines } = this.#earlier ?? this
    const at = this.#count
    this.difference ??= { at, before: lines.slice(Math.max(0, at - 3), at), one: lines[at], other }
  }
}

/** A busy cluster, and the actions of its users over the virtual time. */
class Run {
  readonly transcript: Transcript
  readonly log = new FakeLog()
  readonly cluster: MemorySandbox
  #statics: readonly Pod[] = workloadPods('static', staticCount)
  #created = regularCount

  constructor(seed: number, earlier?: Transcript) {
    this.transcript = new Transcript(earlier)
    this.cluster = new MemorySandbox({
      seed,
      startAt: Date.UTC(2026, 0, 1),
      nodeNames: ['n1'],
      log: this.log,
    })
    this.cluster.trace.listen(this.transcript.take)
  }

  async live(minutes: number): Promise<this> {
    const { cluster } = this
    cluster.start()
    cluster.putManifests(this.#statics)
    for (const pod of workloadPods('pod', regularCount)) await cluster.createPod(pod)
    for (let minute = 0; minute < minutes; minute++) {
      // Off the full minute, where nothing else is due.
      cluster.clock.after(1234, () => {
        this.#happen(minute)
      })
      await cluster.clock.advance(minuteMs)
    }
    cluster.stop()
    return this
  }

  /** Pods that are created, changed and removed in every way. */
  #happen(minute: number): void {
    const { cluster } = this
    const { kubelet } = cluster.node()
    const pods = kubelet.podManager.getPods()
    const pick = (number: number): Pod | undefined => pods[(minute * 7 + number * 31) % pods.length]
    const pathOf = (pod: Pod | undefined): string =>
      `/api/v1/namespaces/default/pods/${pod?.metadata.name ?? ''}`
    void cluster.request('DELETE', pathOf(pick(0)))
    void cluster.createPod(workloadPod('pod', this.#created++))
    void kubelet.manualActions.kill(
      pick(1)?.metadata.uid ?? '',
      minute % 2 === 0 ? undefined : 5,
      [],
    )
    void kubelet.manualActions.evict(pick(2)?.metadata.uid ?? '', [])
    const evicted = pick(3)
    void cluster.request('POST', `${pathOf(evicted)}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: evicted?.metadata.name ?? '', namespace: 'default', uid: '' },
    })
    if (minute % 3 === 0) this.#changeStatics(minute)
    if (minute % 4 === 0) void cluster.request('DELETE', pathOf(pods.find(isOfFile)))
  }

  /** Edits one manifest, removes one, and adds the last removed one again. */
  #changeStatics(minute: number): void {
    const edited = minute % staticCount
    const removed = (minute + 13) % staticCount
    this.#statics = workloadPods('static', staticCount)
      .filter((_, number) => number !== removed)
      .map((pod, number) =>
        number === edited
          ? { ...pod, metadata: { ...pod.metadata, labels: { edited: String(minute) } } }
          : pod,
      )
    this.cluster.putManifests(this.#statics)
  }
}

function isOfFile(pod: Pod): boolean {
  return pod.metadata.annotations?.['kubernetes.io/config.source'] === 'file'
}

const wayMarks = [
  'container.backOff',
  'container.exited',
  'container.killing',
  'eviction.completed',
  'eviction.refused',
  'mirror.created',
  'mirror.deleted',
  'status.podDeleted',
  'uid.unlinked',
  'worker.forgotten',
  'worker.waiting',
] as const

describe('the sandbox and its node', () => {
  it('do the same with 200 pods in a virtual hour if the seed is the same', async () => {
    const one = await new Run(1).live(60)
    const { lines, sum } = one.transcript
    const other = await new Run(1, one.transcript).live(60)
    expect(other.transcript.difference).toBeUndefined()
    expect(other.transcript.sum).toBe(sum)
    // The cluster was busy: pods were created, changed and removed in every way.
    const missing = wayMarks.filter((kind) => !lines.some((line) => line.includes(`"${kind}"`)))
    expect(missing).toEqual([])
    expect(one.log.problems).not.toContain('the cluster broke')
  }, 300_000)

  it('do something else if the seed is another', async () => {
    const one = await new Run(1).live(2)
    const other = await new Run(2).live(2)
    expect(other.transcript.sum).not.toBe(one.transcript.sum)
  }, 60_000)
})
