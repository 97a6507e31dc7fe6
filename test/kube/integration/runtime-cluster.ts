import type { ClusterUnderTest } from './cluster-under-test.ts'
import { AgentUnderTest } from './agent.ts'
import type { ApiServerUnderTest } from './api-servers.ts'
import { inLanes } from './in-lanes.ts'
import { startMainCluster } from './main-cluster.ts'
import { ordinary } from './ordinary.ts'
import type { Outcome, Scenario } from './scenario-run.ts'
import { staticPods } from './static.ts'

/** What the program's own node can be asked for, on whatever runtime. */
export const runtimeScenarios: readonly Scenario[] = [...ordinary, ...staticPods].filter(
  ({ node }) => node === undefined,
)

/**
 * Events that say nothing of the runtime: the address of the cluster's DNS is not known, which a kubelet tells of each pod,
 * and among so many pods at once a kill by hand can take longer than the ten seconds that it has.
 */
const notOfRuntime: readonly string[] = ['MissingClusterDNS', 'ExceededGracePeriod']

/** The program with `--runtime` as the main node of a server, which has its first image. */
export async function startOnRuntime(
  server: ApiServerUnderTest,
  runtimeSocketPath: string,
): Promise<ClusterUnderTest> {
  const { cluster } = await startMainCluster(server, (options) =>
    AgentUnderTest.start({ ...options, runtimeSocketPath }),
  )
  return cluster
}

/**
 * Runs scenarios at the same time, because they mostly wait: no more than so many, because starting a real container
 * keeps a processor busy. An error is that of the scenario.
 */
export async function runTogether(
  cluster: ClusterUnderTest,
  scenarios: readonly Scenario[],
  atOnce = scenarios.length,
): Promise<ReadonlyMap<Scenario, Outcome | Error>> {
  const outcomes = new Map<Scenario, Outcome | Error>()
  const attempt = async (scenario: Scenario): Promise<Outcome | Error> => {
    try {
      const outcome = await cluster.runScenario(scenario)
      return {
        ...outcome,
        reasons: outcome.reasons.filter((reason) => !notOfRuntime.includes(reason)),
      }
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
  await inLanes(atOnce, scenarios, async (scenario) => {
    outcomes.set(scenario, await attempt(scenario))
  })
  return outcomes
}
