import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { pullFailure } from './pull-failure.ts'
import { FakeContainer } from './process/fake-container.ts'

interface FirstRun {
  readonly spec: {
    readonly nodes: readonly { readonly manifests: readonly { readonly text: string }[] }[]
    readonly objects: readonly Pod[]
  }
}

/** The pods of the first run: those of manifests, then those of the API. */
function shippedPods(): readonly Pod[] {
  const file = new URL('../../../../scenarios/first-run.yaml', import.meta.url)
  // Our own file; a field that is missing fails the expectations below.
  const { spec } = parse(readFileSync(file, 'utf8')) as FirstRun
  const manifests = spec.nodes.flatMap((node) => node.manifests)
  return [...manifests.map(({ text }) => parse(text) as Pod), ...spec.objects]
}

function shipped(name: string): FakeContainer {
  const pod = shippedPods().find(({ metadata }) => metadata.name === name)
  expect(pod?.spec.containers).toHaveLength(1)
  const { image = '', command = [], args = [] } = pod?.spec.containers[0] ?? {}
  expect(pullFailure(image)).toBeUndefined()
  return new FakeContainer({ image, command, args })
}

// What the comments at their tops promise, SIGTERM at 100.3 s and SIGKILL 10 s later.
describe('the pods of the first run', () => {
  it.for([
    { pod: 'web', isRead: false, exitCode: 0, afterMs: 0 },
    { pod: 'heartbeat', isRead: true, exitCode: 0, afterMs: 700 },
    { pod: 'hello', isRead: true, exitCode: 0, afterMs: 700 },
    { pod: 'loud', isRead: true, exitCode: 137, afterMs: 10_000 },
  ])('$pod ends $exitCode', async ({ pod, isRead, exitCode, afterMs }) => {
    const container = shipped(pod)
    expect(container.unreadable).toHaveLength(isRead ? 0 : 1)
    await container.seconds(100.3)
    expect(container.exit).toBeUndefined()
    container.process.terminate()
    await container.seconds(10)
    container.process.kill()
    expect(container.exit).toMatchObject({ exitCode, at: 100_300 + afterMs })
  })

  it('are all looked at here', () => {
    const names = shippedPods().map(({ metadata }) => metadata.name)
    expect(names.toSorted()).toEqual(['heartbeat', 'hello', 'loud', 'web'])
  })
})
