import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveCri } from '../../src/main/cri/serve-cri.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { AgentUnderTest } from './integration/agent.ts'
import { startSandboxApiServer } from './integration/api-servers.ts'
import type { ClusterUnderTest } from './integration/cluster-under-test.ts'
import { specOf } from './integration/containers.ts'
import { runTogether, runtimeScenarios, startOnRuntime } from './integration/runtime-cluster.ts'
import { mainNode, ScenarioRun, type Outcome, type Scenario } from './integration/scenario-run.ts'

// The program with `--runtime`: its pods run on the simulated runtime behind `--serve-cri`, through the CRI client.

let cluster: ClusterUnderTest
let socketPath = ''
let stopRuntime = (): void => undefined
let outcomes: ReadonlyMap<Scenario, Outcome | Error>

async function startRuntime(): Promise<void> {
  const served = await serveCri({ socketPath, seed: 1, log: new FakeLog() })
  if (!served.ok) throw new Error(served.error)
  stopRuntime = served.value.stop
}

beforeAll(async () => {
  const server = await startSandboxApiServer([mainNode])
  socketPath = join(server.folder, 'cri.sock')
  await startRuntime()
  cluster = await startOnRuntime(server, socketPath)
  outcomes = await runTogether(cluster, runtimeScenarios)
}, 240_000)

afterAll(async () => {
  await cluster.stop()
  stopRuntime()
}, 60_000)

describe('the program on a container runtime', () => {
  it('names the runtime before it joins', () => {
    const agent = cluster.kubelet(mainNode)
    if (!(agent instanceof AgentUnderTest)) throw new Error('not the program')
    expect(agent.printed[0]).toBe(`container runtime simulated 0.1.0 at unix://${socketPath}`)
  })

  it('does not start without its runtime, and prints nothing', async () => {
    const { server } = cluster
    const kubeconfig = server.nodeKubeconfigs.get(mainNode) ?? ''
    const folder = join(server.folder, 'refused')
    const options = { kubeconfig, caFile: server.caFile, node: mainNode, folder }
    const runtimeSocketPath = join(folder, 'none.sock')
    await expect(AgentUnderTest.start({ ...options, runtimeSocketPath })).rejects.toThrow(
      `There is no socket ${runtimeSocketPath}: start the container runtime, or correct the path. (printed: )`,
    )
  })

  it.each([...runtimeScenarios])('$title', (scenario) => {
    const outcome = outcomes.get(scenario)
    if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error('not run')
    expect.soft(outcome.phases, JSON.stringify(outcome.phases)).toEqual(scenario.phases)
    expect.soft(outcome.reasons).toEqual(scenario.events)
  })

  it('has the logs of its containers in the folder of the pod', async () => {
    await cluster.admin.makeNamespace('logs')
    const run = new ScenarioRun(cluster, 'logs')
    const pod = await run.create(
      'says',
      specOf({ name: 'c', image: 'busybox', command: ['sh', '-c', 'echo hello; sleep 3600'] }),
    )
    await run.untilRunning('says')
    const folder = join(cluster.server.folder, mainNode, 'pod-logs')
    const name = `logs_says_${pod.metadata.uid}`
    expect(await readdir(folder)).toContain(name)
    const log = await readFile(join(folder, name, 'c', '0.log'), 'utf8')
    expect(log).toMatch(/^\S+Z stdout F hello\n$/)
  })

  it('is not ready while the runtime is away, and is ready again when it is back', async () => {
    const ready = async (): Promise<string> => {
      const node = await cluster.admin.api.get({ resource: 'nodes', name: mainNode })
      const conditions = node.ok ? (node.value.status?.conditions ?? []) : []
      const found = conditions.find(({ type }) => type === 'Ready')
      return `${found?.status} ${found?.message}`
    }
    stopRuntime()
    await expect
      .poll(ready, { timeout: 90_000, interval: 500 })
      .toMatch(/^False .*container runtime is down/)
    await startRuntime()
    await expect.poll(ready, { timeout: 60_000, interval: 500 }).toMatch(/^True /)
  }, 180_000)
})
