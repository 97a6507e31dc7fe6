import { Agent, request as httpsRequest } from 'node:https'
import { connect } from 'node:tls'
import { nodeClockHost } from '../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../src/main/clock/virtual-clock.ts'
import { isJsonObject, objectAt, textAt } from '../../src/shared/json.ts'
import type { JsonObject } from '../../src/shared/json.ts'
import { apiServerCaller, serviceAccountGroups } from '../../src/main/sandbox/auth/caller.ts'
import type { Caller } from '../../src/main/sandbox/auth/caller.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { ParserThread } from '../../src/main/parsing/parser-thread.ts'
import { SandboxApiServer } from '../../src/main/sandbox/api-server.ts'
import { startControlPlane } from '../../src/main/sandbox/control-plane.ts'
import { startHttpsListener } from '../../src/main/sandbox/surface/https-listener.ts'
import { RandomPicker } from '../random-picker.ts'
import { thingDefinition } from './random-object.ts'
import { randomBytes, randomRequest } from './random-request.ts'
import type { FuzzedRequest } from './random-request.ts'

export interface FuzzOptions {
  readonly seed: number
  readonly requests: number
  /** Most requests are then of users with few rights. */
  readonly enforcesRbac?: boolean
  /** The built program of the parser's thread. */
  readonly parserProgram: URL
  readonly onProgress?: (done: number) => void
}

export interface FuzzReport {
  readonly sent: number
  /** Answers by status; `cut` for connections that were closed instead. */
  readonly statuses: ReadonlyMap<string, number>
  readonly slowestMs: number
  /** The longest block of the event loop, which server and client share. */
  readonly longestBlockMs: number
  readonly peakRssMiB: number
  /** Violations, each with the number of its request. */
  readonly findings: readonly string[]
}

// Generous: the machine may be busy with something else.
const answerWithinMs = 20_000
const blockedAtMostMs = 5_000
const rssAtMostMiB = 2_048
const concurrency = 8
const readsOfWatchMs = 30

// Requests for which kube-apiserver also returns 500, or reports a future resource version (test/kube/exchanges/client-mistakes.ts).
const known500: readonly RegExp[] = [
  // No kubelet runs here.
  /^Get "https:.*connect: connection refused$/,
  /strconv\.ParseUint/,
  /^etcdserver: request is too large$/,
  /^rpc error: code = ResourceExhausted/,
  // Impersonation without a user.
  /^groups, extra or a UID are requested without impersonating/,
  // A Binding with an invalid target.
  /^\[?target\.(kind|name): /,
  // A field that the schema does not have (test/kube/exchanges/apply.ts).
  /^failed to create typed patch object/,
  /^resourceVersion should not be set on objects to be created$/,
  // delete.go passes its decoder's messages about options on.
  /^json: cannot unmarshal \w+( [\d.e+-]+)? into Go struct field (DeleteOptions|Preconditions)\./,
  // strategicpatch's own words: patch.go passes them on.
  /map: |invalid patch format|unknown patch type|list element types are not identical|doesn't match \$setElementOrder|expected a list as|does not contain declared merge key/,
]

interface Outcome {
  readonly status: string
  readonly message: string
}

class Findings {
  readonly list: string[] = []

  add(number: number, what: string, sent?: FuzzedRequest): void {
    if (this.list.length >= 50) return
    const body = sent?.body?.subarray(0, 400).toString('utf8') ?? ''
    const request =
      sent === undefined
        ? ''
        : ` ${sent.method} ${sent.path.slice(0, 200)} as ${sent.identity} ${JSON.stringify(sent.headers).slice(0, 200)} ${body}`
    this.list.push(`request ${number}: ${what}${request}`)
  }
}

function builtIns(): string {
  return [Object.prototype, Array.prototype, Function.prototype, String.prototype]
    .map((prototype) => Reflect.ownKeys(prototype).map(String).join())
    .join(';')
}

const served: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** What every client may read: system:public-info-viewer. */
const publicPaths = /^\/(healthz|livez|readyz|version)\/?(\?|$)/

function ofUser(user: string): Caller {
  return { user, groups: ['system:authenticated'], client: 'kubectl' }
}

const accountCaller: Caller = {
  ...ofUser('system:serviceaccount:default:account'),
  groups: [...serviceAccountGroups('default'), 'system:authenticated'],
}

type Create = (path: string, body: object) => Promise<JsonObject>

function creatorAt(server: SandboxApiServer): Create {
  return async (path, body) => {
    const answer = await server.handle({ method: 'POST', path, body }, apiServerCaller)
    if (answer.kind !== 'object' || answer.status !== 201 || !isJsonObject(answer.body))
      throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.body
  }
}

/** Roles for users of the namespace default. Returns the token of its service account. */
async function giveFewRights(create: Create): Promise<string> {
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
  const bind = (name: string, kind: string, subjects: readonly object[]): Promise<JsonObject> =>
    create(`${roles}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
      subjects,
    })
  await create(accounts, { metadata: { name: 'account' } })
  await create(`${roles}/roles`, {
    metadata: { name: 'author' },
    rules: [
      {
        apiGroups: ['rbac.authorization.k8s.io', 'policy', ''],
        resources: ['roles', 'rolebindings', 'poddisruptionbudgets', 'pods', 'pods/binding'],
        verbs: ['*'],
      },
      { apiGroups: [''], resources: ['bindings', 'serviceaccounts/token'], verbs: ['create'] },
    ],
  })
  await bind('view', 'ClusterRole', [{ kind: 'User', name: 'viewer' }])
  await bind('author', 'Role', [
    { kind: 'User', name: 'author' },
    { kind: 'ServiceAccount', name: 'account', namespace: 'default' },
  ])
  const issued = await create(`${accounts}/account/token`, { spec: {} })
  return textAt(objectAt(issued, 'status'), 'token')
}

/** Sends random requests to a sandbox's API over HTTPS, and checks the responses and the server. */
export async function fuzzApi(options: FuzzOptions): Promise<FuzzReport> {
  const { seed, requests, enforcesRbac = false } = options
  const log = new FakeLog()
  const random = seededRandom(seed)
  const clock = new VirtualClock(nodeClockHost, { startAt: Date.UTC(2026, 0, 1) })
  const server = new SandboxApiServer({
    clock,
    random: random.fork('server'),
    trace: { emit: () => 1 },
    log,
    enforcesRbac,
  })
  const controlPlane = startControlPlane({
    server,
    clock,
    random: random.fork('control'),
    log,
    tokens: server.tokenIssuer,
  })
  const create = creatorAt(server)
  await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', thingDefinition)
  const accountToken = enforcesRbac ? await giveFewRights(create) : ''
  const node = { user: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] }
  const admin = { user: 'admin', groups: ['system:masters', 'system:authenticated'] }
  const started = await startHttpsListener({
    server,
    port: 0,
    clock,
    parse: new ParserThread(options.parserProgram).parse,
    credentials: new Map([
      ['token-of-admin', { ...admin, client: 'kubectl' }],
      ['token-of-node', { ...node, client: 'kubelet' }],
      ...['viewer', 'author'].map((user) => [`token-of-${user}`, ofUser(user)] as const),
    ]),
    log,
  })
  if (!started.ok) throw new Error(started.error.message)
  const listener = started.value
  clock.run()
  const { hostname, port } = new URL(listener.url)
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency, ca: listener.caPem })
  const pick = new RandomPicker(random.fork('requests'))
  const findings = new Findings()
  const statuses = new Map<string, number>()
  const before = builtIns()
  let slowestMs = 0
  let longestBlockMs = 0
  let peakRssMiB = 0
  let lastTurn = performance.now()
  const monitor = setInterval(() => {
    const now = performance.now()
    longestBlockMs = Math.max(longestBlockMs, now - lastTurn - 20)
    lastTurn = now
    peakRssMiB = Math.max(peakRssMiB, process.memoryUsage.rss() / 1024 / 1024)
  }, 20)

  const badTokens = [
    '',
    'Bearer',
    'Bearer ',
    'Bearer token-of-admin2',
    'Bearer token-of-admi',
    'Basic token-of-admin',
    'bearer  token',
    'Bearer __proto__',
    'Bearer constructor',
    'Bearer null',
    `Bearer ${'x'.repeat(2000)}`,
  ]
  const tokenOf = (identity: FuzzedRequest['identity']): string => {
    if (identity === 'anonymous') return pick.of(badTokens)
    return `Bearer ${identity === 'account' ? accountToken : `token-of-${identity}`}`
  }
  const send = (sent: FuzzedRequest): Promise<Outcome> =>
    new Promise((resolve) => {
      const token = tokenOf(sent.identity)
      const length = sent.body === undefined ? {} : { 'content-length': String(sent.body.length) }
      const limit = setTimeout(() => {
        outgoing.destroy()
        resolve({ status: 'hang', message: `no answer within ${answerWithinMs} ms` })
      }, answerWithinMs)
      const done = (outcome: Outcome): void => {
        clearTimeout(limit)
        resolve(outcome)
      }
      const outgoing = httpsRequest(
        {
          host: hostname,
          port,
          agent,
          method: sent.method,
          path: sent.path,
          headers: {
            ...sent.headers,
            ...length,
            ...(token === '' ? {} : { authorization: token }),
          },
        },
        (answer) => {
          const status = String(answer.statusCode)
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', () => done({ status, message: '' }))
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8')
            const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text.slice(0, 200)
            done({ status, message: message.replaceAll('\\"', '"') })
          })
          // Watches go on by themselves.
          if (/[?&]watch=|\/watch\//.test(sent.path))
            setTimeout(() => {
              answer.destroy()
              done({ status, message: '' })
            }, readsOfWatchMs)
        },
      )
      // The server may close a connection whose request it refused before its end.
      outgoing.on('error', () => done({ status: 'cut', message: '' }))
      outgoing.end(sent.body)
    })

  const sendRaw = (bytes: Buffer): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), ca: listener.caPem }, () => {
        socket.write(bytes)
        setTimeout(() => socket.destroy(), 50)
      })
      socket.on('error', () => undefined)
      socket.on('close', () => resolve())
      socket.resume()
    })

  const check = (number: number, sent: FuzzedRequest, { status, message }: Outcome): void => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 'hang') findings.add(number, message, sent)
    if (status === '500' && !known500.some((pattern) => pattern.test(message)))
      findings.add(number, `500 ${message.slice(0, 300)}`, sent)
    const isPublic =
      enforcesRbac && (status === '403' || publicPaths.test(sent.path) || !served.has(sent.method))
    const isRefused = ['401', '400', '431', '500', 'cut'].includes(status)
    if (sent.identity === 'anonymous' && !isRefused && !isPublic)
      findings.add(number, `${status} without a token`, sent)
    const isWrite = !['GET', 'HEAD'].includes(sent.method)
    if (
      sent.identity === 'node' &&
      isWrite &&
      /^\/api\/v1\/namespaces(\/[^/]*)?($|\?)/.test(sent.path) &&
      status.startsWith('2')
    )
      findings.add(number, `a node wrote a namespace: ${status}`, sent)
  }

  const checkRights = (number: number): void => {
    for (const caller of [ofUser('viewer'), ofUser('author'), accountCaller])
      for (const asked of [
        { verb: 'get', group: '', resource: 'secrets', namespace: 'kube-system' },
        { verb: 'create', group: 'rbac.authorization.k8s.io', resource: 'clusterroles' },
        { verb: 'impersonate', group: '', resource: 'users' },
      ]) {
        const attributes = { kind: 'resource', subresource: '', namespace: '', name: '' } as const
        if (server.refusal(caller, { ...attributes, ...asked }) === undefined)
          findings.add(number, `${caller.user} may ${asked.verb} ${asked.resource}`)
      }
  }

  const checkServer = async (number: number): Promise<void> => {
    const admin = { identity: 'admin', headers: { 'content-type': 'application/json' } } as const
    const name = `check-${number}`
    const path = '/api/v1/namespaces/kube-public/configmaps'
    const body = Buffer.from(JSON.stringify({ metadata: { name }, data: { a: String(number) } }))
    const steps: readonly (readonly [string, string, Buffer | undefined, string])[] = [
      ['POST', path, body, '201'],
      ['GET', `${path}/${name}`, undefined, '200'],
      ['DELETE', `${path}/${name}`, undefined, '200'],
      ['GET', `${path}/${name}`, undefined, '404'],
      ['GET', '/version', undefined, '200'],
    ]
    for (const [method, at, sent, wanted] of steps) {
      const { status, message } = await send({ ...admin, method, path: at, body: sent })
      if (status !== wanted)
        findings.add(number, `${method} ${at} is answered ${status} ${message}`)
    }
    if (enforcesRbac) checkRights(number)
    if (builtIns() !== before) findings.add(number, 'a prototype of JavaScript has changed')
    for (const line of log.lines)
      if (line.level === 'error')
        findings.add(number, `logged: ${line.message} ${String(line.fields['error'])}`)
    log.lines.length = 0
  }

  let next = 0
  const work = async (): Promise<void> => {
    while (next < requests) {
      const number = next++
      // Drawn before anything is awaited, so that the same seed sends the same.
      const sent = randomRequest(pick, enforcesRbac)
      const raw = pick.percent(0.5) ? randomBytes(pick) : undefined
      if (raw !== undefined) await sendRaw(raw)
      const startedAt = performance.now()
      check(number, sent, await send(sent))
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      if (number % 1000 === 999) {
        await checkServer(number)
        options.onProgress?.(number + 1)
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, work))
    await checkServer(requests)
  } finally {
    clearInterval(monitor)
    agent.destroy()
    clock.pause()
    controlPlane.stop()
    await listener.stop()
  }
  if (longestBlockMs > blockedAtMostMs)
    findings.add(requests, `the event loop was blocked for ${Math.round(longestBlockMs)} ms`)
  if (peakRssMiB > rssAtMostMiB)
    findings.add(requests, `memory rose to ${Math.round(peakRssMiB)} MiB`)
  return {
    sent: requests,
    statuses,
    slowestMs,
    longestBlockMs,
    peakRssMiB,
    findings: findings.list,
  }
}

/** One line of totals. */
export function fuzzLine(report: FuzzReport, seed: number): string {
  const counts = [...report.statuses].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const { sent, slowestMs, longestBlockMs, peakRssMiB, findings } = report
  return [
    `fuzz: ${sent} requests, seed ${seed}, ${findings.length} findings`,
    counts.map(([status, count]) => `${status}: ${count}`).join(', '),
    `slowest ${Math.round(slowestMs)} ms, event loop blocked for ${Math.round(longestBlockMs)} ms at most, ${Math.round(peakRssMiB)} MiB`,
  ].join('; ')
}
