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

/** The recorded events, and the names that were asked for. */
function watched(failures: Record<string, ApiErrorKind>) {
  const recorder = new FakeEventRecorder()
  const asked: string[] = []
  let now = 0
  const get: ApiClient['get'] = ({ name }) => {
    asked.push(name)
    const kind = failures[name]
    // No kind has more than metadata for what asks here.
    return Promise.resolve(
      kind === undefined
        ? ok({ metadata: { name, uid: 's' } } as never)
        : err({ kind, message: kind }),
    )
  }
  const secrets = new PullSecrets({ api: { get }, recorder, clock: { now: () => now } })
  const check = async (of = pod): Promise<readonly string[]> => {
    asked.length = 0
    await secrets.check(of, [])
    return [...asked]
  }
  const pass = (ms: number): void => {
    now += ms
  }
  return { recorder, secrets, check, pass }
}

function missing(...names: readonly string[]): string {
  return `Warning FailedToRetrieveImagePullSecret Unable to retrieve some image pull secrets (${names.join(', ')}); attempting to pull the image may not succeed.`
}

describe('pull secrets', () => {
  it('that are missing or forbidden are named in one event, in the order of the spec', async () => {
    const { recorder, check } = watched({ gone: 'not-found', kept: 'forbidden' })
    await check()
    expect(recorder.lines).toEqual([missing('gone', 'kept')])
  })

  it('that are there are kept for a minute; those that are missing are asked for at each sync', async () => {
    const { check, pass } = watched({ gone: 'not-found' })
    expect(await check()).toEqual(['there', 'gone', 'kept'])
    pass(59_999)
    expect(await check()).toEqual(['gone'])
    pass(1)
    expect(await check()).toEqual(['there', 'gone', 'kept'])
  })

  it('are asked for again when another pod comes with them, and forgotten with the last pod', async () => {
    const { check, secrets } = watched({})
    const other = fakePod({ metadata: { uid: 'other' }, spec: pod.spec })
    await check()
    expect(await check(other)).toEqual(['there', 'gone', 'kept'])
    secrets.unregister('other')
    expect(await check()).toEqual([])
    secrets.unregister(pod.metadata.uid)
    expect(await check()).toEqual(['there', 'gone', 'kept'])
  })

  it('that were found are not missed while the server does not answer; those never found are', async () => {
    const failures: Record<string, ApiErrorKind> = { gone: 'unavailable' }
    const { recorder, check, pass } = watched(failures)
    await check()
    pass(60_000)
    failures['there'] = 'timeout'
    await check()
    expect(recorder.lines).toEqual([missing('gone'), missing('gone')])
    failures['there'] = 'not-found'
    await check()
    expect(recorder.lines.at(-1)).toBe(missing('there', 'gone'))
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
