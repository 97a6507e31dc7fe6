import { isJsonObject, listAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { toMicroTime } from '../../../shared/kubernetes/timestamps.ts'
import type { KubeRequest } from '../../../shared/kubernetes/request.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { startControlPlane } from '../control-plane.ts'
import type { ControlPlane, ControlPlaneDeps } from '../control-plane.ts'
import { leases, nodeCaller, nodes, serverUnderTest, silentLog } from '../fake-client.ts'
import type { FakeClient, ServerUnderTest } from '../fake-client.ts'

/** A server with its control plane, for tests of what the control plane does. */
export interface ClusterUnderTest extends ServerUnderTest, Pick<ControlPlane, 'verdicts'> {
  readonly stop: () => void
  /** Lets everything that was just set off come to rest. */
  readonly settle: () => Promise<void>
}

/** `refuse`: what the control plane asks for and the server answers with 500. */
export async function clusterUnderTest(
  seed = 1,
  refuse: (request: KubeRequest) => boolean = () => false,
  authority?: ControlPlaneDeps['authority'],
): Promise<ClusterUnderTest> {
  const test = serverUnderTest({ seed })
  const { clock } = test
  const server: ControlPlaneDeps['server'] = {
    registry: test.server.registry,
    handle: (request, caller) =>
      refuse(request)
        ? Promise.resolve({ kind: 'object', status: 500, body: { kind: 'Status', code: 500 } })
        : test.server.handle(request, caller),
  }
  const random = seededRandom(seed).fork('control plane')
  const tokens = test.server.tokenIssuer
  const controlPlane = startControlPlane({
    server,
    clock,
    random,
    log: silentLog,
    authority,
    tokens,
  })
  const settle = (): Promise<void> => clock.advance(200)
  await settle()
  return { ...test, ...controlPlane, settle }
}

/** A node that says that it is ready, with room for pods. */
export function readyNode(
  name: string,
  spec: JsonObject = {},
  metadata: JsonObject = {},
): JsonObject {
  return {
    metadata: { name, ...metadata },
    spec,
    status: {
      allocatable: { cpu: '2', memory: '4Gi', pods: '110' },
      conditions: [
        { type: 'MemoryPressure', status: 'False', lastHeartbeatTime: '2026-01-01T00:00:00Z' },
        { type: 'Ready', status: 'True', lastHeartbeatTime: '2026-01-01T00:00:00Z' },
      ],
    },
  }
}

/** Renews a node's lease every ten seconds, as its kubelet would; returns what makes it fall silent. */
export async function keepAlive(test: ServerUnderTest, name: string): Promise<() => void> {
  const client = test.as(nodeCaller(name))
  let isSilent = false
  const renew = async (): Promise<void> => {
    const { body, code } = await client.get(`${leases}/${name}`)
    const spec = {
      holderIdentity: name,
      leaseDurationSeconds: 40,
      renewTime: toMicroTime(test.clock.now()),
    }
    if (code === 404) await client.post(leases, { metadata: { name }, spec })
    else await client.put(`${leases}/${name}`, { ...body, spec })
  }
  const round = async (): Promise<void> => {
    if (isSilent) return
    await renew()
    test.clock.after(10_000, () => void round())
  }
  await round()
  return () => {
    isSilent = true
  }
}

export async function conditionOf(
  client: FakeClient,
  path: string,
  type: string,
): Promise<JsonObject | undefined> {
  const { body } = await client.get(path)
  return objectsAt(objectAt(body, 'status'), 'conditions').find((one) => one['type'] === type)
}

/** `key:effect` of a node's taints. */
export async function taintsOf(client: FakeClient, name: string): Promise<readonly string[]> {
  const { body } = await client.get(`${nodes}/${name}`)
  return listAt(objectAt(body, 'spec'), 'taints')
    .filter(isJsonObject)
    .map((taint) => `${textAt(taint, 'key')}:${textAt(taint, 'effect')}`)
}

/** `Type Reason: message` of the events about an object, oldest first. */
export async function eventsAbout(client: FakeClient, name: string): Promise<readonly string[]> {
  const { body } = await client.get('/api/v1/events', {
    fieldSelector: `involvedObject.name=${name}`,
  })
  return objectsAt(body, 'items').map(
    (event) => `${textAt(event, 'type')} ${textAt(event, 'reason')}: ${textAt(event, 'message')}`,
  )
}
