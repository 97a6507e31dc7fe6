import { describe, expect, it } from 'vitest'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { fakeNodes } from '../../bridge/fake-nodes.ts'
import { fakeCluster, fakeRow, fakeStaticRow, fakeNow } from '../../bridge/fake-views.ts'
import { graceExample, mirrorExample, namespaceFlag, clusterSummary } from './start-facts.ts'

const web = fakeStaticRow({ name: 'web' })
const system = fakeStaticRow({ name: 'heartbeat', namespace: 'kube-system' })
const hello = fakeRow({ name: 'hello' })
const loud = fakeRow({ name: 'loud' })

describe('clusterSummary', () => {
  it.each([
    [[web, system, hello, loud], 'One node, two static pods from a folder, two ordinary pods.'],
    [
      [web, { ...system, source: 'http' as const }],
      'One node, one static pod from a folder, one static pod from a URL.',
    ],
    [[hello], 'One node, one ordinary pod.'],
    [[], 'One node, no pods yet.'],
  ])('counts nodes and pods', (rows, sentence) => {
    expect(clusterSummary(fakeCluster(), 'scope-node-1', rows)).toBe(sentence)
  })

  it.each([
    [[hello], 'Three nodes. On scope-node-2: one ordinary pod.'],
    [[], 'Three nodes. On scope-node-2: no pods yet.'],
  ])('names the node of the pods when there are several nodes', (rows, sentence) => {
    expect(clusterSummary(fakeNodes(3), 'scope-node-2', rows)).toBe(sentence)
  })
})

const here = { node: 'scope-node-1', now: fakeNow }

describe('the example pods of the lessons', () => {
  it('prefer a static pod of the default namespace', () => {
    expect(mirrorExample([system, web], here)).toBe(web)
    expect(mirrorExample([system], here)).toBe(system)
    expect(mirrorExample([hello], here)).toBeUndefined()
  })

  it('include a static pod whose mirror is missing or has no status yet', () => {
    const bricks = [{ name: 'main', state: 'waiting' }] as const
    const away = { ...web, mirror: 'missing' as const, mirrorUid: null }
    expect(mirrorExample([system, away], here)).toBe(away)
    const fresh = { ...web, status: 'Pending', bricks }
    expect(mirrorExample([system, fresh], here)).toBe(fresh)
  })

  it('prefer the pod that ignores SIGTERM, and exclude terminating pods', () => {
    expect(graceExample([hello, loud], here)).toBe(loud)
    expect(graceExample([hello, { ...loud, worker: 'TerminatingPod' }], here)).toBe(hello)
    expect(graceExample([web], here)).toBeUndefined()
    const dns = fakeRow({ name: 'coredns', namespace: 'kube-system' })
    expect(graceExample([dns], here)).toBeUndefined()
  })

  const down = [{ name: 'main', state: 'down' }] as const
  it.each<readonly [string, Partial<PodRow>]>([
    ['waits in its back-off', { status: 'CrashLoopBackOff', bricks: down, restarts: 3 }],
    ['has no image', { status: 'ImagePullBackOff', bricks: down }],
    ['was restarted a minute ago', { restarts: 2, lastRestartAt: fakeNow - 60_000 }],
    ['starts', { status: 'ContainerCreating', bricks: [{ name: 'main', state: 'waiting' }] }],
  ])('exclude a pod that %s', (_, part) => {
    expect(graceExample([{ ...loud, ...part }], here)).toBeUndefined()
    expect(mirrorExample([{ ...web, ...part }], here)).toBeUndefined()
  })

  it('include a pod whose last restart was long ago', () => {
    const old = { ...loud, restarts: 1, lastRestartAt: fakeNow - 600_000 }
    expect(graceExample([old], here)).toBe(old)
  })

  it('come from another node when the shown one has none', () => {
    const there = { ...web, node: 'scope-node-2' }
    const loudThere = { ...loud, node: 'scope-node-2' }
    expect(mirrorExample([there], here)).toBe(there)
    expect(mirrorExample([there, web], here)).toBe(web)
    expect(graceExample([loudThere], here)).toBe(loudThere)
  })

  it('have a namespace flag only outside the default namespace', () => {
    expect(namespaceFlag(web)).toBe('')
    expect(namespaceFlag(system)).toBe(' -n kube-system')
  })
})
