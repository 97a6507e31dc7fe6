import { describe, expect, it } from 'vitest'
import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { FakeTransport } from '../../cluster/transport/fake-transport.ts'
import { readLogOf } from '../seen/pod-streams.ts'
import { podLogs } from './pod-logs.ts'

const pod: Pod = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: { containers: [{ name: 'c' }] },
}
const status: PodStatus = {
  containerStatuses: [
    {
      name: 'c',
      image: '',
      imageID: '',
      ready: true,
      restartCount: 1,
      containerID: 'containerd://new',
      state: { running: { startedAt: '2026-11-24T14:02:00Z' } },
      lastState: { terminated: { exitCode: 1, containerID: 'containerd://old' } },
    },
  ],
}
const query = { container: 'c', previous: true, sinceSeconds: null, after: null }
const line = '2026-11-24T14:02:01.5Z ready\n'
const sentence = 'unable to retrieve container logs for containerd://old'

function answering(...bodies: readonly string[]) {
  const server = new FakeTransport().script(
    ...bodies.map(
      (body) => ({ kind: 'text', status: 200, body, contentType: 'text/plain' }) as const,
    ),
  )
  return readLogOf(server)
}

describe('the log of a container', () => {
  it('is an error if the kubelet answers 200 with a sentence, as for a run that the runtime has removed', async () => {
    const logs = await podLogs(answering(sentence), { pod, status }, query)
    expect(logs).toEqual({ parts: [], error: sentence })
  })

  it('may be empty, and begins with a time otherwise', async () => {
    for (const text of ['', line])
      expect(await podLogs(answering(text), { pod, status }, query)).toEqual({
        parts: [{ containerId: 'containerd://old', text }],
        error: '',
      })
  })

  it('of a follower goes on with the new run if the rest of the one before is gone', async () => {
    const after = { containerId: 'containerd://old', at: 0 }
    const logs = await podLogs(
      answering(sentence, line),
      { pod, status },
      { ...query, previous: false, after },
    )
    expect(logs).toEqual({ parts: [{ containerId: 'containerd://new', text: line }], error: '' })
  })
})
