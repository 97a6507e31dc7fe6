import { expect } from 'vitest'
import type { Exchange, FaultyProxy } from '../faulty-proxy.ts'
import { restless, steady, type CutOffNode } from './cut-off-node.ts'

/** A fault of a node's connection. Its pods keep running and the API catches up; every test checks for duplicate writes. */
export interface Scenario {
  readonly title: string
  /** Its name on the server. */
  readonly node: string
  readonly run: (node: CutOffNode) => Promise<void>
}

const isMirrorPost = ({ method, path }: Exchange): boolean =>
  method === 'POST' && path.endsWith('/pods')
const isStatusPatch = ({ method, path }: Exchange): boolean =>
  method === 'PATCH' && path.endsWith('/status') && path.includes('/pods/')
const isEventPost = ({ method, path }: Exchange): boolean =>
  method === 'POST' && path.endsWith('/events')
const isPodDelete = ({ method }: Exchange): boolean => method === 'DELETE'
const isPodWatch = ({ path, query }: Exchange): boolean =>
  path === '/api/v1/pods' && query.has('watch')
const isPodList = ({ path, query }: Exchange): boolean =>
  path === '/api/v1/pods' && !query.has('watch')

/** True for the first few of a kind. */
function first(
  count: number,
  of: (exchange: Exchange) => boolean,
): (exchange: Exchange) => boolean {
  let left = count
  return (exchange) => left > 0 && of(exchange) && left-- > 0
}

/** A static pod with its mirror, one that crashes again and again, an ordinary one: all in step with the API. */
async function settle(
  node: CutOffNode,
): Promise<{ readonly web: string; readonly beat: string; readonly app: string }> {
  await node.until(
    'the lease',
    () => node.node.kubelet.nodeController.view().leaseRenewedAt !== undefined,
  )
  const web = await node.putManifest('web', steady)
  const beat = await node.putManifest('beat', restless)
  const app = await node.createPod('app', steady)
  for (const pod of [web, beat, app])
    await node.until(`${pod} in the API`, () => node.isRunningInApi(pod))
  return { web, beat, app }
}

/** What a kubelet does without a server: containers are restarted, manifests are run. */
async function goesOn(node: CutOffNode, beat: string): Promise<string> {
  const restarts = node.localRestarts(beat)
  const late = await node.putManifest('late', steady)
  await node.until('a restart without the server', () => node.localRestarts(beat) > restarts)
  await node.until(
    'a new manifest without the server',
    () => node.localStatus(late)?.phase === 'Running',
  )
  expect(await node.isInApi(late)).toBe(false)
  return late
}

async function catchesUp(node: CutOffNode, pods: readonly string[]): Promise<void> {
  for (const pod of pods) await node.until(`${pod} caught up`, () => node.hasCaughtUp(pod))
}

/** The next request that is the same as this one. */
function sentAgain({ exchanges }: FaultyProxy, sent: Exchange): Exchange | undefined {
  const { method, path, body } = sent
  return exchanges
    .slice(exchanges.indexOf(sent) + 1)
    .find((one) => one.method === method && one.path === path && one.body === body)
}

async function livesThrough(
  node: CutOffNode,
  begin: (proxy: FaultyProxy) => Promise<void> | void,
  end: (proxy: FaultyProxy) => Promise<void> | void,
): Promise<void> {
  const { web, beat, app } = await settle(node)
  await begin(node.proxy)
  const minute = node.pass(60)
  const late = await goesOn(node, beat)
  await node.deletePod(app)
  await minute
  expect(node.localStatus(app)?.phase).toBe('Running')
  await end(node.proxy)
  await catchesUp(node, [web, beat, late])
  await node.until('the deleted pod to go', async () => !(await node.isInApi(app)))
  const next = await node.createPod('next', steady)
  await node.until('a new pod to run', () => node.isRunningInApi(next))
}

export const scenarios: readonly Scenario[] = [
  {
    title: 'recovers from a minute of refused connections',
    node: 'refused',
    run: (node) =>
      livesThrough(
        node,
        (proxy) => proxy.refuse(),
        (proxy) => proxy.listen(),
      ),
  },
  {
    title: 'recovers from a minute without responses, after which its old connections are dead',
    node: 'half-open',
    run: (node) =>
      livesThrough(
        node,
        (proxy) => {
          proxy.stopResponding()
        },
        (proxy) => {
          proxy.resumeResponding()
        },
      ),
  },
  {
    title: 'waits for Retry-After, then sends the same request again',
    node: 'busy',
    run: async (node) => {
      const { proxy } = node
      await settle(node)
      const seen = proxy.exchanges.length
      const kinds = [isMirrorPost, isEventPost, isStatusPatch]
      const busy = kinds.map((of) => first(2, of))
      proxy.fault = (exchange) =>
        busy.some((is) => is(exchange))
          ? { kind: 'status', code: 429, reason: 'TooManyRequests', retryAfterSeconds: 5 }
          : undefined
      const late = await node.putManifest('late', steady)
      await node.until('the mirror to run', () => node.isRunningInApi(late))
      for (const of of kinds) {
        const refusals = (): readonly Exchange[] =>
          proxy.exchanges.slice(seen).filter((one) => of(one) && one.responded === 429)
        await node.until('both refusals', () => refusals().length === 2)
        for (const refused of refusals()) {
          await node.until('the same again', () => sentAgain(proxy, refused) !== undefined)
          const waitedMs = (sentAgain(proxy, refused)?.at ?? 0) - refused.at
          expect(waitedMs).toBeGreaterThanOrEqual(5000)
        }
      }
    },
  },
  {
    title: 'continues while all writes get 5xx, then all requests 401',
    node: 'in-trouble',
    run: async (node) => {
      const { proxy } = node
      const { web, beat, app } = await settle(node)
      let codes = 0
      proxy.fault = ({ method }) =>
        method === 'GET'
          ? undefined
          : { kind: 'status', code: codes++ % 2 === 0 ? 500 : 503, reason: 'InternalError' }
      const late = await goesOn(node, beat)
      const restarts = node.localRestarts(beat)
      proxy.fault = () => ({ kind: 'status', code: 401, reason: 'Unauthorized' })
      // A watch that is open is not asked for credentials again.
      proxy.truncateWatches()
      await node.until('a restart', () => node.localRestarts(beat) > restarts)
      await node.deletePod(app)
      proxy.fault = () => undefined
      await catchesUp(node, [web, beat, late])
      await node.until('the deleted pod to go', async () => !(await node.isInApi(app)))
    },
  },
  {
    title:
      'lists again after 410, a truncated frame and half a response, and accepts slow responses',
    node: 'torn',
    run: async (node) => {
      const { proxy } = node
      await settle(node)
      const expired = first(1, isPodWatch)
      proxy.fault = (exchange) => (expired(exchange) ? { kind: 'expired-watch' } : undefined)
      const lists = (): number =>
        proxy.exchanges.filter((one) => isPodList(one) && one.responded === 200).length
      const listsBefore = lists()
      proxy.truncateWatches()
      await node.until('a new list', () => lists() > listsBefore)
      const one = await node.createPod('one', steady)
      await node.until('a pod after 410', () => node.isRunningInApi(one))

      const seen = proxy.exchanges.length
      const gone = first(1, isPodWatch)
      const halves = first(2, isPodList)
      proxy.fault = (exchange) => {
        if (gone(exchange)) return { kind: 'status', code: 410, reason: 'Expired' }
        return halves(exchange) ? { kind: 'truncate' } : { kind: 'slow' }
      }
      proxy.truncateWatches()
      const two = await node.createPod('two', steady)
      await node.until('a pod after half an answer', () => node.isRunningInApi(two))
      const met = proxy.exchanges.slice(seen)
      expect(
        met.filter((exchange) => isPodWatch(exchange) && exchange.responded === 410),
      ).toHaveLength(1)
      const unanswered = met.filter(
        (exchange) => isPodList(exchange) && exchange.responded === undefined,
      )
      // A slow one may be given up as well.
      expect(unanswered.length).toBeGreaterThanOrEqual(2)
    },
  },
  {
    title: 'repeats a write without a response only if that has no effect',
    node: 'lossy',
    run: async (node) => {
      const { proxy } = node
      const { app } = await settle(node)
      const kinds = [isMirrorPost, isEventPost, isStatusPatch, isPodDelete]
      const lossy = kinds.map((of) => first(1, of))
      const lost: Exchange[] = []
      proxy.fault = (exchange) => {
        if (!lossy.some((is) => is(exchange))) return undefined
        lost.push(exchange)
        return { kind: 'lose-answer' }
      }
      const late = await node.putManifest('late', steady)
      await node.until('the mirror to run', () => node.isRunningInApi(late))
      await node.deletePod(app)
      await node.until('the deleted pod to go', async () => !(await node.isInApi(app)))
      await node.until('its worker to go', () => node.localStatus(app) === undefined)
      for (const of of kinds) expect(lost.filter(of)).toHaveLength(1)
      const [event] = lost.filter(isEventPost)
      await node.until('the event to be sent again and found there', () =>
        proxy.exchanges.some(({ body, responded }) => body === event?.body && responded === 409),
      )
    },
  },
]
