import { describe, expect, it } from 'vitest'
import { fakeNodes } from '../../bridge/fake-nodes.ts'
import { fakeCluster, fakeRow, fakeStaticRow } from '../../bridge/fake-views.ts'
import { graceExample, mirrorExample, namespaceFlag, whatIsHere } from './start-facts.ts'

const web = fakeStaticRow({ name: 'web' })
const system = fakeStaticRow({ name: 'heartbeat', namespace: 'kube-system' })
const hello = fakeRow({ name: 'hello' })
const loud = fakeRow({ name: 'loud' })

describe('whatIsHere', () => {
  it.each([
    [[web, system, hello, loud], 'One node, two static pods from a folder, two ordinary pods.'],
    [
      [web, { ...system, source: 'http' as const }],
      'One node, one static pod from a folder, one static pod from a URL.',
    ],
    [[hello], 'One node, one ordinary pod.'],
    [[], 'One node, no pods yet.'],
  ])('counts what there is', (rows, sentence) => {
    expect(whatIsHere(fakeCluster(), 'scope-node-1', rows)).toBe(sentence)
  })

  it.each([
    [[hello], 'Three nodes. On scope-node-2: one ordinary pod.'],
    [[], 'Three nodes. On scope-node-2: no pods yet.'],
  ])('says whose pods these are where there are several nodes', (rows, sentence) => {
    expect(whatIsHere(fakeNodes(3), 'scope-node-2', rows)).toBe(sentence)
  })
})

describe('the examples', () => {
  it('take the static pod of the default namespace before others', () => {
    expect(mirrorExample([system, web])).toBe(web)
    expect(mirrorExample([system])).toBe(system)
    expect(mirrorExample([hello])).toBeUndefined()
  })

  it('stay with a static pod whose mirror is away for a moment', () => {
    const away = { ...web, mirror: 'missing' as const, mirrorUid: null }
    expect(mirrorExample([system, away])).toBe(away)
  })

  it('take the pod that ignores SIGTERM before others, and none that stops already', () => {
    expect(graceExample([hello, loud])).toBe(loud)
    expect(graceExample([hello, { ...loud, worker: 'TerminatingPod' }])).toBe(hello)
    expect(graceExample([web])).toBeUndefined()
    expect(graceExample([fakeRow({ name: 'coredns', namespace: 'kube-system' })])).toBeUndefined()
  })

  it('name the namespace only where kubectl needs it', () => {
    expect(namespaceFlag(web)).toBe('')
    expect(namespaceFlag(system)).toBe(' -n kube-system')
  })
})
