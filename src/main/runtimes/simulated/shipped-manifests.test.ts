import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { pullFailure } from './pull-failure.ts'
import { FakeContainer } from './process/fake-container.ts'

const folder = new URL('../../../../manifests/', import.meta.url)

function shipped(name: string): { readonly name: string; readonly container: FakeContainer } {
  // Our own files; a field that is missing fails the expectations below.
  const pod = parse(readFileSync(new URL(name, folder), 'utf8')) as Pod
  expect(pod.spec.containers).toHaveLength(1)
  const { image = '', command = [], args = [] } = pod.spec.containers[0] ?? {}
  expect(pullFailure(image)).toBeUndefined()
  return { name: pod.metadata.name, container: new FakeContainer({ image, command, args }) }
}

// What the comments at their tops promise, SIGTERM at 100.3 s and SIGKILL 10 s later.
describe('the shipped manifests', () => {
  it.for([
    { file: 'static/web.yaml', pod: 'web', isRead: false, exitCode: 0, afterMs: 0 },
    { file: 'static/heartbeat.yaml', pod: 'heartbeat', isRead: true, exitCode: 0, afterMs: 700 },
    { file: 'pods/hello.yaml', pod: 'hello', isRead: true, exitCode: 0, afterMs: 700 },
    { file: 'pods/loud.yaml', pod: 'loud', isRead: true, exitCode: 137, afterMs: 10_000 },
  ])('$file runs $pod, which ends $exitCode', async ({ file, pod, isRead, exitCode, afterMs }) => {
    const { name, container } = shipped(file)
    expect(name).toBe(pod)
    expect(container.unreadable).toHaveLength(isRead ? 0 : 1)
    await container.seconds(100.3)
    expect(container.exit).toBeUndefined()
    container.process.terminate()
    await container.seconds(10)
    container.process.kill()
    expect(container.exit).toMatchObject({ exitCode, at: 100_300 + afterMs })
  })

  it('are all looked at here', () => {
    const files = ['static', 'pods'].flatMap((part) => readdirSync(new URL(part, folder)))
    expect(files.sort()).toEqual(['heartbeat.yaml', 'hello.yaml', 'loud.yaml', 'web.yaml'])
  })
})
