import { describe, expect, it } from 'vitest'
import { pairDiff } from './pair-diff.ts'
import { yamlLines } from './yaml-lines.ts'

function text(value: object): string {
  return yamlLines(value)
    .map((line) => line.text)
    .join('\n')
}

function annotations(hash: string, more: Readonly<Record<string, string>> = {}): object {
  return { 'kubernetes.io/config.hash': hash, 'kubernetes.io/config.seen': 'then', ...more }
}

function reasons(left: object, right: object): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairDiff(left, right)
      .filter(({ reason }) => reason !== '')
      .map(({ path, reason }) => [path, reason]),
  )
}

describe('an object as YAML', () => {
  it('is written as kubectl writes it: keys sorted, lists indented like their key', () => {
    const pod = {
      spec: { containers: [{ name: 'web', args: ['-c', 'a'], ports: [{ containerPort: 80 }] }] },
      metadata: { name: 'web', labels: {}, finalizers: [] },
    }
    expect(text(pod)).toBe(
      [
        'metadata:',
        '  finalizers: []',
        '  labels: {}',
        '  name: web',
        'spec:',
        '  containers:',
        '  - args:',
        '    - "-c"',
        '    - a',
        '    name: web',
        '    ports:',
        '    - containerPort: 80',
      ].join('\n'),
    )
  })

  it.each([
    ['nginx:1.27', 'nginx:1.27'],
    ['true', '"true"'],
    ['Off', '"Off"'],
    ['10', '"10"'],
    ['0x1f', '"0x1f"'],
    ['.5', '".5"'],
    ['a: b', '"a: b"'],
    ['a #b', '"a #b"'],
    ['ends:', '"ends:"'],
    ['', '""'],
    ['{a}', '"{a}"'],
    ['653dde25-0035-4d5b-ab0b-d05686c66865', '653dde25-0035-4d5b-ab0b-d05686c66865'],
    ['12345678901234567890123456789012', '"12345678901234567890123456789012"'],
    ['2026-11-21T14:02:27Z', '"2026-11-21T14:02:27Z"'],
  ])('writes %j as %s', (value, written) => {
    expect(text({ key: value })).toBe(`key: ${written}`)
  })

  it('writes text of several lines as a block, which tells whether it ends with a line break', () => {
    expect(text({ a: 'one\n\ntwo\n', b: 'one\ntwo' })).toBe(
      'a: |\n  one\n\n  two\nb: |-\n  one\n  two',
    )
  })
})

describe('the diff of a pair', () => {
  it('marks fields that always differ and fields that only a mirror has', () => {
    const staticPod = { metadata: { uid: 'a', annotations: annotations('a') } }
    const mirror = {
      metadata: {
        uid: 'b',
        resourceVersion: '7',
        creationTimestamp: 'now',
        annotations: annotations('a', { 'kubernetes.io/config.mirror': 'a' }),
        ownerReferences: [{ kind: 'Node', name: 'n' }],
      },
    }
    expect(reasons(staticPod, mirror)).toEqual({
      'metadata.uid': 'always',
      'metadata.resourceVersion': 'always',
      'metadata.creationTimestamp': 'always',
      'metadata.annotations.kubernetes.io/config.mirror': 'mirrorOnly',
      'metadata.ownerReferences': 'mirrorOnly',
      'metadata.ownerReferences[n].kind': 'mirrorOnly',
      'metadata.ownerReferences[n].name': 'mirrorOnly',
    })
  })

  it('marks every other difference as stale if the hashes differ', () => {
    const staticPod = {
      metadata: { annotations: annotations('new') },
      spec: { containers: [{ name: 'web', image: 'nginx:1.28' }] },
    }
    const mirror = {
      metadata: { annotations: annotations('old', { 'kubernetes.io/config.mirror': 'old' }) },
      spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
    }
    expect(reasons(staticPod, mirror)).toEqual({
      'metadata.annotations.kubernetes.io/config.hash': 'stale',
      'metadata.annotations.kubernetes.io/config.mirror': 'stale',
      'spec.containers[web].image': 'stale',
    })
  })

  it('compares config.mirror, like the kubelet, not the mirror’s own config.hash', () => {
    const made = { 'kubernetes.io/config.mirror': 'a' }
    const staticPod = { metadata: { annotations: annotations('a') } }
    expect(reasons(staticPod, { metadata: { annotations: annotations('b', made) } })).toEqual({
      'metadata.annotations.kubernetes.io/config.hash': 'changed',
      'metadata.annotations.kubernetes.io/config.mirror': 'mirrorOnly',
    })
  })

  it('distinguishes what the API added, what it lacks and what was changed there', () => {
    const seenAgain = { 'kubernetes.io/config.seen': 'now' }
    expect(
      reasons(
        {
          metadata: { annotations: annotations('a', seenAgain), labels: { app: 'web', tier: 'x' } },
        },
        {
          metadata: { annotations: annotations('a'), labels: { app: 'other' } },
          spec: { priority: 0 },
        },
      ),
    ).toEqual({
      'metadata.annotations.kubernetes.io/config.seen': 'seenAgain',
      'metadata.labels.app': 'changed',
      'metadata.labels.tier': 'absent',
      spec: 'added',
      'spec.priority': 'added',
    })
  })

  it('marks the annotations that the kubelet puts on pods from the API', () => {
    const from = (source: string, seen: string): object => ({
      metadata: {
        annotations: annotations('a', {
          'kubernetes.io/config.source': source,
          'kubernetes.io/config.seen': seen,
        }),
      },
    })
    expect(reasons(from('file', 'then'), from('api', 'later'))).toEqual({
      'metadata.annotations.kubernetes.io/config.seen': 'kubeletAnnotation',
      'metadata.annotations.kubernetes.io/config.source': 'kubeletAnnotation',
    })
  })

  it('pairs containers by name, so that a new container moves no other', () => {
    const lines = pairDiff(
      {
        spec: {
          containers: [
            { name: 'side', image: 's' },
            { name: 'web', image: 'w' },
          ],
        },
      },
      { spec: { containers: [{ name: 'web', image: 'w' }] } },
    )
    expect(lines.filter(({ reason }) => reason !== '').map(({ left }) => left)).toEqual([
      '  - image: s',
      '    name: side',
    ])
  })

  it('omits status, and the kind that items of a list lack', () => {
    expect(
      pairDiff(
        { metadata: { name: 'a' }, status: { phase: 'Pending' } },
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'a' },
          status: { phase: 'Running' },
        },
      ).map(({ path }) => path),
    ).toEqual(['metadata', 'metadata.name'])
  })
})
