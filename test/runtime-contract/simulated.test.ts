import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { aroundCalls } from '../../src/main/kubelet/around-calls.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import type { SimulatedRuntime } from '../../src/main/runtimes/simulated/simulated-runtime.ts'
import { CriServer } from '../../src/main/cri/cri-server.ts'
import { connectRuntime } from '../../src/main/cri/client/connect-runtime.ts'
import { Answers, comparable, valueOf, type RuntimePorts } from './answers.ts'
import { contractCases } from './cases.ts'
import { fullConfigs } from './configs.ts'
import { newSimulatedRuntime } from './simulated-runtime.ts'

const ends: (() => void)[] = []

afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** The runtime behind a server and a client; `received` gets the configs that arrive at the runtime. */
async function throughCri(runtime: SimulatedRuntime, received: unknown[]): Promise<RuntimePorts> {
  const folder = mkdtempSync(join(tmpdir(), 'cri-contract-'))
  const socketPath = join(folder, 'cri.sock')
  const noted = aroundCalls(runtime, (_call, make) => make())
  const receiving = new Proxy(noted, {
    get: (target, key) => {
      const property: unknown = Reflect.get(target, key)
      if (key !== 'runPodSandbox' && key !== 'createContainer') return property
      if (typeof property !== 'function') return property
      return (...given: readonly unknown[]): unknown => {
        received.push(...given.filter((one) => typeof one === 'object' && !Array.isArray(one)))
        return Reflect.apply(property, target, given)
      }
    },
  })
  const server = new CriServer({ runtime: receiving, log: new FakeLog() })
  const listening = await server.listen(socketPath)
  if (!listening.ok) throw new Error(listening.error)
  const client = await connectRuntime(socketPath)
  if (!client.ok) throw new Error(client.error)
  ends.push(() => {
    client.value.close()
    server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return client.value
}

const { sandbox, container } = fullConfigs

describe('a runtime through the CRI server and client', () => {
  it.each(Object.keys(contractCases))('answers like the runtime itself: %s', async (name) => {
    const direct = new Answers()
    const through = new Answers()
    const run = contractCases[name]
    await run?.(newSimulatedRuntime(), direct, fullConfigs)
    await run?.(await throughCri(newSimulatedRuntime(), []), through, fullConfigs)
    expect(direct.steps.length).toBeGreaterThan(1)
    expect(comparable(through.steps)).toEqual(comparable(direct.steps))
  })

  it('refuses a command that cannot be simulated', async () => {
    const client = await throughCri(newSimulatedRuntime(), [])
    const podSandboxId = valueOf(await client.runPodSandbox(sandbox))
    const id = valueOf(await client.createContainer(podSandboxId, container, sandbox))
    await client.startContainer(id)
    const answer = await client.execSync(id, ['vi', 'x'], 5)
    expect(answer).toMatchObject({ ok: false, error: { kind: 'unimplemented' } })
  })

  it('gets the configs of the kubelet, every field of them', async () => {
    const received: unknown[] = []
    const client = await throughCri(newSimulatedRuntime(), received)
    const id = valueOf(await client.runPodSandbox(sandbox))
    valueOf(await client.createContainer(id, container, sandbox))
    // Refused: there is no such container.
    const namespaceOptions = { pid: 'TARGET', ipc: 'POD', targetId: 'other' } as const
    const securityContext = { ...container.linux?.securityContext, namespaceOptions }
    const linux = { ...container.linux, securityContext }
    const targeting = { ...container, attempt: 9, linux }
    expect(await client.createContainer(id, targeting, sandbox)).toMatchObject({ ok: false })
    expect(received).toEqual([sandbox, container, sandbox, targeting, sandbox])
  })

  it('has the same times, to the millisecond', async () => {
    const runtime = newSimulatedRuntime()
    const client = await throughCri(runtime, [])
    const podSandboxId = valueOf(await client.runPodSandbox(sandbox))
    const id = valueOf(await client.createContainer(podSandboxId, container, sandbox))
    await client.startContainer(id)
    await client.stopContainer(id, 0)
    expect(await client.containerStatus(id)).toEqual(await runtime.containerStatus(id))
    expect(await client.podSandboxStatus(podSandboxId)).toEqual(
      await runtime.podSandboxStatus(podSandboxId),
    )
  })

  it('lists the same object as long as its state is the same', async () => {
    const client = await throughCri(newSimulatedRuntime(), [])
    const podSandboxId = valueOf(await client.runPodSandbox(sandbox))
    const id = valueOf(await client.createContainer(podSandboxId, container, sandbox))
    const [created] = valueOf(await client.listContainers())
    expect(valueOf(await client.listContainers())[0]).toBe(created)
    await client.startContainer(id)
    const [running] = valueOf(await client.listContainers())
    expect([created?.state, running?.state]).toEqual(['created', 'running'])
    expect(valueOf(await client.listContainers({ podUid: 'uid-1' }))[0]).toBe(running)
  })

  it('names a command that takes too long like the kubelet', async () => {
    const client = await throughCri(newSimulatedRuntime(), [])
    const podSandboxId = valueOf(await client.runPodSandbox(sandbox))
    const id = valueOf(await client.createContainer(podSandboxId, container, sandbox))
    await client.startContainer(id)
    expect(await client.execSync(id, ['sleep', '60'], 1)).toEqual({
      ok: false,
      error: {
        kind: 'deadline-exceeded',
        message: 'command timed out: "sleep 60" timed out after 1s',
      },
    })
  })
})
