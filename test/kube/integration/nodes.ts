import type { Lease, Node, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { obedient, specOf } from './containers.ts'
import { eventLines, leaseFacts, nodeFacts } from './moments.ts'
import { createForeignMirror, isOwnMirror } from './static.ts'
import { isReady as isRunning, mainNode, type Scenario, type Stage } from './stage.ts'

function nodeOf(stage: Stage, name: string): Node | undefined {
  const last = stage.observer.of('nodes', { name }).at(-1)
  return last === undefined || last.type === 'DELETED' ? undefined : last.object
}

function untilNode(
  stage: Stage,
  name: string,
  what: string,
  holds: (node: Node) => boolean,
): Promise<Node> {
  return stage.observer.until(
    `node ${name} ${what}`,
    () => {
      const node = nodeOf(stage, name)
      return node !== undefined && holds(node) ? node : undefined
    },
    () => nodeOf(stage, name),
  )
}

function isReady({ status }: Node): boolean {
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true
}

/** So many writes of the lease were seen: its creation is the first. */
function untilRenewed(stage: Stage, name: string, writes: number): Promise<Lease> {
  return stage.observer.until(
    `lease ${name} is renewed`,
    () => stage.observer.of('leases', { name })[writes - 1]?.object,
    () => stage.observer.of('leases', { name }),
  )
}

/** Events of the node itself, which are in the default namespace, once the last of its start is there. */
async function nodeEvents(stage: Stage, name: string, last: string): Promise<readonly string[]> {
  const ofNode = () => stage.observer.of('events', { namespace: 'default' })
  const own = () =>
    ofNode().filter(
      ({ object: { involvedObject: about } }) => about.kind === 'Node' && about.name === name,
    )
  const isWhole = (): true | undefined =>
    own().some(({ object }) => object.reason === last) || undefined
  await stage.observer.until(`the events of node ${name}`, isWhole, own)
  return eventLines(own())
}

async function playRestart(stage: Stage): Promise<Readonly<Record<string, unknown>>> {
  const name = 'again'
  const { namespace } = stage
  const first = await stage.startAgent(name)
  const node = await untilNode(stage, name, 'is ready', isReady)
  const lease = await untilRenewed(stage, name, 1)
  // Its image is there from the start: who pulls it first would be a matter of chance.
  const spec = specOf({ ...obedient(), image: 'registry.k8s.io/pause:3.10' })
  for (const pod of ['web', 'other'])
    await first.putManifest({ metadata: { name: pod, namespace }, spec })
  await stage.create('stays', spec, name)
  await stage.create('left', spec, name)
  await stage.create('once', { ...spec, restartPolicy: 'Never' }, name)
  const before = await Promise.all(
    ['web-again', 'other-again', 'stays', 'left', 'once'].map((pod) => stage.untilRunning(pod)),
  )
  await first.untilNode('it has told all', ({ heldEvents }) => heldEvents === 0)
  await first.stop()
  const seenBefore = stage.observer.of('pods', { namespace }).length
  // Nobody is there to see any of this.
  await stage.delete('other-again', 0)
  await createForeignMirror(stage, name, 'other-again', 'of-somebody-else')
  await createForeignMirror(stage, name, 'lone-again', 'of-nobody')
  await stage.create('late', spec, name)
  await stage.delete('left')
  const second = await stage.startAgent(name)
  await stage.untilGone('lone-again')
  await stage.untilGone('left')
  await stage.untilEnded('once', 'Failed')
  const idIn = ({ status }: Pod): string => status?.containerStatuses?.[0]?.containerID ?? ''
  const isNew = (pod: Pod): boolean => before.every((one) => idIn(one) !== idIn(pod))
  const stays = await stage.until('stays', 'runs again', (pod) => isNew(pod) && isRunning(pod))
  const web = await stage.untilRunning('web-again')
  const [, otherBefore] = before
  const other = await stage.until(
    'other-again',
    'has a mirror of its own again',
    (pod) => pod.metadata.uid !== otherBefore?.metadata.uid && isOwnMirror(pod) && isRunning(pod),
  )
  await stage.untilRunning('late')
  await stage.delete('late')
  await stage.untilGone('late')
  for (const pod of ['stays', 'once']) await stage.delete(pod, 0)
  for (const pod of ['web', 'other']) {
    await second.removeManifest({ name: pod, namespace })
    await stage.untilGone(`${pod}-again`)
  }
  const nodeAfter = await untilNode(stage, name, 'is ready', isReady)
  const [leaseAfter] = stage.observer.of('leases', { name }).slice(-1)
  return {
    told: second.told
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

/** How a node comes, and what becomes of it. */
export const nodeStories: readonly Scenario[] = [
  {
    title: 'a node that is new is registered, and its lease is made and renewed',
    key: 'registered',
    phases: {},
    events: [],
    play: async (stage) => {
      const node = await untilNode(stage, mainNode, 'is ready', isReady)
      const lease = await untilRenewed(stage, mainNode, 2)
      const [created] = stage.observer.of('leases', { name: mainNode })
      return {
        told: stage.mainAgent.told.filter((line) => !line.startsWith('server ')),
        registeredAs: stage.observer
          .of('nodes', { name: mainNode })
          .slice(0, 1)
          .map(({ object }) => nodeFacts(object)),
        node: nodeFacts(node),
        events: await nodeEvents(stage, mainNode, 'NodeHasSufficientPID'),
        lease: leaseFacts(lease, node),
        isSameLease: created?.object.metadata.uid === lease.metadata.uid,
        hasMoved: created?.object.spec?.renewTime !== lease.spec?.renewTime,
      }
    },
  },
  {
    title:
      'a node that is there already is taken over: labels are put right, taints and foreign labels stay',
    key: 'taken-over',
    node: 'taken',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Pulling', 'Started'],
    play: async (stage) => {
      const name = 'taken'
      const before = await stage.admin.ask('POST', '/api/v1/nodes', {
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
      const agent = await stage.startAgent(name)
      const node = await untilNode(stage, name, 'is ready', isReady)
      await stage.create('web', specOf(obedient()), name)
      await stage.untilRunning('web')
      await stage.delete('web', 0)
      await stage.untilGone('web')
      return {
        told: agent.told.filter((line) => !line.startsWith('server ')),
        isSame: JSON.stringify(before).includes(node.metadata.uid),
        node: nodeFacts(node),
        events: await nodeEvents(stage, name, 'NodeReady'),
        lease: leaseFacts(await untilRenewed(stage, name, 1), node),
      }
    },
  },
  {
    title: 'a node that is deleted while its agent runs stays gone, and its lease is renewed',
    key: 'node-deleted',
    node: 'gone',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Pulling', 'Started'],
    play: async (stage) => {
      const name = 'gone'
      const agent = await stage.startAgent(name)
      await untilNode(stage, name, 'is ready', isReady)
      await stage.create('web', specOf(obedient()), name)
      await stage.untilRunning('web')
      // Without a Node to own it there would be no lease at all.
      await untilRenewed(stage, name, 1)
      const renewals = stage.observer.of('leases', { name }).length
      await stage.admin.ask('DELETE', `/api/v1/nodes/${name}`)
      await agent.untilNode('it misses its Node', ({ status }) => status === 'Deleted')
      await untilRenewed(stage, name, renewals + 1)
      await stage.delete('web')
      await stage.untilGone('web')
      const seen = stage.observer.of('nodes', { name }).map(({ type }) => type)
      return { seen: seen.filter((type) => type !== 'MODIFIED') }
    },
  },
  {
    title:
      'an agent that is started again keeps its node, its mirrors and its pods; its containers are new',
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
    play: playRestart,
  },
  {
    title:
      'an agent that is told to says that it exits: not ready, and cordoned, which the next one leaves',
    key: 'exit',
    node: 'leaver',
    phases: {},
    events: [],
    play: async (stage) => {
      const name = 'leaver'
      // As patient as all else here: whoever really leaves waits three seconds.
      const exit = { agentExitCondition: true, deleteNode: false, limitMs: 60_000 }
      const agent = await stage.startAgent(name, exit)
      await untilNode(stage, name, 'is ready', isReady)
      await agent.stop()
      const left = await untilNode(
        stage,
        name,
        'is cordoned',
        ({ spec }) => spec?.unschedulable === true,
      )
      await stage.startAgent(name)
      const again = await untilNode(stage, name, 'is ready', isReady)
      return { left: nodeFacts(left), isStillCordoned: again.spec?.unschedulable }
    },
  },
]
