import { describe, expect, it } from 'vitest'
import type { TraceEvent, TraceInput } from '../../shared/model/trace-event.ts'
import { ClusterTrace } from './trace.ts'

const clock = { now: () => 5000, after: () => () => undefined }

function started(uid: string): TraceInput {
  return {
    kind: 'worker.started',
    subject: { kind: 'pod', uid, namespace: 'default', name: uid },
    causes: [],
    data: { sinceSeenMs: 0 },
  }
}

function newTrace(onError: (error: unknown) => void = () => undefined): ClusterTrace {
  return new ClusterTrace({ cluster: 'sandbox', clock, onError })
}

describe('ClusterTrace', () => {
  it('numbers events without gaps and stamps clock, cluster and node', () => {
    const trace = newTrace()
    expect(trace.forNode('n').emit(started('a'))).toBe(1)
    expect(trace.forNode('').emit(started('b'))).toBe(2)
    expect(trace.newest(10)).toEqual([
      { ...started('b'), seq: 2, at: 5000, cluster: 'sandbox', node: '' },
      { ...started('a'), seq: 1, at: 5000, cluster: 'sandbox', node: 'n' },
    ])
  })

  it('keeps a bounded number of events per pod and node, newest first', () => {
    const trace = newTrace()
    for (let index = 0; index < 1000; index++) trace.emit('n', started('a'))
    trace.emit('other', started('a'))
    const kept = trace.about('n', started('a').subject, 10_000)
    expect(kept).toHaveLength(200)
    expect(kept[0]?.seq).toBe(1000)
    expect(kept[199]?.seq).toBe(801)
    expect(trace.about('n', started('a').subject, 3).map((event) => event.seq)).toEqual([
      1000, 999, 998,
    ])
  })

  it('remembers the newest 4000 of all exactly, those that it packed too', () => {
    const trace = newTrace()
    const emitted: TraceEvent[] = []
    trace.listen((event) => emitted.push(event))
    for (let index = 0; index < 3000; index++) {
      trace.emit(index % 2 === 0 ? 'n' : 'other', started(`p${index % 70}`))
      trace.emit('', {
        kind: 'source.failed',
        subject: { kind: 'source', source: 'api' },
        causes: [index + 1],
        data: { message: `no ${index}` },
      })
    }
    expect(trace.newest(10_000)).toEqual(emitted.slice(-4000).reverse())
    expect(trace.newest(3)).toEqual(emitted.slice(-3).reverse())
  })

  /** What a pod's history says long after the events have left the newest of all. */
  function grown(pods: number, eventsPerPod: number): ClusterTrace {
    const trace = newTrace()
    for (let round = 0; round < eventsPerPod; round++) {
      for (let index = 0; index < pods; index++) {
        const causes = round === 0 ? [] : [trace.lastSeq - pods + 1]
        trace.emit('n', { ...started(`p${index}`), causes })
      }
    }
    return trace
  }

  it('remembers what happened to a pod exactly, however long ago it was', () => {
    const trace = newTrace()
    const first = { ...started('a'), causes: [7, 9] }
    const renamed: TraceInput = {
      kind: 'worker.started',
      subject: { kind: 'pod', uid: 'a', namespace: 'default', name: 'other' },
      causes: [],
      data: { sinceSeenMs: 12 },
    }
    trace.emit('n', first)
    trace.emit('n', renamed)
    for (let index = 0; index < 20_000; index++) trace.emit('n', started('b'))
    trace.emit('n', started('a'))
    const stamp = { at: 5000, cluster: 'sandbox', node: 'n' }
    const kept = trace.about('n', started('a').subject, 10)
    expect(kept).toEqual([
      { ...started('a'), ...stamp, seq: 20_003 },
      { ...renamed, ...stamp, seq: 2 },
      { ...first, ...stamp, seq: 1 },
    ])
    expect(kept.every((event) => Object.isFrozen(event))).toBe(true)
    expect(trace.about('n', started('a').subject, 2).map(({ seq }) => seq)).toEqual([20_003, 2])
    expect(trace.about('n', started('a').subject, 0)).toEqual([])
  })

  it('keeps long histories of few pods', () => {
    const trace = grown(20, 1000)
    for (let index = 0; index < 20; index++) {
      const seqs = trace.about('n', started(`p${index}`).subject, 10_000).map(({ seq }) => seq)
      expect(seqs).toEqual(Array.from({ length: 200 }, (_, back) => 19_981 + index - 20 * back))
    }
  })

  it('keeps at least the newest 24 events of each of many pods, and not many more', () => {
    const pods = 2000
    const trace = grown(pods, 40)
    for (const index of [0, 1234, pods - 1]) {
      const seqs = trace.about('n', started(`p${index}`).subject, 10_000).map(({ seq }) => seq)
      expect(seqs.length).toBeGreaterThanOrEqual(24)
      expect(seqs.length).toBeLessThan(36)
      expect(seqs).toEqual(seqs.map((_, back) => 39 * pods + index + 1 - pods * back))
    }
  })

  describe('updates that come again and again', () => {
    const second = 1000
    const ignored = (uid: string, updateType: 'sync' | 'update' = 'sync'): TraceInput => ({
      kind: 'worker.updated',
      subject: { kind: 'pod', uid, namespace: 'default', name: uid },
      causes: [],
      data: {
        updateType,
        outcome: 'ignored',
        transition: '',
        gracePeriodSeconds: 1,
        message: 'the worker has finished',
      },
    })

    /** A finished pod, synced each second, among active ones. */
    function synced(times: number, othersEachSecond: number) {
      let now = 0
      const trace = new ClusterTrace({
        cluster: 'sandbox',
        clock: { now: () => now, after: () => () => undefined },
        onError: () => undefined,
      })
      const heard: TraceEvent[] = []
      trace.listen((event) => heard.push(event))
      trace.emit('n', started('a'))
      for (let time = 0; time < times; time++) {
        now += second
        trace.emit('n', ignored('a'))
        for (let other = 0; other < othersEachSecond; other++) trace.emit('n', started('b'))
      }
      return { trace, heard, history: () => trace.about('n', started('a').subject, 1000) }
    }

    it.each([
      ['alone', 0],
      ['on a busy node', 700],
    ])(
      'are one event of the history while nothing else happens to the pod, %s',
      (_where, others) => {
        const times = others === 0 ? 5000 : 50
        const { heard, history } = synced(times, others)
        const last = heard.findLast(({ kind }) => kind === 'worker.updated')
        expect(history()).toEqual([
          {
            ...last,
            data: { ...last?.data, repeated: times, repeatedForMs: (times - 1) * second },
          },
          heard[0],
        ])
      },
    )

    it('stay apart when they differ, or when something happened in between', () => {
      const { trace, history } = synced(2, 0)
      trace.emit('n', ignored('a', 'update'))
      trace.emit('n', started('a'))
      trace.emit('n', ignored('a', 'update'))
      expect(history().map(({ seq }) => seq)).toEqual([6, 5, 4, 3, 1])
    })

    it('reach listeners and the newest of all one by one', () => {
      const { trace, heard } = synced(10, 0)
      expect(heard).toHaveLength(11)
      expect(trace.newest(100)).toEqual(heard.toReversed())
    })

    it('are counted while the worker stops the pod, but not when they change something', () => {
      const { trace, history } = synced(0, 0)
      const { data, ...rest } = ignored('a')
      const update = (change: object) =>
        ({ ...rest, data: { ...data, outcome: 'pending', message: '', ...change } }) as TraceInput
      for (const one of [update({}), update({}), update({})]) trace.emit('n', one)
      for (const one of [update({ transition: 'evicted' }), update({ transition: 'evicted' })])
        trace.emit('n', one)
      for (const one of [update({ updateType: 'kill' }), update({ updateType: 'kill' })])
        trace.emit('n', one)
      expect(history().map(({ seq }) => seq)).toEqual([8, 7, 6, 5, 4, 1])
      expect(history()[4]).toMatchObject({ data: { repeated: 3 } })
    })
  })

  it('calls listeners in order, also when one of them throws', () => {
    const errors: unknown[] = []
    const trace = newTrace((error) => errors.push(error))
    const seen: TraceEvent[] = []
    trace.listen(() => {
      throw new Error('listener')
    })
    const stop = trace.listen((event) => seen.push(event))
    trace.emit('n', started('a'))
    stop()
    trace.emit('n', started('b'))
    expect(seen.map((event) => event.seq)).toEqual([1])
    expect(errors).toHaveLength(2)
  })

  it('freezes events, so that no reader can change what happened', () => {
    const trace = newTrace()
    trace.emit('n', started('a'))
    expect(Object.isFrozen(trace.newest(1)[0])).toBe(true)
  })

  it('forgets a subject on request', () => {
    const trace = newTrace()
    trace.emit('n', started('a'))
    trace.forget('n', started('a').subject)
    expect(trace.about('n', started('a').subject, 10)).toEqual([])
  })
})
