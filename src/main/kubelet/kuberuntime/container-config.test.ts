import { describe, expect, it } from 'vitest'
import type { Container } from '../../../shared/kubernetes/objects.ts'
import { containerConfig, podSandboxConfig } from './container-config.ts'
import { containerAnnotations, containerLabels, sandboxLabels } from './container-labels.ts'
import { podOf } from '../container/fake-pods.ts'

describe('podSandboxConfig', () => {
  it('names the pod and the attempt, with its labels and annotations', () => {
    const pod = podOf({}, { metadata: { labels: { app: 'web' }, annotations: { note: 'x' } } })
    expect(podSandboxConfig(pod, 2)).toEqual({
      metadata: { name: 'p', uid: 'u', namespace: 'n', attempt: 2 },
      hostNetwork: false,
      labels: sandboxLabels(pod),
      annotations: { note: 'x' },
    })
    expect(podSandboxConfig(podOf({ hostNetwork: true }), 0).hostNetwork).toBe(true)
  })
})

describe('containerConfig', () => {
  const container: Container = {
    name: 'c',
    image: 'i',
    command: ['run', '$(GREETING)', '$(UNKNOWN)'],
    args: ['$$(NAME)', '$(NAME)'],
  }
  const envs = [
    { key: 'NAME', value: 'sun' },
    { key: 'GREETING', value: 'hello $(NAME)' },
  ]

  it('expands command and args by the environment', () => {
    const pod = podOf({ containers: [container] })
    const config = containerConfig(pod, container, 'sha256:i', 4, { envs })
    expect(config.ok && config.value).toEqual({
      name: 'c',
      attempt: 4,
      image: 'sha256:i',
      command: ['run', 'hello $(NAME)', '$(UNKNOWN)'],
      args: ['$(NAME)', 'sun'],
      envs,
      labels: containerLabels(pod, container),
      annotations: containerAnnotations(pod, container, 4),
    })
  })

  it('of a bare container is empty', () => {
    const bare = { name: 'c', image: 'i' }
    expect(containerConfig(podOf(), bare, 'i', 0, { envs: [] })).toMatchObject({
      ok: true,
      value: { command: [], args: [], envs: [] },
    })
  })

  it('is refused where the variables of its arguments would fill the memory', () => {
    const long = [{ key: 'LONG', value: 'x'.repeat(1024 * 1024) }]
    const args = ['$(LONG)', '$(LONG)', '$(LONG)']
    expect(
      containerConfig(podOf(), { name: 'c', image: 'i', args }, 'i', 0, { envs: long }),
    ).toEqual({
      ok: false,
      error:
        'environment, command and arguments are longer than 2097152 characters once variables are expanded',
    })
  })
})
