import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'

/** Why no real kubelet runs where `canUnshare` is false. */
export const cannotUnshare = 'user and mount namespaces are not allowed here (unshare -r -m)'

/** Whether a kubelet can be started here without root. */
export function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['-r', '-m', 'sh', '-c', 'mount -t tmpfs none /var/lib'], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}

/** What a real kubelet is started with. */
export interface RealKubeletOptions {
  readonly file: string
  readonly nodeName: string
  readonly kubeconfig: string
  readonly caFile: string
  readonly socketPath: string
  /** Everything that it writes is below. */
  readonly folder: string
  /** Below the ports that the operating system gives to connections. */
  readonly port: number
  /** Absent: it finds the machine's own, without which pods have no host IP. */
  readonly nodeIp?: string
  /** Fields of its KubeletConfiguration in addition. */
  readonly configuration?: Readonly<Record<string, unknown>>
}

const killAfterMs = 10_000

/** Folders of the machine that it would write into, whatever its configuration says. */
const hiddenFolders = ['/var/lib', '/var/log', '/usr/libexec']

/**
 * A real kubelet in a user and mount namespace of its own, on loopback: it needs no root and leaves nothing on the
 * machine. It can be started again after it was stopped.
 */
export class RealKubelet {
  readonly manifests: string
  readonly podLogs: string
  readonly logFile: string
  readonly #options: RealKubeletOptions
  #process: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()

  constructor(options: RealKubeletOptions) {
    this.#options = options
    this.manifests = join(options.folder, 'manifests')
    this.podLogs = join(options.folder, 'pod-logs')
    this.logFile = join(options.folder, 'kubelet.log')
  }

  async start(): Promise<void> {
    const { file, folder, kubeconfig, nodeName, nodeIp } = this.#options
    await mkdir(this.manifests, { recursive: true })
    await mkdir(this.podLogs, { recursive: true })
    const config = join(folder, 'kubelet.yaml')
    await writeFile(config, this.#configuration())
    const mounts = hiddenFolders.map((path) => `mount -t tmpfs none ${path}`).join(' && ')
    const args = [
      `--config=${config}`,
      `--kubeconfig=${kubeconfig}`,
      `--root-dir=${join(folder, 'root')}`,
      `--cert-dir=${join(folder, 'certs')}`,
      `--hostname-override=${nodeName}`,
      ...(nodeIp === undefined ? [] : [`--node-ip=${nodeIp}`]),
      '-v=2',
    ]
    const log = createWriteStream(this.logFile, { flags: 'a' })
    const script = `${mounts} && exec "$@"`
    const child = spawn('unshare', ['-r', '-m', 'sh', '-c', script, 'sh', file, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    child.stdout.pipe(log, { end: false })
    child.stderr.pipe(log, { end: false })
    this.#process = child
    this.#ended = new Promise((resolve) => {
      child.once('close', () => {
        log.end(() => {
          resolve()
          // Nothing else would say why its node does not become Ready.
          if (this.#process === child) void this.#reportEnd()
        })
      })
      child.once('error', () => {
        log.end(resolve)
      })
    })
  }

  /** SIGKILL as well for one that stays. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (child === undefined || child.exitCode !== null) return
    child.kill(signal)
    const kill = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    await this.#ended
    clearTimeout(kill)
  }

  putManifest(name: string, pod: unknown): Promise<void> {
    return writeFile(join(this.manifests, `${name}.yaml`), stringify(pod))
  }

  /** The end of its log. */
  async lastLines(): Promise<string> {
    const text = await readFile(this.logFile, 'utf8').catch(() => '')
    return text.trimEnd().split('\n').slice(-25).join('\n')
  }

  async #reportEnd(): Promise<void> {
    process.stderr.write(
      `The kubelet ended by itself. The end of its log:\n${await this.lastLines()}\n`,
    )
  }

  #configuration(): string {
    const { caFile, socketPath, port, configuration } = this.#options
    return stringify({
      kind: 'KubeletConfiguration',
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      address: '127.0.0.1',
      port,
      healthzPort: 0,
      readOnlyPort: 0,
      authentication: { x509: { clientCAFile: caFile } },
      cgroupsPerQOS: false,
      enforceNodeAllocatable: [],
      failSwapOn: false,
      failCgroupV1: false,
      containerRuntimeEndpoint: `unix://${socketPath}`,
      staticPodPath: this.manifests,
      podLogsDir: this.podLogs,
      featureGates: { KubeletInUserNamespace: true },
      ...configuration,
    })
  }
}
