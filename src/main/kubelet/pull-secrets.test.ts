import { expect, it } from 'vitest'
import { err, ok } from '../../shared/result.ts'
import { FakeEventRecorder } from './container/fake-event-recorder.ts'
import { FakeCluster } from './fake-cluster.ts'
import { fakePod } from './pod/fake-pod.ts'
import { checkPullSecrets } from './pull-secrets.ts'

function missing(...names: readonly string[]): string {
  return `Warning FailedToRetrieveImagePullSecret Unable to retrieve some image pull secrets (${names.join(', ')}); attempting to pull the image may not succeed.`
}

it('names the pull secrets that cannot be read in one event, in the order of the spec', async () => {
  const recorder = new FakeEventRecorder()
  const asked: string[] = []
  const getSecret = (namespace: string, name: string) => {
    asked.push(`${namespace}/${name}`)
    return Promise.resolve(
      name === 'there'
        ? ok({ metadata: { name, uid: 's' } })
        : err({ kind: 'not-found' as const, message: name }),
    )
  }
  const imagePullSecrets = ['there', 'gone', '', 'kept'].map((name) => ({ name }))
  const pod = fakePod({ spec: { imagePullSecrets } })
  await checkPullSecrets(pod, { secretManager: { getSecret }, recorder }, [])
  expect(asked).toEqual(['default/there', 'default/gone', 'default/kept'])
  expect(recorder.lines).toEqual([missing('gone', 'kept')])
})

it('a pod without its pull secret runs, and is told of it until the secret exists', async () => {
  const cluster = new FakeCluster()
  await cluster.start()
  cluster.mark()
  const spec = {
    containers: [{ name: 'c', image: 'i' }],
    imagePullSecrets: [{ name: 'registry' }],
  }
  await cluster.create(fakePod({ spec }))
  await cluster.clock.advance(5000)
  expect(cluster.container('c').state).toBe('running')
  const failures = (): number =>
    cluster.events().filter((line) => line.startsWith('FailedToRetrieveImagePullSecret')).length
  expect(failures()).toBe(1)
  const secret = { metadata: { name: 'registry', namespace: 'default', uid: '' } }
  void cluster.api.create({ resource: 'secrets', namespace: 'default' }, secret)
  cluster.mark()
  await cluster.clock.advance(200_000)
  expect(failures()).toBe(0)
})
