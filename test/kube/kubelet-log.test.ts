import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LogReader } from '../../src/main/inspector/kubelet-log/log-reader.ts'
import { podsIn, readFacts } from '../../src/main/inspector/kubelet-log/log-view.ts'
import { isJsonObject, numberAt, objectAt, textAt, type JsonObject } from '../../src/shared/json.ts'
import type { TimelineLane, TimelineState } from '../../src/shared/model/timeline/timeline.ts'
import { reportComparison, reportImpossible, reportMissing } from './comparison.ts'
import { findParts, startControlPlane, type ControlPlane } from './control-plane.ts'
import { canUnshare, cannotUnshare } from './cri/real-kubelet.ts'
import { administratorOf, type Administrator } from './integration/administrator.ts'
import { runLogged, type LoggedRun } from './kubelet-log/logged-run.ts'

// Real kubelets at -v=4, -v=2 and in JSON go through the same situations. What the reader makes of each log is compared with
// what others saw of the same run: the API server's audit log, the container runtime, and the one who deleted the pods.

const found = await findParts(['etcd', 'kube-apiserver', 'kubelet'], process.env)
const canRun = !('missing' in found) && canUnshare()
if ('missing' in found) reportMissing('kubelet log', found.missing)
else if (!canRun) reportImpossible('kubelet log', cannotUnshare)

const nodes = [
  { node: 'seen', verbosity: 4 },
  { node: 'usual', verbosity: 2 },
  { node: 'json', verbosity: 4, format: 'json' as const },
]

interface ReadRun extends LoggedRun {
  readonly pods: readonly TimelineLane[]
  readonly facts: ReturnType<typeof readFacts>
}

function read(run: LoggedRun): ReadRun {
  const reader = new LogReader({ writtenAt: Date.now() })
  reader.push(Buffer.from(run.log))
  reader.flush()
  const range = { from: reader.from, to: reader.to, width: 0 }
  return { ...run, ...podsIn(reader, range), facts: readFacts(reader) }
}

const folder = mkdtempSync(join(tmpdir(), 'nodescope-kubelet-log-'))
let plane: ControlPlane
let administrator: Administrator
let runs: readonly ReadRun[] = []
let audit: readonly JsonObject[] = []

beforeAll(async () => {
  if ('missing' in found || !canRun) return
  const names = nodes.map(({ node }) => node)
  plane = await startControlPlane({ environment: process.env, audit: true, nodes: names })
  administrator = await administratorOf(plane.adminKubeconfig)
  const file = found.files.get('kubelet') ?? ''
  runs = await Promise.all(
    nodes.map(async (node) =>
      read(
        await runLogged({ ...node, file, plane, administrator, folder: join(folder, node.node) }),
      ),
    ),
  )
  audit = readFileSync(plane.auditLog ?? '', 'utf8')
    .split('\n')
    .filter((line) => line.includes('"resource":"pods"'))
    .map((line): unknown => JSON.parse(line))
    .filter(isJsonObject)
}, 180_000)

const compared: string[] = []

afterAll(async () => {
  if (canRun) {
    reportComparison(
      'kubelet log',
      `what is read of the logs of real kubelets, and what others saw: ${compared.join(', ')}`,
    )
    await administrator.close()
    await plane.stop()
  }
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

function runOf(node: string): ReadRun {
  const run = runs.find((each) => each.node === node)
  if (run === undefined) throw new Error(`no run of ${node}`)
  return run
}

function podOf(run: ReadRun, name: string): TimelineLane {
  const pod = run.pods.find((each) => each.uid === run.uids.get(name))
  if (pod === undefined) throw new Error(`the log of ${run.node} has no pod ${name}`)
  return pod
}

/** Text has the local time of this machine. */
function realTime(run: ReadRun, at: number): number {
  return run.facts.zone === 'utc' ? at : at + new Date(at).getTimezoneOffset() * 60_000
}

function begin(run: ReadRun, pod: TimelineLane, state: TimelineState): number {
  const segment = pod.segments.find((each) => each.state === state)
  if (segment === undefined) throw new Error(`${pod.name} of ${run.node} is never ${state}`)
  return realTime(run, segment.from)
}

function statesOf({ segments }: TimelineLane): readonly string[] {
  return segments.map(({ state }) => state)
}

/** Calls of a node about a pod's name, by the audit log: those with one of the codes, or all. */
function callsOf(
  run: ReadRun,
  name: string,
  verb: string,
  part: string,
  codes?: readonly number[],
): readonly JsonObject[] {
  return audit.filter((entry) => {
    const about = objectAt(entry, 'objectRef')
    const named = textAt(objectAt(objectAt(entry, 'requestObject'), 'metadata'), 'name')
    return (
      textAt(objectAt(entry, 'user'), 'username') === `system:node:${run.node}` &&
      textAt(entry, 'verb') === verb &&
      textAt(about, 'subresource') === part &&
      textAt(about, 'namespace') === run.node &&
      (textAt(about, 'name') || named) === name &&
      codes?.includes(numberAt(objectAt(entry, 'responseStatus'), 'code') ?? 0) !== false
    )
  })
}

function endedAt(run: ReadRun, pod: string): number {
  const ended = run.runtime.findLast(
    ({ kind, subject }) =>
      kind === 'container.exited' && JSON.stringify(subject).includes(run.uids.get(pod) ?? '-'),
  )
  if (ended === undefined) throw new Error(`no container of ${pod} exited on ${run.node}`)
  return ended.at
}

const whole = ['waiting', 'sync', 'terminating', 'terminated', 'finished']

describe.skipIf(!canRun)('the log of a real kubelet', () => {
  it('is understood to the last line, with its format and level', () => {
    expect(runs.map(({ facts }) => facts.node)).toEqual(nodes.map(({ node }) => node))
    expect(
      runs.map(({ facts }) => [facts.format, facts.verbosity, facts.lines - facts.understood]),
    ).toEqual([
      ['text', { level: 4, isStated: true }, 0],
      ['text', { level: 2, isStated: true }, 0],
      ['json', { level: 4, isStated: true }, 0],
    ])
    compared.push(`${runs.reduce((sum, { facts }) => sum + facts.lines, 0)} lines`)
  })

  it.each(['seen', 'json'])('shows each worker as it went at -v=4 (%s)', (node) => {
    const run = runOf(node)
    for (const name of ['polite', 'deaf', 'forced', 'late']) {
      const pod = podOf(run, name)
      expect([name, statesOf(pod)]).toEqual([name, whole])
      expect(pod.segments.slice(1).map(({ certainty }) => certainty)).toEqual(
        Array.from({ length: 4 }, () => 'seen'),
      )
    }
    // Restarted kubelets take ended pods again; what came before is the whole life.
    expect(statesOf(podOf(run, 'once')).slice(0, 5)).toEqual(whole)
    expect(podOf(run, 'huge').marks.map(({ kind }) => kind)).toContain('rejected')
    compared.push(`workers of ${node}`)
  })

  it.each(['polite', 'deaf', 'late'])(
    'infers the same states of %s at -v=2 as the log of -v=4 shows',
    (name) => {
      const [seen, usual] = [podOf(runOf('seen'), name), podOf(runOf('usual'), name)]
      expect(statesOf(seen)).toEqual(whole)
      // The sandbox's end is logged only while the API server still has the pod, which is a race.
      const hasSandboxEnd = usual.marks.filter(({ kind }) => kind === 'died').length > 1
      expect(statesOf(usual)).toEqual(
        hasSandboxEnd ? whole : whole.filter((state) => state !== 'terminated'),
      )
      expect(new Set(usual.segments.map(({ certainty }) => certainty))).toEqual(
        new Set(['inferred']),
      )
    },
  )

  it('claims nothing at -v=2 that the log cannot show', () => {
    const usual = runOf('usual')
    const certainties = usual.pods.flatMap(({ segments }) => segments.map((each) => each.certainty))
    expect(certainties).not.toContain('seen')
    // A pod deleted by force is no longer known when its containers die.
    expect(statesOf(podOf(usual, 'forced'))).toEqual(['waiting', 'sync', 'terminating'])
  })

  it.each(nodes.map(({ node }) => node))('has the times of what others saw (%s)', (node) => {
    const run = runOf(node)
    for (const name of ['polite', 'deaf', 'late']) {
      const pod = podOf(run, name)
      const terminating = begin(run, pod, 'terminating')
      const deleted = run.deletedAt.get(name) ?? 0
      expect(terminating - deleted, `${name}: DELETE to TerminatingPod`).toSatisfy(
        (ms: number) => ms > -50 && ms < 3000,
      )
      const ended = endedAt(run, name)
      const [gone] = callsOf(run, name, 'delete', '', [200])
      const goneAt = Date.parse(textAt(gone ?? {}, 'requestReceivedTimestamp'))
      expect(begin(run, pod, 'finished') - goneAt, `${name}: finished to DELETE`).toSatisfy(
        (ms: number) => Math.abs(ms) < 3000,
      )
      if (!statesOf(pod).includes('terminated')) continue
      // PLEG lists the containers once a second.
      expect(begin(run, pod, 'terminated') - ended, `${name}: exit to TerminatedPod`).toSatisfy(
        (ms: number) => ms > -50 && ms < 3000,
      )
    }
    for (const name of ['polite', 'deaf']) {
      const killed = podOf(run, name).marks.find(({ kind }) => kind === 'kill')
      const signalled = run.runtime.find(
        ({ kind, subject }) =>
          kind === 'container.signalled' &&
          JSON.stringify(subject).includes(run.uids.get(name) ?? '-'),
      )
      const late = (signalled?.at ?? Number.NaN) - realTime(run, killed?.at ?? Number.NaN)
      expect(late, `${name}: kill to SIGTERM`).toSatisfy((ms: number) => Math.abs(ms) < 500)
    }
    const deaf = podOf(run, 'deaf')
    const end = statesOf(deaf).includes('terminated') ? 'terminated' : 'finished'
    const grace = begin(run, deaf, end) - begin(run, deaf, 'terminating')
    expect(grace).toBeGreaterThan(2900)
    compared.push(`times of ${node}`)
  })

  it.each(['seen', 'json'])('has every status that the API server got (%s)', (node) => {
    const run = runOf(node)
    let writes = 0
    for (const name of run.uids.keys()) {
      const written = podOf(run, name).marks.filter(({ text }) => text.startsWith('Status written'))
      expect([name, written.length]).toEqual([
        name,
        callsOf(run, name, 'patch', 'status', [200]).length,
      ])
      writes += written.length
    }
    expect(writes).toBeGreaterThan(run.uids.size)
    compared.push(`status writes of ${node}`)
  })

  it.each(nodes.map(({ node }) => node))('has every creation of a mirror (%s)', (node) => {
    const run = runOf(node)
    const marks = run.pods
      .filter(({ name }) => name === `web-${node}`)
      .flatMap((pod) => pod.marks)
      .filter(({ text }) => text === 'Creating a mirror pod for static pod')
    expect(marks.length).toBeGreaterThan(1)
    // Also those that the server refuses: as long as it does not know the node yet, for example.
    const created = callsOf(run, `web-${node}`, 'create', '')
    const codes = created.map((entry) => numberAt(objectAt(entry, 'responseStatus'), 'code'))
    expect(marks.length, `mirrors created with ${codes.join(', ')}`).toBe(created.length)
  })

  it.each(nodes.map(({ node }) => node))(
    'tells two static pods of one name apart, and that one waits for the other (%s)',
    (node) => {
      const run = runOf(node)
      const webs = run.pods
        .filter(({ name }) => name === `web-${node}`)
        .toSorted((one, other) => one.firstLine - other.firstLine)
      expect(webs.map(({ source, uid }) => [source, uid?.length])).toEqual([
        ['file', 32],
        ['file', 32],
      ])
      const [old, edited] = webs
      const waited = edited?.segments.find(({ state }) => state === 'waiting')
      const ending = old?.segments.find(({ state }) => state === 'terminating')
      expect(waited?.from).toBeGreaterThanOrEqual(ending?.from ?? Infinity)
    },
  )

  it.each(nodes.map(({ node }) => node))('shows crash loops and failed probes (%s)', (node) => {
    const run = runOf(node)
    const [crash, probed] = [podOf(run, 'crash'), podOf(run, 'probed')]
    expect(crash.marks.filter(({ kind }) => kind === 'died').length).toBeGreaterThan(0)
    expect(crash.marks.find(({ kind }) => kind === 'error')?.text).toContain('CrashLoopBackOff')
    expect(probed.marks.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'Liveness probe of c failed',
        'liveness probe: unhealthy',
        'Killing container c, grace period 3 s',
      ]),
    )
  })
})
