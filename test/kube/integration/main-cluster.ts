import type { ApiServerUnderTest } from './api-servers.ts'
import { ClusterUnderTest } from './cluster-under-test.ts'
import { handlesSigterm, specOf } from './containers.ts'
import type { NodeOptions, NodeUnderTest } from './node-under-test.ts'
import { mainNode, ScenarioRun } from './scenario-run.ts'

/** A server with its main node, which is Ready and has its first image, and the node's address. */
export async function startMainCluster(
  server: ApiServerUnderTest,
  start: (options: NodeOptions) => Promise<NodeUnderTest>,
): Promise<{ readonly cluster: ClusterUnderTest; readonly address: string }> {
  const cluster = await ClusterUnderTest.start(server, start)
  await cluster.startKubelet(mainNode)
  await cluster.admin.makeNamespace('first')
  const first = new ScenarioRun(cluster, 'first')
  await first.create('pulls-the-image', specOf(handlesSigterm()))
  const { status } = await first.untilRunning('pulls-the-image')
  return { cluster, address: status?.hostIP ?? 'no address' }
}
