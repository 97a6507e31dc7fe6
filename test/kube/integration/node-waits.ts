import type { Lease, Node } from '../../../src/shared/kubernetes/objects.ts'
import { eventLines } from './observations.ts'
import type { ScenarioRun } from './scenario-run.ts'

function nodeOf(run: ScenarioRun, name: string): Node | undefined {
  const last = run.observer.of('nodes', { name }).at(-1)
  return last === undefined || last.type === 'DELETED' ? undefined : last.object
}

/** Waits for a version of a Node. */
export function untilNode(
  run: ScenarioRun,
  name: string,
  what: string,
  holds: (node: Node) => boolean,
): Promise<Node> {
  return run.observer.until(
    `node ${name} ${what}`,
    () => {
      const node = nodeOf(run, name)
      return node !== undefined && holds(node) ? node : undefined
    },
    () => nodeOf(run, name),
  )
}

export function isNodeReady({ status }: Node): boolean {
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true
}

/** Waits for this number of writes of the lease; the first one is its creation. */
export function untilRenewed(run: ScenarioRun, name: string, writes: number): Promise<Lease> {
  return run.observer.until(
    `lease ${name} is renewed`,
    () => run.observer.of('leases', { name })[writes - 1]?.object,
    () => run.observer.of('leases', { name }),
  )
}

/**
 * The kubelet's events of a node, which are in the default namespace, once the last one of its start has arrived. The node lifecycle
 * controller, which only the sandbox has here, tells of a node some seconds later.
 */
export async function nodeEvents(
  run: ScenarioRun,
  name: string,
  last: string,
): Promise<readonly string[]> {
  const ofNode = () => run.observer.of('events', { namespace: 'default' })
  const own = () =>
    ofNode().filter(
      ({ object: { involvedObject: about, reason } }) =>
        about.kind === 'Node' && about.name === name && reason !== 'RegisteredNode',
    )
  const isWhole = (): true | undefined =>
    own().some(({ object }) => object.reason === last) || undefined
  await run.observer.until(`the events of node ${name}`, isWhole, own)
  return eventLines(own())
}
