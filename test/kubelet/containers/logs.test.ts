import { afterEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { KubeletResponse } from '../../../src/main/kubelet/server/kubelet-request.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

const sandboxes: MemorySandbox[] = []

afterEach(() => {
  for (const sandbox of sandboxes.splice(0)) sandbox.stop()
})

/** A pod that has run for a while. */
async function running(script: string, restartPolicy = 'Never'): Promise<MemorySandbox> {
  const sandbox = new MemorySandbox({ seed: 1, startAt: 0, nodeNames: ['n1'], log: new FakeLog() })
  sandboxes.push(sandbox)
  sandbox.start()
  await sandbox.createPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', uid: '', namespace: 'default' },
    spec: {
      nodeName: 'n1',
      restartPolicy: restartPolicy as 'Never',
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', script] }],
    },
  })
  await sandbox.clock.advance(10_000)
  return sandbox
}

function ask(
  sandbox: MemorySandbox,
  query: Readonly<Record<string, string>> = {},
  path = '/containerLogs/default/p/c',
): Promise<KubeletResponse> {
  return sandbox.node().kubelet.server.handle({ method: 'GET', path, query })
}

/** The chunks that come; the second call reads on. */
function reader(answer: KubeletResponse) {
  if (answer.kind !== 'stream') throw new Error(answer.body)
  const chunks = answer.stream.chunks[Symbol.asyncIterator]()
  return { next: () => chunks.next(), stop: answer.stream.stop }
}

describe('the log of a container', () => {
  it('comes as it is written, on the virtual clock, and ends with the container', async () => {
    const sandbox = await running('sleep 100; echo one; sleep 10; echo two; sleep 5')
    const { next } = reader(await ask(sandbox, { follow: 'true' }))
    const first = next()
    await sandbox.clock.advance(95_000)
    expect(await first).toEqual({ done: false, value: 'one\n' })
    const second = next()
    await sandbox.clock.advance(10_000)
    expect(await second).toEqual({ done: false, value: 'two\n' })
    const last = next()
    await sandbox.clock.advance(10_000)
    expect(await last).toEqual({ done: true, value: undefined })
  })

  it('leaves nothing behind when its reader is gone', async () => {
    const sandbox = await running('while true; do echo x; sleep 1; done', 'Always')
    const { next, stop } = reader(await ask(sandbox, { follow: 'true', tailLines: '0' }))
    const waiting = next()
    stop()
    expect(await waiting).toEqual({ done: true, value: undefined })
    // Twice is fine.
    stop()
  })

  it('drops what a reader who is too slow has not read', async () => {
    const sandbox = await running('while true; do echo x; sleep 0.01; done', 'Always')
    const { next, stop } = reader(await ask(sandbox, { follow: 'true', tailLines: '1' }))
    expect((await next()).value).toBe('x\n')
    const waiting = next()
    await sandbox.clock.advance(100_000)
    await waiting
    const read = await next()
    expect(String(read.value).length / 2).toBeLessThanOrEqual(2000)
    stop()
  })

  it.each([
    ['/containerLogs/default/q/c', {}, 404, 'pod "q" does not exist'],
    ['/containerLogs/default/p/x', {}, 404, 'container "x" not found in pod "p"'],
    [
      '/containerLogs/default/p/c',
      { previous: 'true' },
      400,
      'previous terminated container "c" in pod "p" not found',
    ],
    [
      '/containerLogs/default/p/c',
      { tailLines: 'x' },
      400,
      '{"message": "Unable to decode query."}',
    ],
    ['/containerLogs/default/p/c', { tailLines: '-1' }, 422, '{"message": "Invalid request."}'],
    ['/containerLogs/default/p', {}, 404, '404: Page Not Found'],
    ['/nothing', {}, 404, '404 page not found\n'],
  ])('is refused: %s %j', async (path, query, status, body) => {
    const sandbox = await running('sleep 1000')
    expect(await ask(sandbox, query, path)).toMatchObject({ status, body })
  })

  it('cannot be had of a container that the runtime has removed', async () => {
    const sandbox = await running('echo x')
    const { runtime } = sandbox.node()
    const listed = await runtime.listContainers()
    const id = listed.ok ? (listed.value[0]?.id ?? '') : ''
    const removed = runtime.removeContainer(id)
    await sandbox.clock.advance(100)
    await removed
    expect(await ask(sandbox)).toMatchObject({
      status: 200,
      body: `unable to retrieve container logs for simulated://${id}`,
    })
  })
})
