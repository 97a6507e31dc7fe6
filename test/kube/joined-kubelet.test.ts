import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveCri } from '../../src/main/cri/serve-cri.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { selfSignedCertificate } from '../../src/main/nodes/serving/certificate-generation.ts'
import { objectAt } from '../../src/shared/json.ts'
import {
  interrupted,
  kubectl,
  localFile,
  refused,
  requested,
  sameFiles,
  start,
  type CommandScenario,
} from './commands/command.ts'
import { chooseKubectl, expectAsListed } from './commands/compare-outcomes.ts'
import { containerCommands, containersNode, isReady, runs, until } from './commands/containers.ts'
import { outcomesOf, type Outcome } from './commands/session.ts'
import { reportComparison, reportImpossible, reportMissing } from './comparison.ts'
import { Containerd, whyNoContainers } from './containerd/containerd.ts'
import { findParts, startControlPlane, type ControlPlane } from './control-plane.ts'
import { administratorOf, type Administrator } from './integration/administrator.ts'
import { AgentUnderTest } from './integration/agent.ts'
import { kubeletPort, servedPort, signRequest } from './joined-nodes.ts'
import { applyRbac, kubeconfigOf, makeAccount, rbacObjects, tokenOf } from './rbac-objects.ts'
import { serverOf, type ServerUnderTest } from './servers.ts'

// The kubelet's own server of a joined node, asked by a real kube-apiserver for a real kubectl, and by clients with few rights.

const found = await findParts(['etcd', 'kube-apiserver', 'kubectl'], process.env)
// The node proxy refuses loopback addresses.
const host = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
const canRun = !('missing' in found) && host !== undefined
if ('missing' in found) reportMissing('joined kubelet', found.missing)
else if (host === undefined)
  reportImpossible('joined kubelet', 'the machine has only loopback addresses')

const noContainers = whyNoContainers()
if (noContainers !== undefined) reportImpossible('joined kubelet on containerd', noContainers)

const node = containersNode
const nodePath = `/api/v1/nodes/${node}`

const chosen: ReadonlySet<string> = new Set([
  'logs of a container that has ended, and of its restarts',
  'logs that are followed until the container ends',
  'commands in a container',
  'input and output of a container that runs',
  'ports that are forwarded',
])

const proxied: CommandScenario = {
  title: 'the node proxy',
  steps: [
    runs('seen', 'exec sleep 100000'),
    until(isReady, 'seen'),
    kubectl(`get --raw ${nodePath}/proxy/pods`, { prints: /"kind":"PodList".*"name":"seen"/ }),
    kubectl(`get --raw ${nodePath}/proxy/healthz`, { prints: /^ok$/ }),
    kubectl(`get --raw ${nodePath}/proxy/metrics`, {
      prints: /kubelet_node_name\{node="localhost"\} 1/,
    }),
    kubectl(`get --raw ${nodePath}/proxy/configz`, { prints: /"port":[1-9]\d+/ }),
    refused(`get --raw ${nodePath}/proxy/nope`, /404 page not found|could not find the requested/),
  ],
}

// What tar says may come after kubectl has ended, so that only the files count.
const copied: CommandScenario = {
  title: 'kubectl cp',
  steps: [
    runs('copied', 'exec sleep 100000'),
    until(isReady, 'copied'),
    localFile(
      'folder/binary',
      Uint8Array.from({ length: 300_000 }, (_, at) => (at * 31 + (at >> 8)) & 0xff),
    ),
    localFile('folder/in/text', 'text\n'),
    kubectl('cp <local>/folder copied:/tmp/folder'),
    kubectl('cp copied:/tmp/folder <local>/back'),
    sameFiles('folder', 'back'),
  ],
}

const scenarios = [...containerCommands.filter(({ title }) => chosen.has(title)), copied, proxied]

interface Answer {
  readonly status: number
  readonly body: string
}

describe.runIf(canRun)('the kubelet’s own server of a joined node', { timeout: 120_000 }, () => {
  let folder = ''
  let plane: ControlPlane
  let server: ServerUnderTest
  let admin: Administrator
  let agent: AgentUnderTest
  let port = 0
  let commands = 0

  const caFile = (): string => join(plane.folder, 'ca.crt')

  /** Straight to the kubelet. */
  async function ask(
    path: string,
    client: { readonly cert?: string; readonly key?: string; readonly token?: string } = {},
    method: 'GET' | 'POST' = 'GET',
  ): Promise<Answer> {
    const { token, ...tls } = client
    const dispatcher = new Agent({ connect: { ...tls, rejectUnauthorized: false } })
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    try {
      const url = `https://${host}:${port}${path}`
      const { statusCode: status, body } = await request(url, { dispatcher, headers, method })
      return { status, body: await body.text() }
    } finally {
      await dispatcher.destroy()
    }
  }

  async function account(name: string, resources: readonly string[]): Promise<string> {
    await makeAccount(admin, { name, resources, verbs: ['get'] })
    return tokenOf(admin, 'default', name)
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nodescope-joined-'))
    plane = await startControlPlane({
      environment: process.env,
      nodes: [node, 'cri', 'containerd', 'six', 'csr', 'silent'],
      asksKubelets: true,
      asksKubeletsAt: 'InternalIP',
    })
    server = await serverOf(plane)
    admin = await administratorOf(plane.adminKubeconfig)
    await applyRbac(admin, await rbacObjects(node))
    agent = await AgentUnderTest.start({
      kubeconfig: await kubeconfigOf(plane, admin, 'agent'),
      caFile: caFile(),
      node,
      folder: join(folder, 'node'),
      kubeletAddress: `${host}:0`,
      configuration: { authentication: {} },
    })
    port = await servedPort(admin, node)
  }, 120_000)

  afterAll(async () => {
    await agent.stop()
    await admin.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
    reportComparison(
      'joined kubelet',
      `${commands} commands of kubectl through a real kube-apiserver to the kubelet of a joined node, and its refusals`,
    )
  }, 60_000)

  it('is in the Node’s status', async () => {
    const object = await admin.ask('GET', nodePath)
    expect(objectAt(object, 'status')).toMatchObject({
      addresses: [
        { type: 'InternalIP', address: host },
        { type: 'Hostname', address: node },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    })
    expect(agent.printed.filter((line) => /server (cannot|accepts)/.test(line))).toEqual([])
    const kept = await stat(join(folder, 'node', 'pki', 'kubelet-server-self-signed.pem'))
    expect(kept.mode & 0o777).toBe(0o600)
  })

  it.concurrent.for(scenarios)('$title', async (scenario, { expect }) => {
    const program = await chooseKubectl()
    if (program === undefined) throw new Error('no kubectl')
    const namespace = `joined-${scenarios.indexOf(scenario)}`
    const outcomes = await outcomesOf(scenario, { server, namespace, program, folder })
    expectAsListed(expect, outcomes, namespace)
    commands += outcomes.length
  })

  it('refuses clients without a credential, and with a wrong one', async () => {
    const other = await selfSignedCertificate(
      { nodeName: 'admin', address: '127.0.0.1' },
      Date.now(),
    )
    const { certificatePem: cert, keyPem: key } = other
    const unauthorized = { status: 401, body: 'Unauthorized' }
    expect(await ask('/pods')).toEqual(unauthorized)
    expect(await ask('/pods', { token: 'wrong' })).toEqual(unauthorized)
    expect(await ask('/pods', { cert, key })).toEqual(unauthorized)
  })

  it('asks the API server what a client may do', async () => {
    const { certificatePem: cert, keyPem: key } = plane.admin
    expect(await ask('/healthz', { cert, key })).toEqual({ status: 200, body: 'ok' })
    const token = await account('few', ['nodes/metrics', 'nodes/healthz'])
    expect(await ask('/healthz', { token })).toEqual({ status: 200, body: 'ok' })
    expect((await ask('/metrics', { token })).status).toBe(200)
    const user = 'system:serviceaccount:default:few'
    const forbidden = (verb: string, subresources: string): Answer => ({
      status: 403,
      body: `Forbidden (user=${user}, verb=${verb}, resource=nodes, subresource(s)=[${subresources}])\n`,
    })
    expect(await ask('/pods', { token })).toEqual(forbidden('get', 'pods proxy'))
    expect(await ask('/stats/summary', { token })).toEqual(forbidden('get', 'stats'))
    expect(await ask('/run/default/x/c?cmd=true', { token }, 'POST')).toEqual(
      forbidden('create', 'proxy'),
    )
    const proxy = await account('proxies', ['nodes/proxy'])
    expect((await ask('/pods', { token: proxy })).status).toBe(200)
    expect((await ask('/metrics', { token: proxy })).status).toBe(403)
  })

  /** What kubectl says of pods of a node with that runtime. `web`: a container that answers at port 80. */
  async function streamsThroughKubectl(
    runtime: { readonly node: string; readonly address: string; readonly socketPath?: string },
    web: { readonly container: object; readonly answers: RegExp },
  ): Promise<readonly Outcome[]> {
    const files = join(folder, runtime.node)
    await mkdir(files, { recursive: true })
    const { node: nodeName, socketPath } = runtime
    const over = await AgentUnderTest.start({
      kubeconfig: plane.nodeKubeconfigs.get(nodeName) ?? '',
      caFile: caFile(),
      node: nodeName,
      folder: files,
      kubeletAddress: runtime.address,
      ...(socketPath === undefined ? {} : { runtimeSocketPath: socketPath }),
    })
    try {
      const program = await chooseKubectl()
      if (program === undefined) throw new Error('no kubectl')
      const steps = [
        runs('real', 'echo started; exec sleep 100000', { nodeName }),
        until(isReady, 'real'),
        kubectl('logs real', { prints: /^started\n$/ }),
        kubectl('logs real --timestamps --tail=1', { prints: /^a time started\n$/ }),
        kubectl('exec real -- echo hello', { prints: /^hello\n$/ }),
        kubectl('exec -i real -- cat', { stdin: 'some input\n', prints: /^some input\n$/ }),
        kubectl("exec real -- sh -c 'exit 7'", { code: 7, prints: /exit code 7/ }),
        refused('exec real -c other -- true', /container other is not valid for pod real/),
        refused('exec real -- no-such-command', /no-such-command.*not found/),
        refused(
          'logs real --previous',
          /previous terminated container "c" in pod "real" not found/,
        ),
        runs('serves', '', { nodeName, containers: [{ name: 'c', ...web.container }] }),
        until(isReady, 'serves'),
        start('forwarded', kubectl('port-forward serves 0:80')),
        requested('forwarded', web.answers),
        interrupted('forwarded'),
        runs('loud', 'for i in 1 2 3; do echo $i; done; exit 3', {
          nodeName,
          restartPolicy: 'Never',
        }),
        until('jsonpath={.status.phase}=Failed', 'loud'),
        kubectl('logs -f loud', { prints: /^1\n2\n3\n$/ }),
        refused('exec loud -- true', /cannot exec into a container in a completed pod/),
      ]
      const where = { server, namespace: `joined-${nodeName}`, program, folder }
      const outcomes = await outcomesOf({ title: `streams of ${nodeName}`, steps }, where)
      commands += outcomes.length
      return outcomes
    } finally {
      await over.stop()
    }
  }

  const nginx = {
    container: { image: 'nginx:1.29' },
    answers: /200 OK[^]*Welcome to nginx!/,
  }

  it('passes streams on to the container runtime that it runs pods on', async ({ expect }) => {
    const socketPath = join(folder, 'simulated.sock')
    const runtime = await serveCri({ socketPath, seed: 1, log: new FakeLog() })
    if (!runtime.ok) throw new Error(runtime.error)
    try {
      const on = { node: 'cri', address: `${host}:0`, socketPath }
      expectAsListed(expect, await streamsThroughKubectl(on, nginx), 'joined-cri')
    } finally {
      runtime.value.stop()
    }
  })

  it.skipIf(noContainers !== undefined)(
    'passes streams on to containerd, whose containers really run',
    async ({ expect }) => {
      const containerd = await Containerd.start([])
      try {
        const socketPath = containerd.socketPath
        const script =
          'mkdir /tmp/w; echo served > /tmp/w/index.html; exec httpd -f -h /tmp/w -p 80'
        const web = {
          container: { image: 'busybox:1.36', command: ['sh', '-c', script] },
          answers: /200 OK[^]*served/,
        }
        const on = { node: 'containerd', address: `${host}:0`, socketPath }
        expectAsListed(expect, await streamsThroughKubectl(on, web), 'joined-containerd')
      } finally {
        await containerd.stop()
      }
    },
  )

  it('serves the API server on an IPv6 address', async ({ expect }) => {
    const on = { node: 'six', address: '[::1]:0' }
    expectAsListed(expect, await streamsThroughKubectl(on, nginx), 'joined-six')
    const object = await admin.ask('GET', '/api/v1/nodes/six')
    expect(objectAt(object, 'status')).toMatchObject({
      addresses: [
        { type: 'InternalIP', address: '::1' },
        { type: 'Hostname', address: 'six' },
      ],
    })
  })

  it('waits for the approval of its certificate', async () => {
    const signed = await AgentUnderTest.start({
      kubeconfig: plane.nodeKubeconfigs.get('csr') ?? '',
      caFile: caFile(),
      node: 'csr',
      folder: join(folder, 'csr'),
      kubeletAddress: `${host}:0`,
      configuration: { serverTLSBootstrap: true },
    })
    try {
      const waits = /approve it with kubectl certificate approve (csr-\w+)\.$/
      const nameIn = (): string =>
        signed.printed.map((line) => waits.exec(line)?.[1]).find(Boolean) ?? ''
      await expect.poll(nameIn, { timeout: 30_000 }).not.toBe('')
      const name = nameIn()
      const program = await chooseKubectl()
      if (program === undefined) throw new Error('no kubectl')
      const approval = kubectl(`certificate approve ${name}`, { prints: /approved/ })
      const scenario = { title: 'approval', steps: [approval] }
      const where = { server, namespace: 'joined-approval', program, folder }
      expectAsListed(expect, await outcomesOf(scenario, where), where.namespace)
      await signRequest(plane, admin, name)
      const served = await servedPort(admin, 'csr')
      await expect.poll(() => isTrusted(served), { timeout: 30_000 }).toBe(true)
    } finally {
      await signed.stop()
    }
  })

  /** Whether the server shows a certificate of the cluster's CA for its address. */
  async function isTrusted(served: number): Promise<boolean> {
    const socket = connect({ host, port: served, ca: plane.caPem })
    try {
      await once(socket, 'secureConnect')
      return socket.authorized
    } catch {
      return false
    } finally {
      socket.destroy()
    }
  }

  it('without an address there is none, and kubectl logs says so', async ({ expect }) => {
    await mkdir(join(folder, 'silent'), { recursive: true })
    const silent = await AgentUnderTest.start({
      kubeconfig: plane.nodeKubeconfigs.get('silent') ?? '',
      caFile: caFile(),
      node: 'silent',
      folder: join(folder, 'silent'),
    })
    try {
      const program = await chooseKubectl()
      if (program === undefined) throw new Error('no kubectl')
      const steps = [
        runs('mute', 'exec sleep 100000', { nodeName: 'silent' }),
        until(isReady, 'mute'),
        refused(
          'logs mute',
          /Get "https:\/\/127\.0\.0\.1:10250\/containerLogs\/.*connection refused/,
        ),
      ]
      const where = { server, namespace: 'joined-silent', program, folder }
      const outcomes = await outcomesOf({ title: 'silent', steps }, where)
      expectAsListed(expect, outcomes, where.namespace)
      expect(await kubeletPort(admin, 'silent')).toBe(0)
    } finally {
      await silent.stop()
    }
  })
})
