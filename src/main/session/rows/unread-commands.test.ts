import { expect, it } from 'vitest'
import type { TraceEvent, TraceInput } from '../../../shared/model/trace-event.ts'
import { fakePod } from '../../kubelet/pod/fake-pod.ts'
import { podSubject } from '../../kubelet/pod/identity.ts'
import { UnreadCommands } from './unread-commands.ts'

const pod = fakePod({
  uid: 'a',
  spec: { containers: [{ name: 'c', image: 'x', command: ['sh', '-c', 'exit $(cat /code)'] }] },
})

function event(kind: 'container.notSimulated' | 'container.started'): TraceEvent {
  const data = { container: 'c', containerId: '1' }
  const input: TraceInput = { kind, subject: podSubject(pod), causes: [], data }
  return { ...input, seq: 1, at: 0, cluster: 'sandbox', node: 'n' }
}

it('a command that reaches something unsupported counts until its container starts again', () => {
  const commands = new UnreadCommands()
  const known = [{ id: 'limits', field: 'spec.containers[0].resources.limits', message: '' }]
  expect(commands.addedTo(known, pod)).toBe(known)
  commands.take(event('container.notSimulated'), 'a')
  expect(commands.addedTo(known, pod)).toEqual([
    ...known,
    {
      id: 'command',
      field: 'spec.containers[0].command',
      message:
        'command not understood; it runs until stopped, then exits 0; its ports are those of a known server, or assumed (what it does next only a real container knows)',
    },
  ])
  expect(commands.addedTo(known, fakePod({ uid: 'b' }))).toBe(known)
  commands.take(event('container.started'), 'a')
  expect(commands.addedTo(known, pod)).toBe(known)
})

it('ends when its container is removed, even if the worker stays, but not when another container is removed', () => {
  const commands = new UnreadCommands()
  const removed = (containerId: string): TraceEvent => ({
    kind: 'pleg.event',
    subject: podSubject(pod),
    causes: [],
    data: { type: 'ContainerRemoved', containerId },
    seq: 2,
    at: 0,
    cluster: 'sandbox',
    node: 'n',
  })
  commands.take(event('container.notSimulated'), 'a')
  commands.take(removed('0'), 'a')
  expect(commands.addedTo([], pod)).toHaveLength(1)
  commands.take(removed('1'), 'a')
  expect(commands.addedTo([], pod)).toEqual([])
})
