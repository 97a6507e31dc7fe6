import { setTimeout as sleep } from 'node:timers/promises'
import type { Node } from '../../../src/shared/kubernetes/objects.ts'
import { exitsAfter, handlesSigterm, specOf } from './containers.ts'
import { isNodeReady, nodeEvents, untilNode, untilRenewed } from './node-waits.ts'
import { startAgain, startOwnNode } from './own-node.ts'
import type { Scenario, ScenarioRun } from './scenario-run.ts'
import { manifestOf } from './static.ts'

const startedAndKilled = ['Created', 'Killing', 'Pulled', 'Started'] as const

function readyWords({ status, spec }: Node): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const taints = (spec?.taints ?? []).map(({ key }) => key).filter((key) => !key.includes('.dev/'))
  return [ready?.status, ready?.reason, ready?.message, ...taints].join(' ')
}

/** What the Node's Ready condition said since it had this number of changes. */
function readiness(run: ScenarioRun, from: number): readonly string[] {
  const said = run.observer
    .of('nodes', { name: run.node })
    .slice(from - 1)
    .map(({ type, object }) => (type === 'DELETED' ? 'deleted' : readyWords(object)))
  return said.filter((words, at) => words !== said[at - 1])
}

/** A Node, an API server, or a container runtime that is away for a while. */
export const outages: readonly Scenario[] = [
  {
    title: 'the Node is deleted while its kubelet runs, and comes back with the next start only',
    key: 'node-deleted',
    node: 'node-deleted',
    phases: {
      web: ['Pending', 'Running', 'Succeeded', 'gone'],
      late: ['Pending', 'Running', 'Succeeded', 'gone'],
    },
    events: startedAndKilled,
    steps: async (run) => {
      const kubelet = await startOwnNode(run)
      await run.create('web', specOf(handlesSigterm()))
      await run.untilRunning('web')
      const changes = run.observer.of('nodes', { name: run.node }).length
      const renewals = run.observer.of('leases', { name: run.node }).length
      await run.admin.ask('DELETE', `/api/v1/nodes/${run.node}`)
      await run.create('late', specOf(handlesSigterm()))
      await run.untilRunning('late')
      await untilRenewed(run, run.node, renewals + 2)
      await run.delete('late')
      await run.untilGone('late')
      const isBack = run.observer.of('nodes', { name: run.node }).at(-1)?.type !== 'DELETED'
      await kubelet.untilEventsSent()
      await kubelet.stopKubelet('SIGTERM')
      await startAgain(run, kubelet)
      await untilNode(run, run.node, 'is ready', isNodeReady)
      await run.delete('web')
      await run.untilGone('web')
      return { isBack, said: readiness(run, changes).at(-1) }
    },
  },
  {
    title: 'the API server is away for a minute while pods run, end, are added and are deleted',
    key: 'api-away',
    node: 'api-away',
    phases: {
      'added-api-away': ['Pending', 'Running', 'gone'],
      deleted: ['Pending', 'Running', 'Succeeded', 'gone'],
      ends: ['Pending', 'Running', 'Succeeded', 'gone'],
      late: ['Pending', 'Running', 'Succeeded', 'gone'],
      web: ['Pending', 'Running', 'Succeeded', 'gone'],
    },
    events: startedAndKilled,
    steps: async (run) => {
      const added = `added-${run.node}`
      const kubelet = await startOwnNode(run, { isGated: true })
      await run.create('web', specOf(handlesSigterm()))
      await run.create('deleted', specOf(handlesSigterm()))
      await run.create('ends', specOf(exitsAfter(0), { restartPolicy: 'Never' }))
      for (const name of ['web', 'deleted', 'ends']) await run.untilRunning(name)
      await kubelet.untilEventsSent()
      const changes = run.observer.of('nodes', { name: run.node }).length
      await run.gate.close()
      await kubelet.putManifest(manifestOf(run, 'added', specOf(handlesSigterm())))
      await run.create('late', specOf(handlesSigterm()))
      await run.delete('deleted')
      await sleep(60_000)
      await run.gate.open()
      await run.untilEnded('ends', 'Succeeded')
      await run.untilGone('deleted')
      await run.untilRunning(added)
      await run.untilRunning('late')
      for (const name of ['web', 'ends', 'late']) await run.delete(name)
      for (const name of ['web', 'ends', 'late']) await run.untilGone(name)
      await kubelet.removeManifest({ name: 'added', namespace: run.namespace })
      await run.untilGone(added)
      return { said: readiness(run, changes) }
    },
  },
  {
    title: 'the container runtime is away until the Node is not ready',
    key: 'runtime-away',
    node: 'runtime-away',
    phases: {
      ends: ['Pending', 'Running', 'Succeeded', 'gone'],
      late: ['Pending', 'Running', 'Succeeded', 'gone'],
      web: ['Pending', 'Running', 'Succeeded', 'gone'],
    },
    events: startedAndKilled,
    steps: async (run) => {
      const kubelet = await startOwnNode(run)
      await run.create('web', specOf(handlesSigterm()))
      await run.create('ends', specOf(exitsAfter(0, { seconds: 20 }), { restartPolicy: 'Never' }))
      const before = await run.untilRunning('web')
      await run.untilRunning('ends')
      const changes = run.observer.of('nodes', { name: run.node }).length
      kubelet.machine?.stop()
      await untilNode(run, run.node, 'is not ready', (node) => !isNodeReady(node))
      // Until then the sync loop may still take what comes.
      await sleep(2000)
      await run.create('late', specOf(handlesSigterm()))
      await sleep(3000)
      const isUnseen = run.pod('late')?.status?.containerStatuses === undefined
      await kubelet.machine?.serve()
      await untilNode(run, run.node, 'is ready again', isNodeReady)
      await run.untilEnded('ends', 'Succeeded')
      await run.untilRunning('late')
      const after = run.pod('web')?.status?.containerStatuses?.[0]
      const isUntouched = after?.containerID === before.status?.containerStatuses?.[0]?.containerID
      for (const name of ['web', 'ends', 'late']) await run.delete(name)
      for (const name of ['web', 'ends', 'late']) await run.untilGone(name)
      const told = await nodeEvents(run, run.node, 'NodeNotReady')
      return {
        isUntouched,
        isUnseen,
        said: readiness(run, changes),
        told: told.filter((line) => line.includes('NodeNotReady')),
      }
    },
  },
]
