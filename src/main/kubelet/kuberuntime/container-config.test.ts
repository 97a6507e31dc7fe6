import { describe, expect, it } from 'vitest'
import type { Container } from '../../../shared/kubernetes/objects.ts'
import { containerConfig, podSandboxConfig, unresolvedVariables } from './container-config.ts'
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
    command: ['run', '$(GREETING)', '$(UNKNOWN)', '$(SECRET)'],
    args: ['$$(NAME)', '$(NAME)'],
    env: [
      { name: 'NAME', value: 'moon' },
      { name: 'GREETING', value: 'hello $(NAME) $(LATER)' },
      { name: 'SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      { name: 'LATER', value: 'x' },
      { name: 'NAME', value: 'sun' },
      { name: 'EMPTY' },
    ],
  }

  it('expands command, args and the environment, and leaves out what it cannot resolve', () => {
    const pod = podOf({ containers: [container] })
    const config = containerConfig(pod, container, 'sha256:i', 4)
    expect(config.ok && config.value).toEqual({
      name: 'c',
      attempt: 4,
      image: 'sha256:i',
      command: ['run', 'hello moon $(LATER)', '$(UNKNOWN)', '$(SECRET)'],
      args: ['$(NAME)', 'sun'],
      envs: [
        { key: 'NAME', value: 'sun' },
        { key: 'GREETING', value: 'hello moon $(LATER)' },
        { key: 'LATER', value: 'x' },
        { key: 'EMPTY', value: '' },
      ],
      labels: containerLabels(pod, container),
      annotations: containerAnnotations(pod, container, 4),
    })
    expect(unresolvedVariables(container)).toEqual(['SECRET'])
    expect(unresolvedVariables({ ...container, envFrom: [{}] })).toEqual(['SECRET', 'envFrom'])
  })

  it('of a bare container is empty', () => {
    const bare = { name: 'c', image: 'i' }
    expect(containerConfig(podOf(), bare, 'i', 0)).toMatchObject({
      ok: true,
      value: { command: [], args: [], envs: [] },
    })
    expect(unresolvedVariables(bare)).toEqual([])
  })

  it('is refused where variables that name each other would fill the memory', () => {
    const env = Array.from({ length: 40 }, (_, index) => ({
      name: `E${index + 1}`,
      value: index === 0 ? 'x'.repeat(100) : `$(E${index})$(E${index})`,
    }))
    expect(containerConfig(podOf(), { name: 'c', image: 'i', env }, 'i', 0)).toEqual({
      ok: false,
      error:
        'environment, command and arguments are longer than 2097152 characters once variables are expanded',
    })
  })
})
