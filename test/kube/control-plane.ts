import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import {
  makeAuthority,
  makeTokenKeys,
  type Authority,
  type Certificate,
  type Subject,
} from './certificates.ts'
import { kubeconfigText } from './kubeconfig.ts'
import { findPart, partNamed, type PartName } from './parts.ts'
import { Processes } from './processes.ts'

/** The optional parts of a control plane. */
export interface ControlPlaneOptions {
  readonly environment: NodeJS.ProcessEnv
  /** Records the requests of nodes, with bodies. */
  readonly audit?: boolean
  /** Records by this policy instead. */
  readonly auditPolicy?: string
  readonly controllers?: boolean
  readonly scheduler?: boolean
  /** The server asks kubelets as an administrator: for logs, commands and forwarded ports. */
  readonly asksKubelets?: boolean
  /** Where: default its own order, the Hostname first. */
  readonly asksKubeletsAt?: 'InternalIP'
  /** Nodes with their own identities. */
  readonly nodes?: readonly string[]
}

/** A control plane on loopback that lives as long as this process. */
export interface ControlPlane {
  readonly url: string
  readonly caPem: string
  readonly admin: Certificate
  /** See Authority. */
  readonly sign: Authority['sign']
  readonly adminKubeconfig: string
  /** By the node's name: a kubeconfig as `system:node:<name>`. */
  readonly nodeKubeconfigs: ReadonlyMap<string, string>
  /** Certificates and logs; gone after `stop`. */
  readonly folder: string
  /** The audit log; `undefined` without one. */
  readonly auditLog: string | undefined
  /** Rejects when one of its programs exits early. */
  readonly failed: Promise<never>
  readonly stop: () => Promise<void>
}

const readyWithinMs = 60_000
const host = '127.0.0.1'

/** Omits leases, watches and node status, which are most of the requests of nodes. */
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: None
    verbs: [watch]
  - level: None
    resources: [{ group: coordination.k8s.io, resources: [leases] }]
  - level: None
    resources: [{ group: '', resources: [nodes/status] }]
  - level: RequestResponse
    userGroups: ['system:nodes']
  - level: None
`

/** Distinct free ports. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once('error', reject)
          server.listen(0, host, () => {
            const address = server.address()
            resolve(typeof address === 'object' && address !== null ? address.port : 0)
          })
        }),
    ),
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** The files of the named parts; which of them are missing otherwise. */
export async function findParts(
  names: readonly PartName[],
  environment: NodeJS.ProcessEnv,
): Promise<
  | { readonly files: ReadonlyMap<PartName, string> }
  | { readonly missing: readonly PartName[]; readonly how: string }
> {
  const files = new Map<PartName, string>()
  for (const name of names) {
    const file = await findPart(partNamed(name), environment)
    if (file !== undefined) files.set(name, file)
  }
  const missing = names.filter((name) => !files.has(name))
  if (missing.length === 0) return { files }
  return { missing, how: `npm run kube:build ${missing.join(' ')}` }
}

class Starter {
  readonly #folder: string
  readonly #options: ControlPlaneOptions
  readonly #files: ReadonlyMap<PartName, string>
  readonly #processes: Processes
  readonly #authority: Authority

  constructor(deps: {
    readonly folder: string
    readonly options: ControlPlaneOptions
    readonly files: ReadonlyMap<PartName, string>
    readonly processes: Processes
    readonly authority: Authority
  }) {
    this.#folder = deps.folder
    this.#options = deps.options
    this.#files = deps.files
    this.#processes = deps.processes
    this.#authority = deps.authority
  }

  async start(): Promise<ControlPlane> {
    const [etcdPort = 0, peerPort = 0, port = 0, managerPort = 0, schedulerPort = 0] =
      await freePorts(5)
    const url = `https://${host}:${port}`
    this.#startEtcd(etcdPort, peerPort)
    const keys = await this.#writeServerFiles()
    const admin = await this.#authority.forClient({ user: 'admin', group: 'system:masters' })
    await writeFile(this.#path('admin.crt'), admin.certificatePem, { mode: 0o600 })
    await writeFile(this.#path('admin.key'), admin.keyPem, { mode: 0o600 })
    this.#startApiServer(port, etcdPort)
    const adminKubeconfig = await this.#writeKubeconfig(url, 'admin', admin)
    const nodeKubeconfigs = await this.#writeNodes(url)
    const readiness = untilReady({ url, caPem: this.#authority.caPem, admin })
    await Promise.race([readiness, this.#processes.failed])
    if (this.#options.controllers === true) await this.#startManager(url, managerPort, keys)
    if (this.#options.scheduler === true) await this.#startScheduler(url, schedulerPort)
    return {
      url,
      caPem: this.#authority.caPem,
      admin,
      sign: this.#authority.sign,
      adminKubeconfig,
      nodeKubeconfigs,
      folder: this.#folder,
      auditLog: this.#options.audit === true ? this.#path('audit.log') : undefined,
      failed: this.#processes.failed,
      stop: async () => {
        await this.#processes.stop()
        await rm(this.#folder, { recursive: true, force: true })
      },
    }
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }

  #run(name: PartName, args: readonly string[]): void {
    const file = this.#files.get(name)
    if (file === undefined) throw new Error(`${name} is not there`)
    this.#processes.start(file, args)
  }

  #startEtcd(clientPort: number, peerPort: number): void {
    const client = `http://${host}:${clientPort}`
    const peer = `http://${host}:${peerPort}`
    this.#run('etcd', [
      `--data-dir=${this.#path('etcd')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      '--log-level=warn',
      // Data need not survive a power failure.
      '--unsafe-no-fsync',
    ])
  }

  /** Returns the path of the key that tokens are signed with. */
  async #writeServerFiles(): Promise<string> {
    const server = await this.#authority.forServer()
    const tokens = makeTokenKeys()
    const files = {
      'ca.crt': this.#authority.caPem,
      'server.crt': server.certificatePem,
      'server.key': server.keyPem,
      'tokens.pub': tokens.publicPem,
      'tokens.key': tokens.privatePem,
      'audit-policy.yaml': this.#options.auditPolicy ?? auditPolicy,
    }
    for (const [name, text] of Object.entries(files)) {
      await writeFile(this.#path(name), text, { mode: 0o600 })
    }
    return this.#path('tokens.key')
  }

  #startApiServer(port: number, etcdPort: number): void {
    const audit = [
      `--audit-policy-file=${this.#path('audit-policy.yaml')}`,
      `--audit-log-path=${this.#path('audit.log')}`,
    ]
    const { asksKubeletsAt } = this.#options
    const kubelets = [
      `--kubelet-client-certificate=${this.#path('admin.crt')}`,
      `--kubelet-client-key=${this.#path('admin.key')}`,
      ...(asksKubeletsAt === undefined
        ? []
        : [`--kubelet-preferred-address-types=${asksKubeletsAt}`]),
    ]
    this.#run('kube-apiserver', [
      `--etcd-servers=http://${host}:${etcdPort}`,
      `--secure-port=${port}`,
      `--bind-address=${host}`,
      `--advertise-address=${host}`,
      `--tls-cert-file=${this.#path('server.crt')}`,
      `--tls-private-key-file=${this.#path('server.key')}`,
      `--client-ca-file=${this.#path('ca.crt')}`,
      `--service-account-key-file=${this.#path('tokens.pub')}`,
      `--service-account-signing-key-file=${this.#path('tokens.key')}`,
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      '--service-cluster-ip-range=10.96.0.0/16',
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      '--allow-privileged=true',
      // It stops within a second, and no client has to be redirected first.
      '--shutdown-delay-duration=0s',
      ...(this.#options.audit === true ? audit : []),
      ...(this.#options.asksKubelets === true ? kubelets : []),
    ])
  }

  async #startManager(url: string, port: number, tokensKey: string): Promise<void> {
    const kubeconfig = await this.#kubeconfigOf(url, 'kube-controller-manager')
    this.#run('kube-controller-manager', [
      `--kubeconfig=${kubeconfig}`,
      `--secure-port=${port}`,
      `--bind-address=${host}`,
      `--service-account-private-key-file=${tokensKey}`,
      `--root-ca-file=${this.#path('ca.crt')}`,
      // Nodes need no address ranges here.
      '--controllers=*,-nodeipam',
      '--leader-elect=false',
      '--use-service-account-credentials=false',
      // The tests wait for what it does, not for its limits.
      '--kube-api-qps=1000',
      '--kube-api-burst=2000',
      '--pvclaimbinder-sync-period=2s',
    ])
  }

  async #startScheduler(url: string, port: number): Promise<void> {
    const kubeconfig = await this.#kubeconfigOf(url, 'kube-scheduler')
    this.#run('kube-scheduler', [
      `--kubeconfig=${kubeconfig}`,
      `--secure-port=${port}`,
      `--bind-address=${host}`,
      '--leader-elect=false',
    ])
  }

  async #kubeconfigOf(url: string, component: PartName): Promise<string> {
    // All users have all permissions: the tests are about the API server and the kubelet.
    const subject: Subject = { user: `system:${component}`, group: 'system:masters' }
    return this.#writeKubeconfig(url, component, await this.#authority.forClient(subject))
  }

  async #writeNodes(url: string): Promise<ReadonlyMap<string, string>> {
    const files = new Map<string, string>()
    for (const node of this.#options.nodes ?? []) {
      const subject = { user: `system:node:${node}`, group: 'system:nodes' }
      const certificate = await this.#authority.forClient(subject)
      files.set(node, await this.#writeKubeconfig(url, `node-${node}`, certificate))
    }
    return files
  }

  async #writeKubeconfig(url: string, user: string, certificate: Certificate): Promise<string> {
    const path = this.#path(`${user}.kubeconfig`)
    const text = kubeconfigText({ url, caPem: this.#authority.caPem, user, certificate })
    await writeFile(path, text, { mode: 0o600 })
    return path
  }
}

/** Ready, and with the namespace that pods go to by default. */
async function untilReady(server: {
  readonly url: string
  readonly caPem: string
  readonly admin: Certificate
}): Promise<void> {
  const { certificatePem: cert, keyPem: key } = server.admin
  const dispatcher = new Agent({ connect: { ca: server.caPem, cert, key } })
  const answers = async (path: string): Promise<boolean> => {
    try {
      const { statusCode, body } = await request(`${server.url}${path}`, { dispatcher })
      await body.dump()
      return statusCode === 200
    } catch {
      // The server does not listen yet.
      return false
    }
  }
  const limit = Date.now() + readyWithinMs
  try {
    for (const path of ['/readyz', '/api/v1/namespaces/default']) {
      while (!(await answers(path))) {
        if (Date.now() > limit)
          throw new Error(`${path} of kube-apiserver was not answered in time`)
        await new Promise((resolve) => {
          setTimeout(resolve, 50)
        })
      }
    }
    await addServiceAccount(server.url, dispatcher)
  } finally {
    await dispatcher.destroy()
  }
}

/** Creates the default service account in place of the controllers: without it no pod can be created. */
async function addServiceAccount(url: string, dispatcher: Agent): Promise<void> {
  const { body } = await request(`${url}/api/v1/namespaces/default/serviceaccounts`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'default' } }),
  })
  await body.dump()
}

function neededParts(options: ControlPlaneOptions): readonly PartName[] {
  return [
    'etcd',
    'kube-apiserver',
    ...(options.controllers === true ? (['kube-controller-manager'] as const) : []),
    ...(options.scheduler === true ? (['kube-scheduler'] as const) : []),
  ]
}

/**
 * Starts one, with ports, certificates and a folder of its own; ready when it resolves. Throws with
 * what to do when a part is missing, and with the end of its log when one does not start.
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const found = await findParts(neededParts(options), options.environment)
  if ('missing' in found) {
    throw new Error(`${found.missing.join(' and ')} not found; ${found.how} brings them.`)
  }
  const folder = await mkdtemp(join(tmpdir(), 'nodescope-kube-'))
  const processes = new Processes(folder)
  try {
    const authority = await makeAuthority()
    return await new Starter({
      folder,
      options,
      files: found.files,
      processes,
      authority,
    }).start()
  } catch (error) {
    await processes.stop()
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}
