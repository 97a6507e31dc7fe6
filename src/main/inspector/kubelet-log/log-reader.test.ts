import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KubeletLogView } from '../../../shared/model/kubelet-log.ts'
import type { EntryText } from './fake-kubelet-log.ts'
import { entryText, lifeAtLevel4, podValues, uid } from './fake-kubelet-log.ts'
import type { LogFactKind } from './log-messages.ts'
import { logMessages } from './log-messages.ts'
import { lineOf } from './log-line.ts'
import { LogReader } from './log-reader.ts'
import { lastStates, podsIn, readFacts } from './log-view.ts'

const writtenAt = Date.UTC(2026, 10, 24)

function read(text: string, pieces: readonly number[] = []): LogReader {
  const reader = new LogReader({ writtenAt })
  const bytes = Buffer.from(text)
  let start = 0
  for (const length of pieces) {
    reader.push(bytes.subarray(start, start + length))
    start += length
  }
  reader.push(bytes.subarray(start))
  reader.flush()
  return reader
}

function viewOf(reader: LogReader): Pick<KubeletLogView, 'pods' | 'nodeMarks'> {
  return podsIn(reader, { from: -Infinity, to: Infinity, width: 0 })
}

function statesOf(text: string): readonly (readonly string[])[] {
  return viewOf(read(text)).pods.map(({ name, segments }) => [
    name,
    ...segments.map(({ state, certainty }) => `${state} ${certainty}`),
  ])
}

function entries(...all: readonly EntryText[]): string {
  return all
    .map((entry, second) =>
      entryText({ at: `10:00:${String(second).padStart(2, '0')}.000000`, ...entry }),
    )
    .join('\n')
}

describe('a log of -v=4', () => {
  it('shows the whole life of a worker, and the lines that say so', () => {
    const { pods } = viewOf(read(lifeAtLevel4().join('\n')))
    expect(pods).toMatchObject([
      {
        namespace: 'shop',
        name: 'cart',
        uid,
        source: 'api',
        state: 'finished',
        segments: [
          { state: 'waiting', certainty: 'seen', fromLine: 1, toLine: 3, evidence: [1, 2] },
          { state: 'sync', certainty: 'seen', fromLine: 3, toLine: 6, evidence: [3, 4] },
          { state: 'terminating', certainty: 'seen', fromLine: 6, toLine: 9, evidence: [6, 7] },
          { state: 'terminated', certainty: 'seen', fromLine: 9, toLine: 10 },
          { state: 'finished', certainty: 'seen', fromLine: 10, toLine: 11 },
        ],
      },
    ])
    expect(pods[0]?.marks.map(({ kind, line, text }) => [kind, line, text])).toEqual([
      ['loop', 1, 'SyncLoop ADD'],
      ['started', 5, 'ContainerStarted'],
      ['loop', 6, 'SyncLoop DELETE'],
      ['kill', 8, 'Killing container c, grace period 30 s'],
    ])
  })

  it('gives the same result however it is cut into pieces', () => {
    const text = `${lifeAtLevel4().join('\n')}\nnot an entry\n${entryText({
      severity: 'E',
      message: 'Error syncing pod, skipping',
      values: `err=<\n\tfirst ü\n\tsecond\n > ${podValues}`,
    })}\n`
    const whole = read(text)
    const told = (reader: LogReader): unknown => [viewOf(reader), readFacts(reader)]
    expect(viewOf(whole).pods[0]?.marks.at(-1)?.text).toBe('first ü\nsecond')
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 40 }), (pieces) => {
        expect(told(read(text, pieces))).toEqual(told(whole))
      }),
      { seed: 1, numRuns: 200 },
    )
  })

  it('assumes that a pod synced before the first line about it', () => {
    const text = entries(
      { message: 'Adding new entry', file: 'other.go:1' },
      { message: 'SyncPod enter', values: podValues },
    )
    expect(statesOf(text)).toEqual([['cart', 'sync assumed', 'sync seen']])
  })

  it('shows a static pod that waits for the old one of its name', () => {
    const second = 'bbbb71f290d14c36a2b5d8d1f2c9e1aa'
    const text = entries(
      { message: 'SyncLoop ADD', values: 'source="file" pods=["shop/cart"]' },
      { message: 'SyncPod enter', values: podValues },
      { message: 'SyncLoop REMOVE', values: 'source="file" pods=["shop/cart"]' },
      { message: 'SyncLoop ADD', values: 'source="file" pods=["shop/cart"]' },
      { message: 'Pod cannot start yet', values: `pod="shop/cart" podUID="${second}"` },
      { message: 'Pod termination stopped all running containers', values: podValues },
      { message: 'SyncPod enter', values: `pod="shop/cart" podUID="${second}"` },
    )
    expect(statesOf(text)).toEqual([
      ['cart', 'waiting inferred', 'sync seen', 'terminating inferred', 'terminated seen'],
      ['cart', 'waiting seen', 'sync seen'],
    ])
  })

  it('never goes back from a state, although entries of two goroutines cross', () => {
    const text = entries(
      { message: 'Pod is marked for graceful deletion, begin teardown', values: podValues },
      { message: 'Processing pod event', values: `${podValues} updateType="sync"` },
    )
    expect(statesOf(text)).toEqual([['cart', 'sync assumed', 'terminating seen']])
  })
})

describe('a log of -v=2', () => {
  const died = (id: string): EntryText => ({
    message: 'SyncLoop (PLEG): event for pod',
    values: `pod="shop/cart" event={"ID":"${uid}","Type":"ContainerDied","Data":"${id}"}`,
  })

  it('infers terminated from the end of the sandbox, and finished from the second DELETE', () => {
    const text = entries(
      { message: 'SyncLoop ADD', values: 'source="api" pods=["shop/cart"]' },
      {
        message: 'No sandbox for pod can be found. Need to start a new one',
        values: 'pod="shop/cart"',
      },
      { message: 'SyncLoop DELETE', values: 'source="api" pods=["shop/cart"]' },
      {
        message: 'Generic (PLEG): container finished',
        values: `podID="${uid}" containerID="aa" exitCode=0`,
      },
      {
        message: 'Killing container with a grace period',
        values: `${podValues} containerName="c" containerID="containerd://aa" gracePeriod=30`,
      },
      died('aa'),
      died('sandbox'),
      { message: 'SyncLoop DELETE', values: 'source="api" pods=["shop/cart"]' },
      { message: 'SyncLoop REMOVE', values: 'source="api" pods=["shop/cart"]' },
    )
    const states = statesOf(text).find((row) => row.length > 3)
    expect(states).toEqual([
      'cart',
      'waiting inferred',
      'sync inferred',
      'terminating inferred',
      'terminated inferred',
      'finished inferred',
    ])
  })

  it('keeps the mirror of a static pod apart from the pod', () => {
    const text = entries(
      { message: 'SyncLoop ADD', values: 'source="file" pods=["shop/cart"]' },
      { message: 'SyncLoop ADD', values: 'source="api" pods=["shop/cart"]' },
      { message: 'SyncLoop DELETE', values: 'source="api" pods=["shop/cart"]' },
      { message: 'SyncLoop REMOVE', values: 'source="api" pods=["shop/cart"]' },
    )
    const [pod, ...others] = viewOf(read(text)).pods
    expect(others).toEqual([])
    expect([pod?.state, pod?.source]).toEqual(['waiting', 'file'])
    expect(pod?.marks.map(({ kind }) => kind)).toEqual(['loop', 'mirror', 'mirror', 'mirror'])
  })

  it('takes a name that is added again after a restart for the same pod', () => {
    const text = entries(
      { message: 'SyncLoop ADD', values: 'source="api" pods=["shop/cart"]' },
      { message: 'Probe failed', values: `probeType="Liveness" ${podValues} containerName="c"` },
      { message: 'SyncLoop ADD', values: 'source="api" pods=["shop/cart"]', pid: 9 },
    )
    const view = viewOf(read(text))
    expect(view.pods.map(({ segments }) => segments.map(({ state }) => state))).toEqual([
      ['waiting', 'sync', 'waiting'],
    ])
    expect(view.nodeMarks).toMatchObject([{ kind: 'start', line: 3 }])
  })
})

describe('a restart of the kubelet', () => {
  it('does not make two pods of one that is removed before a line tells its UID again', () => {
    const list = 'source="file" pods=["shop/cart"]'
    const text = entries(
      { message: 'SyncLoop ADD', values: list },
      { message: 'Probe failed', values: `probeType="Liveness" ${podValues} containerName="c"` },
      { message: 'SyncLoop ADD', values: list, pid: 9 },
      { message: 'SyncLoop REMOVE', values: list, pid: 9 },
    )
    expect(viewOf(read(text)).pods.map(({ uid: of, state }) => [of, state])).toEqual([
      [uid, 'terminating'],
    ])
  })
})

describe('the formats', () => {
  const life = lifeAtLevel4()
  const plain = statesOf(life.join('\n'))

  it('reads a first line behind a byte order mark, as it reads it without', () => {
    const journal = JSON.stringify({
      __REALTIME_TIMESTAMP: String(Date.UTC(2026, 10, 23, 10) * 1000),
      MESSAGE: lifeAtLevel4()[0],
    })
    for (const line of [lifeAtLevel4()[0] ?? '', journal]) {
      const reader = read(`\ufeff${line}\n`)
      expect(reader.notUnderstood.length).toBe(0)
      expect(viewOf(reader)).toEqual(viewOf(read(`${line}\n`)))
      expect(lineOf(1, Buffer.from(`\ufeff${line}`), writtenAt)).toEqual(
        lineOf(1, Buffer.from(line), writtenAt),
      )
    }
  })

  it('reads the short output of journalctl', () => {
    const text = life.map((line) => `Nov 22 10:00:00 worker-3 kubelet[14513]: ${line}`).join('\n')
    expect(statesOf(text)).toEqual(plain)
    expect(readFacts(read(text)).format).toBe('journal')
  })

  it('reads values of several lines that journald split', () => {
    const first = entryText({
      severity: 'E',
      message: 'Error syncing pod, skipping',
      values: 'err=<',
    })
    const prefix = 'Nov 22 10:00:00 worker-3 kubelet[14513]: '
    const text = [first, '\tno image', ` > ${podValues}`].map((line) => prefix + line).join('\n')
    expect(viewOf(read(text)).pods[0]?.marks).toMatchObject([{ kind: 'error', text: 'no image' }])
  })

  it('reads the JSON output of journalctl, with the time of journald', () => {
    const text = life
      .map((MESSAGE, second) =>
        JSON.stringify({
          __CURSOR: 's=1',
          __REALTIME_TIMESTAMP: String((writtenAt + second) * 1000),
          MESSAGE,
        }),
      )
      .join('\n')
    const reader = read(text)
    expect(viewOf(reader).pods).toMatchObject([{ segments: [{ from: writtenAt }, {}, {}, {}, {}] }])
    expect(readFacts(reader)).toMatchObject({ format: 'journal-json', zone: 'utc' })
  })

  it('reads the JSON of the kubelet, with and without the name of a logger', () => {
    const line = (msg: string, values: object, ts: number): string =>
      JSON.stringify({ ts, caller: 'kubelet/kubelet.go:2515', msg, v: 4, ...values })
    const pod = { name: 'cart', namespace: 'shop' }
    const text = [
      `{"ts":${writtenAt},"logger":"Memory Manager","caller":"state/state_mem.go:36","msg":"x","v":0}`,
      line('SyncLoop ADD', { source: 'api', pods: [pod] }, writtenAt + 0.25),
      line('SyncPod enter', { pod, podUID: uid }, writtenAt + 1),
      `{"ts":${writtenAt + 2},"caller":"kubelet/pod_workers.go:1324","msg":"Error syncing pod, skipping","pod":{"name":"cart","namespace":"shop"},"podUID":"${uid}","err":"no \\"image\\""}`,
    ].join('\n')
    expect(statesOf(text)).toEqual([['cart', 'waiting inferred', 'sync seen']])
    expect(viewOf(read(text)).pods[0]?.marks.at(-1)?.text).toBe('no "image"')
    expect(readFacts(read(text))).toMatchObject({
      format: 'json',
      zone: 'utc',
      from: writtenAt,
      verbosity: { level: 4, isStated: false },
    })
  })

  it('counts lines that are no entry, and tells their numbers', () => {
    const text = ['panic: runtime error', life[0], 'goroutine 1 [running]:', '\tmain.go:1'].join(
      '\n',
    )
    expect(readFacts(read(text))).toMatchObject({
      lines: 4,
      understood: 1,
      notUnderstood: [1, 3, 4],
    })
  })

  it('reads the level from the flags', () => {
    const text = `I1122 10:00:00.000000 1 flags.go:64] FLAG: --v="3"\n${life.join('\n')}`
    expect(readFacts(read(text)).verbosity).toEqual({ level: 3, isStated: true })
  })
})

describe('the name of the node', () => {
  const nodeOf = (message: string, values: string): string =>
    read(entries({ message, values })).timeline.nodeName

  it.each([
    [
      'Creating Container Manager object based on Node Config',
      'nodeConfig={"NodeName":"a","KubeletOOMScoreAdj":-999}',
    ],
    ['Attempting to register node', 'node="a"'],
    ['Recording event message for node', 'node="a" event="NodeReady"'],
  ])('is in “%s”', (message, values) => {
    expect(nodeOf(message, values)).toBe('a')
  })

  it('is that of the JSON of a kubelet', () => {
    const at = '"ts":1795344199978.9385,"caller":"kubelet/x.go:1"'
    const config = `{${at},"msg":"Creating Container Manager object based on Node Config","v":0,"nodeConfig":{"NodeName":"a","KubeletOOMScoreAdj":-999}}`
    const event = `{${at},"msg":"Recording event message for node","v":2,"node":{"name":"b"},"event":"NodeReady"}`
    expect(read(`${config}\n`).timeline.nodeName).toBe('a')
    expect(read(`${event}\n`).timeline.nodeName).toBe('b')
  })

  it('is not known of a log without such an entry', () => {
    expect(read(lifeAtLevel4().join('\n')).timeline.nodeName).toBe('')
  })
})

describe('the year', () => {
  const at = (day: string, written: number): string => {
    const reader = new LogReader({ writtenAt: written })
    reader.push(Buffer.from(`${entryText({ day, message: 'x' })}\n`))
    return new Date(reader.from).toISOString().slice(0, 10)
  }

  it.each([
    ['1122', Date.UTC(2026, 10, 24), '2026-11-22'],
    ['1231', Date.UTC(2027, 0, 1), '2026-12-31'],
    ['0101', Date.UTC(2026, 11, 31, 20), '2027-01-01'],
    ['0229', Date.UTC(2028, 2, 1), '2028-02-29'],
  ])('of %s in a file written at %i is that of %s', (day, written, expected) => {
    expect(at(day, written)).toBe(expected)
  })

  it('goes on at New Year', () => {
    const reader = new LogReader({ writtenAt: Date.UTC(2027, 0, 2) })
    for (const day of ['1231', '0101'])
      reader.push(Buffer.from(`${entryText({ day, message: 'x' })}\n`))
    expect([reader.from, reader.to].map((ms) => new Date(ms).getUTCFullYear())).toEqual([
      2026, 2027,
    ])
  })
})

describe('the pod of a worker', () => {
  const started =
    'pod="shop/cart" podStartE2EDuration="3s" podCreationTimestamp="2026-11-22 08:59:57 +0000 UTC" watchObservedRunningTime="2026-11-22 10:00:00.5 +0100 CET m=+1.6"'
  const status = {
    phase: 'Running',
    podIP: '10.0.0.9',
    containerStatuses: [
      {
        name: 'c',
        image: 'busybox',
        ready: false,
        restartCount: 3,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 1, finishedAt: '2026-11-22T08:59:59Z' } },
      },
    ],
  }
  const written = `pod="shop/cart" statusVersion=2 status=${JSON.stringify(status)}`
  const added = { message: 'SyncLoop ADD', values: 'source="api" pods=["shop/cart"]' }

  it('has the status that was written last, and its age, in the time of the log', () => {
    const [pod] = lastStates(
      read(
        entries(
          added,
          { message: 'Observed pod startup duration', values: started },
          { message: 'Status for pod updated successfully', values: written },
        ),
      ),
    )
    expect(pod).toMatchObject({
      createdAt: Date.UTC(2026, 10, 22, 9, 59, 57),
      isDeleted: false,
      status: { phase: 'Running' },
    })
    expect(pod?.status?.containerStatuses).toEqual([
      {
        name: 'c',
        ready: false,
        restartCount: 3,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 1, finishedAt: '2026-11-22T09:59:59.000Z' } },
      },
    ])
  })

  it('has the same status whether it was read in the log’s last part or long before', () => {
    const of = (index: number): string =>
      entries(
        { message: 'SyncLoop ADD', values: `source="api" pods=["shop/cart-${index}"]` },
        {
          message: 'Status for pod updated successfully',
          values: written.replace('"shop/cart"', `"shop/cart-${index}"`),
        },
      )
    const log = Array.from({ length: 700 }, (_, index) => of(index)).join('\n')
    const statuses = lastStates(read(log)).map((pod) => JSON.stringify(pod.status))
    expect(statuses).toHaveLength(700)
    expect(new Set(statuses).size).toBe(1)
    expect(statuses[0]).toContain('CrashLoopBackOff')
  })

  it('has neither where no line tells it, and no times where the zone of the log is not known', () => {
    expect(lastStates(read(entries(added)))[0]).toMatchObject({ status: null, createdAt: null })
    const timeless = lastStates(
      read(entries(added, { message: 'Status for pod updated successfully', values: written })),
    )[0]
    expect(timeless?.status?.containerStatuses?.[0]?.lastState?.terminated).toEqual({ exitCode: 1 })
  })

  it('is deleted from its DELETE on', () => {
    const deleted = { message: 'SyncLoop DELETE', values: 'source="api" pods=["shop/cart"]' }
    expect(lastStates(read(entries(added, deleted)))[0]).toMatchObject({ isDeleted: true })
  })
})

describe('each message', () => {
  const unmarked: ReadonlySet<LogFactKind> = new Set([
    'containerFinished',
    'noSandbox',
    'housekeeping',
    'syncEnter',
    'restartsSameUid',
    'eventOccurred',
    'startupObserved',
    'nodeNamed',
  ])
  const values: Readonly<Record<string, string>> = {
    pods: 'source="api" pods=["shop/cart"]',
    one: `${podValues} updateType="terminating" workType="terminating" err="e" reason="r" message="m" podID="${uid}" containerID="x://aa" containerName="c" gracePeriod=1 probe="liveness" status="unhealthy" resourceName="memory" duration="2s" event={"ID":"${uid}","Type":"ContainerStarted","Data":"aa"}`,
  }

  it.each(logMessages.map(({ text, kind, level }) => [text, kind, level] as const))(
    '%s changes the state or leaves a mark',
    (text, kind, level) => {
      const before = entries(
        { message: 'SyncLoop ADD', values: values['pods'] ?? '' },
        { message: 'SyncPod enter', values: podValues },
      )
      const isList = ['add', 'update', 'remove', 'delete'].includes(kind)
      const told = entryText({
        at: '10:01:30.000000',
        message: text,
        values: values[isList ? 'pods' : 'one'] ?? '',
      })
      const changed = read(`${before}\n${told}`)
      expect(changed.highestLevel).toBeGreaterThanOrEqual(level)
      // These only matter with what follows, or tell something else of the pod.
      if (unmarked.has(kind)) return
      const without = read(`${before}\n${entryText({ at: '10:01:30.000000', message: 'x' })}`)
      expect(viewOf(changed)).not.toEqual(viewOf(without))
    },
  )
})
