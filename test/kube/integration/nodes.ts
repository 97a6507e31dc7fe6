import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { handlesSigterm, specOf } from './containers.ts'
import { isNodeReady, nodeEvents, untilNode, untilRenewed } from './node-waits.ts'
import { leaseFacts, nodeFacts } from './observations.ts'
import { createForeignMirror, isOwnMirror } from './static.ts'
import { isReady as isRunning, mainNode, type Scenario, type ScenarioRun } from './scenario-run.ts'

async function restartAgent(run: ScenarioRun): Promise<Readonly<Record<string, unknown>>> {
  const name = 'again'
  const { namespace } = run
  const first = await run.startAgent(name)
  const node = await untilNode(run, name, 'is ready', isNodeReady)
  const lease = await untilRenewed(run, name, 1)
  // An image that is already present: otherwise any of the pods could pull it first.
  const spec = specOf({ name: 'c', image: 'registry.k8s.io/pause:3.10' })
  for (const pod of ['web', 'other'])
    await first.putManifest({ metadata: { name: pod, namespace }, spec })
  await run.create('stays', spec, name)
  await run.create('left', spec, name)
  await run.create('once', { ...spec, restartPolicy: 'Never' }, name)
  const before = await Promise.all(
    ['web-again', 'other-again', 'stays', 'left', 'once'].map((pod) => run.untilRunning(pod)),
  )
  await first.untilNode('it has sent all events', ({ heldEvents }) => heldEvents === 0)
  await first.stop()
  const seenBefore = run.observer.of('pods', { namespace }).length
  // No kubelet runs now.
  await run.delete('other-again', 0)
  await createForeignMirror(run, name, 'other-again', 'of-somebody-else')
  await createForeignMirror(run, name, 'lone-again', 'of-nobody')
  await run.create('late', spec, name)
  await run.delete('left')
  const second = await run.startAgent(name)
  await run.untilGone('lone-again')
  await run.untilGone('left')
  await run.untilEnded('once', 'Failed')
  const idIn = ({ status }: Pod): string => status?.containerStatuses?.[0]?.containerID ?? ''
  const isNew = (pod: Pod): boolean => before.every((one) => idIn(one) !== idIn(pod))
  const stays = await run.until('stays', 'runs again', (pod) => isNew(pod) && isRunning(pod))
  const web = await run.untilRunning('web-again')
  const [, otherBefore] = before
  const other = await run.until(
    'other-again',
    'has a mirror of its own again',
    (pod) => pod.metadata.uid !== otherBefore?.metadata.uid && isOwnMirror(pod) && isRunning(pod),
  )
  await run.untilRunning('late')
  await run.delete('late')
  await run.untilGone('late')
  for (const pod of ['stays', 'once']) await run.delete(pod, 0)
  for (const pod of ['web', 'other']) {
    await second.removeManifest({ name: pod, namespace })
    await run.untilGone(`${pod}-again`)
  }
  const nodeAfter = await untilNode(run, name, 'is ready', isNodeReady)
  const [leaseAfter] = run.observer.of('leases', { name }).slice(-1)
  return {
    printed: second.printed
      .filter((line) => !line.startsWith('server '))
      .map((line) => line.replaceAll(/\d{4}-\S+Z/g, 'a time')),
    seenBefore: seenBefore > 0,
    isSameNode: nodeAfter.metadata.uid === node.metadata.uid,
    isSameLease: leaseAfter?.object.metadata.uid === lease.metadata.uid,
    isSameMirror: web.metadata.uid === before[0]?.metadata.uid,
    isSamePod: stays.metadata.uid === before[2]?.metadata.uid,
    hasHash: isOwnMirror(other),
  }
}

/** Registration, restart, deletion and exit of nodes. */
export const nodeScenarios: readonly Scenario[] = [
  {
    title: 'a new node is registered, and its lease is created and renewed',
    key: 'registered',
    phases: {},
    events: [],
    steps: async (run) => {
      const node = await untilNode(run, mainNode, 'is ready', isNodeReady)
      const lease = await untilRenewed(run, mainNode, 2)
      const [created] = run.observer.of('leases', { name: mainNode })
      return {
        printed: run.mainAgent.printed.filter((line) => !line.startsWith('server ')),
        registeredAs: run.observer
          .of('nodes', { name: mainNode })
          .slice(0, 1)
          .map(({ object }) => nodeFacts(object)),
        node: nodeFacts(node),
        events: await nodeEvents(run, mainNode, 'NodeHasSufficientPID'),
        lease: leaseFacts(lease, node),
        isSameLease: created?.object.metadata.uid === lease.metadata.uid,
        hasMoved: created?.object.spec?.renewTime !== lease.spec?.renewTime,
      }
    },
  },
  {
    title: 'an existing node is reused: labels are corrected, taints and foreign labels stay',
    key: 'taken-over',
    node: 'taken',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Pulling', 'Started'],
    steps: async (run) => {
      const name = 'taken'
      const before = await run.admin.ask('POST', '/api/v1/nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: {
          name,
          labels: { mine: 'yes', 'kubernetes.io/os': 'plan9' },
          annotations: { theirs: 'kept' },
        },
        spec: { taints: [{ key: 'own', value: 'yes', effect: 'NoSchedule' }] },
        status: {
          capacity: { cpu: '1', 'example.com/gpu': '2' },
          conditions: [
            { type: 'Ready', status: 'Unknown' },
            { type: 'Foreign', status: 'True' },
          ],
        },
      })
      const agent = await run.startAgent(name)
      const node = await untilNode(run, name, 'is ready', isNodeReady)
      await run.create('web', specOf(handlesSigterm()), name)
      await run.untilRunning('web')
      await run.delete('web', 0)
      await run.untilGone('web')
      return {
        printed: agent.printed.filter((line) => !line.startsWith('server ')),
        isSame: JSON.stringify(before).includes(node.metadata.uid),
        node: nodeFacts(node),
        events: await nodeEvents(run, name, 'NodeReady'),
        lease: leaseFacts(await untilRenewed(run, name, 1), node),
      }
    },
  },
  {
    title: 'a Node deleted while its kubelet runs is not recreated, and its lease is renewed',
    key: 'node-deleted',
    node: 'gone',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Pulling', 'Started'],
    steps: async (run) => {
      const name = 'gone'
      const agent = await run.startAgent(name)
      await untilNode(run, name, 'is ready', isNodeReady)
      await run.create('web', specOf(handlesSigterm()), name)
      await run.untilRunning('web')
      // Without a Node to own it there would be no lease at all.
      await untilRenewed(run, name, 1)
      const renewals = run.observer.of('leases', { name }).length
      await run.admin.ask('DELETE', `/api/v1/nodes/${name}`)
      await agent.untilNode('it misses its Node', ({ status }) => status === 'Deleted')
      await untilRenewed(run, name, renewals + 1)
      await run.delete('web')
      await run.untilGone('web')
      const seen = run.observer.of('nodes', { name }).map(({ type }) => type)
      return { seen: seen.filter((type) => type !== 'MODIFIED') }
    },
  },
  {
    title:
      'a restarted kubelet keeps its Node, its mirrors and its pods, and creates new containers',
    key: 'again',
    node: 'again',
    phases: {
      'lone-again': ['gone'],
      'other-again': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'],
      'web-again': ['Pending', 'Running', 'gone'],
      late: ['Pending', 'Running', 'Succeeded', 'gone'],
      left: ['Pending', 'Running', 'Failed', 'gone'],
      once: ['Pending', 'Running', 'Failed', 'gone'],
      stays: ['Pending', 'Running', 'gone'],
    },
    events: ['Created', 'Killing', 'Pulled', 'Started'],
    steps: restartAgent,
  },
  {
    title:
      'with the exit condition the Node becomes NotReady and cordoned, and the next kubelet keeps it cordoned',
    key: 'exit',
    node: 'leaver',
    phases: {},
    events: [],
    steps: async (run) => {
      const name = 'leaver'
      // A longer limit than the program's three seconds, for busy machines.
      const exit = { agentExitCondition: true, deleteNode: false, limitMs: 60_000 }
      const agent = await run.startAgent(name, exit)
      await untilNode(run, name, 'is ready', isNodeReady)
      await agent.stop()
      const left = await untilNode(
        run,
        name,
        'is cordoned',
        ({ spec }) => spec?.unschedulable === true,
      )
      await run.startAgent(name)
      const again = await untilNode(run, name, 'is ready', isNodeReady)
      return { left: nodeFacts(left), isStillCordoned: again.spec?.unschedulable }
    },
  },
]
