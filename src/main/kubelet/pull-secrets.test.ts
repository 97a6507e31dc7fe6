import { describe, expect, it } from 'vitest'
import { err, ok } from '../../shared/result.ts'
import { FakeEventRecorder } from './container/fake-event-recorder.ts'
import { FakeCluster } from './fake-cluster.ts'
import { fakePod } from './pod/fake-pod.ts'
import type { ApiClient, ApiErrorKind } from './ports.ts'
import { PullSecrets } from './pull-secrets.ts'

const pod = fakePod({
  spec: { imagePullSecrets: [{ name: 'there' }, { name: 'gone' }, { name: '' }, { name: 'kept' }] },
})

async function told(failures: Readonly<Record<string, ApiErrorKind>>): Promise<readonly string[]> {
  const recorder = new FakeEventRecorder()
  const get: ApiClient['get'] = ({ name }) => {
    const kind = failures[name]
    // No kind has more than metadata for what asks here.
    return Promise.resolve(
      kind === undefined
        ? ok({ metadata: { name, uid: 's' } } as never)
        : err({ kind, message: kind }),
    )
  }
  await new PullSecrets({ api: { get }, recorder }).check(pod, [])
  return recorder.lines
}

describe('pull secrets', () => {
  it('that are missing or forbidden are named in one event, in the order of the spec', async () => {
    expect(await told({ gone: 'not-found', kept: 'forbidden' })).toEqual([
      'Warning FailedToRetrieveImagePullSecret Unable to retrieve some image pull secrets (gone, kept); attempting to pull the image may not succeed.',
    ])
  })

  it('that are there, or of which the server does not answer, are not mentioned', async () => {
    expect(await told({ gone: 'unavailable', kept: 'timeout' })).toEqual([])
  })

  it('of a pod are looked for at each sync, and do not keep it from running', async () => {
    const cluster = new FakeCluster()
    await cluster.start()
    cluster.mark()
    await cluster.create(
      fakePod({
        spec: { containers: [{ name: 'c', image: 'i' }], imagePullSecrets: [{ name: 'registry' }] },
      }),
    )
    await cluster.clock.advance(5000)
    expect(cluster.container('c').state).toBe('running')
    expect(cluster.events().filter((line) => line.startsWith('FailedToRetrieve'))).toEqual([
      'FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (registry); attempting to pull the image may not succeed.',
    ])
  })
})
