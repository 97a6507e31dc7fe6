import { describe, expect, it } from 'vitest'
import type { Container } from '../../../shared/kubernetes/objects.ts'
import { hashContainer, utf8Bytes } from './container-hash.ts'
import {
  containerAnnotations,
  containerLabels,
  hasDefinitionChanged,
  podUidOf,
  restartCountOf,
  restoreSpecsFromContainerLabels,
  sandboxLabels,
} from './container-labels.ts'
import { containerStatusOf, podOf } from '../container/fake-pods.ts'

describe('hashContainer', () => {
  it('gives the value that the kubelet gives (container_hash_test.go)', () => {
    expect(hashContainer({ name: 'test_container', image: 'foo/image:v1' })).toBe('8e45cbd0')
  })

  it('escapes what Go’s encoder escapes', () => {
    expect(hashContainer({ name: '', image: '\u2028' })).toBe('6b6543d7')
  })

  it('covers name and image, and nothing else', () => {
    const container: Container = { name: 'c', image: 'i' }
    const hash = hashContainer(container)
    expect(hashContainer({ ...container, command: ['x'], env: [{ name: 'A', value: '1' }] })).toBe(
      hash,
    )
    expect(hashContainer({ ...container, image: 'j' })).not.toBe(hash)
    expect(hashContainer({ ...container, name: 'd' })).not.toBe(hash)
  })
})

describe('utf8Bytes', () => {
  it.each(['', 'abc', 'äß', '€', '😀 a'])('encodes %j', (text) => {
    expect(utf8Bytes(text)).toEqual([...Buffer.from(text, 'utf8')])
  })
})

describe('labels and annotations', () => {
  const container: Container = {
    name: 'c',
    image: 'i',
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    lifecycle: { preStop: { sleep: { seconds: 5 } } },
    ports: [{ containerPort: 80 }],
  }
  const pod = podOf(
    { containers: [container], terminationGracePeriodSeconds: 30 },
    { metadata: { labels: { app: 'web' }, deletionGracePeriodSeconds: 7 } },
  )

  it('name pod and container', () => {
    const names = {
      'io.kubernetes.pod.name': 'p',
      'io.kubernetes.pod.namespace': 'n',
      'io.kubernetes.pod.uid': 'u',
    }
    expect(sandboxLabels(pod)).toEqual({ app: 'web', ...names })
    expect(containerLabels(pod, container)).toEqual({
      ...names,
      'io.kubernetes.container.name': 'c',
    })
  })

  it('carry hash, restart count, graces, hook and ports', () => {
    expect(containerAnnotations(pod, container, 3)).toEqual({
      'io.kubernetes.container.hash': hashContainer(container),
      'io.kubernetes.container.restartCount': '3',
      'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
      'io.kubernetes.container.terminationMessagePolicy': 'File',
      'io.kubernetes.pod.deletionGracePeriod': '7',
      'io.kubernetes.pod.terminationGracePeriod': '30',
      'io.kubernetes.container.preStopHandler': '{"sleep":{"seconds":5}}',
      'io.kubernetes.container.ports': '[{"containerPort":80}]',
    })
  })

  it('leave out what the pod does not say', () => {
    const bare = { name: 'c', image: 'i' }
    expect(Object.keys(containerAnnotations(podOf(), bare, 0))).toEqual([
      'io.kubernetes.container.hash',
      'io.kubernetes.container.restartCount',
      'io.kubernetes.container.terminationMessagePath',
      'io.kubernetes.container.terminationMessagePolicy',
    ])
  })

  it('are read back, the restart count from the attempt where it is missing', () => {
    const status = containerStatusOf('c', 'running', {
      attempt: 9,
      labels: containerLabels(pod, container),
      annotations: containerAnnotations(pod, container, 3),
    })
    expect([restartCountOf(status), podUidOf(status)]).toEqual([3, 'u'])
    const foreign = containerStatusOf('c', 'running', { attempt: 9 })
    expect([restartCountOf(foreign), podUidOf(foreign)]).toEqual([9, ''])
  })

  it('find a container of another definition, except one that has no hash', () => {
    const annotations = containerAnnotations(pod, container, 0)
    const status = containerStatusOf('c', 'running', { annotations })
    expect(hasDefinitionChanged(container, status)).toBe(false)
    expect(hasDefinitionChanged({ ...container, image: 'j' }, status)).toBe(true)
    expect(hasDefinitionChanged(container, containerStatusOf('c', 'running'))).toBe(false)
  })

  it('restore what is needed to kill a container whose pod is unknown', () => {
    const status = containerStatusOf('c', 'running', {
      labels: containerLabels(pod, container),
      annotations: containerAnnotations(pod, container, 0),
    })
    expect(restoreSpecsFromContainerLabels(status)).toEqual({
      pod: {
        metadata: { uid: 'u', name: 'p', namespace: 'n', deletionGracePeriodSeconds: 7 },
        spec: { containers: [], terminationGracePeriodSeconds: 30 },
      },
      spec: { name: 'c', lifecycle: { preStop: { sleep: { seconds: 5 } } } },
    })
  })

  it('restore a container of which nothing was written, or nonsense', () => {
    expect(
      restoreSpecsFromContainerLabels(
        containerStatusOf('c', 'running', {
          annotations: {
            'io.kubernetes.container.preStopHandler': '{',
            'io.kubernetes.pod.terminationGracePeriod': 'soon',
          },
        }),
      ),
    ).toEqual({
      pod: { metadata: { uid: '', name: '', namespace: '' }, spec: { containers: [] } },
      spec: { name: 'c', lifecycle: { preStop: undefined } },
    })
  })
})
