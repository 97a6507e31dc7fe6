import { describe, expect, it } from 'vitest'
import { fakeMirrorOf, fakePod, fakeStaticPod } from './fake-pod.ts'
import {
  buildPodFullName,
  isCritical,
  isLocalAnnotation,
  isMirror,
  isMirrorPodOf,
  isNodeCritical,
  isPreemptable,
  isStatic,
  isTerminalPhase,
  parsePodFullName,
  podDescription,
  fullNameOf,
  podSource,
  podSubject,
} from './identity.ts'

const node = 'system-node-critical'

describe('full names (semantics 1.1)', () => {
  it('joins name and namespace with an underscore', () => {
    expect(buildPodFullName('bar', 'foo')).toBe('bar_foo')
    expect(fullNameOf(fakePod({ name: 'a', namespace: 'b' }))).toBe('a_b')
    expect(podDescription(fakePod({ name: 'a', namespace: 'b', uid: 'u' }))).toBe('a_b(u)')
  })

  it('splits into exactly two non-empty parts', () => {
    expect(parsePodFullName('bar_foo')).toEqual({
      ok: true,
      value: { name: 'bar', namespace: 'foo' },
    })
  })

  it.each(['barfoo', 'bar_foo_foo', '', 'bar_', '_foo', '_'])('refuses %j', (fullName) => {
    expect(parsePodFullName(fullName)).toEqual({
      ok: false,
      error: `failed to parse the pod full name "${fullName}"`,
    })
  })
})

describe('what a pod is (semantics 1.3)', () => {
  it('is static when it has a source and that is not the API', () => {
    expect(isStatic(fakePod())).toBe(false)
    expect(isStatic(fakeStaticPod())).toBe(true)
    expect(isStatic(fakePod({ annotations: { 'kubernetes.io/config.source': 'http' } }))).toBe(true)
    const bare = fakePod()
    expect(isStatic({ ...bare, metadata: { name: 'a', uid: 'u' } })).toBe(false)
  })

  it('names the source, api where there is none', () => {
    expect(podSource(fakeStaticPod())).toBe('file')
    expect(podSource(fakePod())).toBe('api')
    expect(podSource({ ...fakePod(), metadata: { name: 'a', uid: 'u' } })).toBe('api')
  })

  it('is a mirror with the annotation, even an empty one', () => {
    expect(isMirror(fakePod())).toBe(false)
    expect(isMirror(fakePod({ annotations: { 'kubernetes.io/config.mirror': '' } }))).toBe(true)
  })

  it('mirrors a static pod when namespace, name and hash agree', () => {
    const pod = fakeStaticPod({ uid: 'h1' })
    const mirror = fakeMirrorOf(pod)
    expect(isMirrorPodOf(mirror, pod)).toBe(true)
    expect(isMirrorPodOf(mirror, fakeStaticPod({ uid: 'h2' }))).toBe(false)
    expect(isMirrorPodOf(fakeMirrorOf(pod, { metadata: { name: 'x' } }), pod)).toBe(false)
    expect(isMirrorPodOf(fakeMirrorOf(pod, { metadata: { namespace: 'x' } }), pod)).toBe(false)
    expect(isMirrorPodOf(pod, pod)).toBe(false)
  })

  it.each([
    ['regular', fakePod(), false, false],
    ['static', fakeStaticPod(), true, false],
    ['static node critical', fakeStaticPod({ spec: { priorityClassName: node } }), true, true],
    ['mirror', fakeMirrorOf(fakeStaticPod()), true, false],
    ['priority just below', fakePod({ spec: { priority: 1_999_999_999 } }), false, false],
    ['cluster critical', fakePod({ spec: { priority: 2_000_000_000 } }), true, false],
    [
      'node critical',
      fakePod({ spec: { priority: 2_000_001_000, priorityClassName: node } }),
      true,
      true,
    ],
    [
      'the class name without the priority',
      fakePod({ spec: { priorityClassName: node } }),
      false,
      false,
    ],
  ])('knows whether a %s pod is critical', (_, pod, critical, nodeCritical) => {
    expect([isCritical(pod), isNodeCritical(pod)]).toEqual([critical, nodeCritical])
  })

  it.each([
    ['critical by', fakeStaticPod(), fakePod({ spec: { priority: 5 } }), true],
    ['both critical without priorities', fakeStaticPod(), fakeStaticPod(), false],
    ['equal', fakePod({ spec: { priority: 5 } }), fakePod({ spec: { priority: 5 } }), false],
    ['higher', fakePod({ spec: { priority: 6 } }), fakePod({ spec: { priority: 5 } }), true],
    ['lower', fakePod({ spec: { priority: 4 } }), fakePod({ spec: { priority: 5 } }), false],
    ['victim without priority', fakePod({ spec: { priority: 4 } }), fakePod(), false],
  ])('decides preemption: %s', (_, by, victim, expected) => {
    expect(isPreemptable(by, victim)).toBe(expected)
  })

  it('knows local annotations: source, mirror and seen, but not the hash', () => {
    expect(
      ['source', 'seen', 'hash', 'mirror'].map((key) =>
        isLocalAnnotation(`kubernetes.io/config.${key}`),
      ),
    ).toEqual([true, true, false, true])
  })

  it('knows terminal phases', () => {
    expect(
      (['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown', undefined] as const).map(
        isTerminalPhase,
      ),
    ).toEqual([false, false, true, true, false, false])
  })

  it('makes a trace subject', () => {
    expect(podSubject(fakePod({ name: 'a', namespace: 'b', uid: 'u' }))).toEqual({
      kind: 'pod',
      uid: 'u',
      namespace: 'b',
      name: 'a',
    })
  })
})
