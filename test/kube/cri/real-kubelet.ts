import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import {
  manifestsIn,
  podLogsIn,
  writeKubeletConfiguration,
  type ConfigurationOptions,
} from './kubelet-configuration.ts'

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
export interface RealKubeletOptions extends ConfigurationOptions {
  readonly file: string
  readonly nodeName: string
  readonly kubeconfig: string
  readonly socketPath: string
  /** Absent: it finds the machine's own, without which pods have no host IP. */
  readonly nodeIp?: string
  /** Of its log. Default: 2. */
  readonly verbosity?: number
  /** Files that it sees instead of others: the file, and what it hides. */
  readonly mounts?: readonly (readonly [string, string])[] | undefined
}

const killAfterMs = 10_000

/** Folders of the machine that it would write into, whatever its configuration says. */
const hiddenFolders = ['/var/lib', '/var/log', '/usr/libexec']

/** The program that becomes a kubelet in a user and mount namespace of its own, and its arguments. */
export function kubeletCommand(
  options: Pick<
    RealKubeletOptions,
    'file' | 'folder' | 'kubeconfig' | 'nodeName' | 'nodeIp' | 'verbosity' | 'mounts'
  >,
  config: string,
): readonly [string, ...string[]] {
  const { file, folder, kubeconfig, nodeName, nodeIp, verbosity = 2, mounts = [] } = options
  const all = [
    ...hiddenFolders.map((path) => `mount -t tmpfs none ${path}`),
    ...mounts.map(([own, hidden]) => `mount --bind '${own}' ${hidden}`),
  ]
  return [
    'unshare',
    '-r',
    '-m',
    'sh',
    '-c',
    `${all.join(' && ')} && exec "$@"`,
    'sh',
    file,
    `--config=${config}`,
    `--kubeconfig=${kubeconfig}`,
    `--root-dir=${join(folder, 'root')}`,
    `--cert-dir=${join(folder, 'certs')}`,
    `--hostname-override=${nodeName}`,
    ...(nodeIp === undefined ? [] : [`--node-ip=${nodeIp}`]),
    `-v=${verbosity}`,
  ]
}

/**
 * A real kubelet in a user and mount namespace of its own, on loopback: it needs no root and leaves nothing on the
 * machine. It can be started again after it was stopped.
 */
export class RealKubelet {
  readonly manifests: string
  readonly podLogs: string
  readonly logFile: string
  #options: RealKubeletOptions
  #process: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()

  constructor(options: RealKubeletOptions) {
    this.#options = options
    this.manifests = manifestsIn(options.folder)
    this.podLogs = podLogsIn(options.folder)
    this.logFile = join(options.folder, 'kubelet.log')
  }

  /** Replaces fields of its KubeletConfiguration, from its next start. */
  configure(fields: ConfigurationOptions['fields']): void {
    this.#options = { ...this.#options, fields: { ...this.#options.fields, ...fields } }
  }

  async start(): Promise<void> {
    const { folder } = this.#options
    const config = await writeKubeletConfiguration(this.#options)
    const log = createWriteStream(this.logFile, { flags: 'a' })
    const [program, ...args] = kubeletCommand(this.#options, config)
    const child = spawn(program, args, {
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
}
