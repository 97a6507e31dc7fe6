import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { busyboxArchive, type Image } from './oci-image.ts'
import { startRegistry, type Registry } from './registry.ts'

const run = promisify(execFile)

/** The programs that it takes, by their packages of Debian. */
const packages: Readonly<Record<string, readonly string[]>> = {
  containerd: ['containerd', 'ctr'],
  runc: ['runc'],
  'busybox-static': ['busybox'],
}
/** Where Debian and others have CNI's plugins. */
const pluginFolders = ['/usr/lib/cni', '/opt/cni/bin']
const plugins = ['ptp', 'host-local', 'loopback']
const readyWithinMs = 30_000
const pauseImage = 'registry.k8s.io/pause:3.10'

function isThere(file: string, mode = constants.X_OK): boolean {
  try {
    accessSync(file, mode)
    return true
  } catch {
    return false
  }
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.map((folder) => join(folder, name)).find((file) => isThere(file))
}

function pluginFolder(): string | undefined {
  return pluginFolders.find((folder) => plugins.every((name) => isThere(join(folder, name))))
}

/** Why no containers run on this machine, in one clause; undefined: they do. */
export function whyNoContainers(): string | undefined {
  if (process.platform !== 'linux') return 'real containers need Linux'
  if (process.getuid?.() !== 0) return 'real containers need root'
  const missing = Object.entries(packages)
    .filter(([, programs]) => programs.some((name) => findProgram(name) === undefined))
    .map(([name]) => name)
  if (pluginFolder() === undefined) missing.push('containernetworking-plugins')
  if (missing.length > 0) return `not installed here: ${missing.join(', ')} (packages of Debian)`
  if (!isThere('/sys/fs/cgroup', constants.W_OK)) return 'the cgroups here are read-only'
  return undefined
}

/** How it is configured, beside the folders. */
interface ContainerdOptions {
  readonly systemdCgroup?: boolean
}

function configuration(folder: string, { systemdCgroup = false }: ContainerdOptions): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"'
  // Snapshots are copies: an overlay cannot be on an overlay, which the folder may be.
  return `version = 2
root = "${folder}/root"
state = "${folder}/state"
[grpc]
address = "${folder}/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
path = "${folder}/opt"
[${cri}]
sandbox_image = "${pauseImage}"
restrict_oom_score_adj = true
disable_apparmor = true
netns_mounts_under_state_dir = true
[${cri}.cni]
bin_dir = "${pluginFolder() ?? ''}"
conf_dir = "${folder}/cni"
[${cri}.registry]
config_path = "${folder}/registries"
[${cri}.containerd]
snapshotter = "native"
[${cri}.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[${cri}.containerd.runtimes.runc.options]
Root = "${folder}/state/runc"
SystemdCgroup = ${systemdCgroup}
`
}

function hosts(url: string): string {
  return `server = "${url}"\n[host."${url}"]\ncapabilities = ["pull", "resolve"]\n`
}

/** A pair of interfaces for each pod: nothing is left of it without the pod. Each containerd has addresses of its own. */
function network(folder: string): object {
  const part = process.pid % (55 * 256)
  const subnet = `10.${200 + Math.floor(part / 256)}.${part % 256}.0/24`
  const routes = [{ dst: '0.0.0.0/0' }]
  const ipam = { type: 'host-local', subnet, routes, dataDir: join(folder, 'addresses') }
  return {
    cniVersion: '0.4.0',
    name: 'nodescope',
    plugins: [{ type: 'ptp', ipMasq: false, ipam }],
  }
}

/**
 * A containerd of our own, which shares nothing with one that the machine may have. It ends with `stop`, and when this
 * process is killed, with all of its containers, mounts and interfaces.
 */
export class Containerd {
  readonly folder: string
  readonly socketPath: string
  readonly #supervisor: ChildProcessByStdio<Writable, null, null>
  readonly #ended: Promise<void>
  readonly #registry: Registry

  private constructor(folder: string, registry: Registry) {
    this.#registry = registry
    this.folder = folder
    this.socketPath = join(folder, 'containerd.sock')
    const script = join(import.meta.dirname, 'supervisor.sh')
    const args = [script, folder, findProgram('containerd') ?? '']
    this.#supervisor = spawn('sh', args, {
      stdio: ['pipe', 'ignore', 'inherit'],
      // A group of its own: Ctrl-C is for this process.
      detached: true,
    })
    this.#supervisor.stdin.on('error', () => undefined)
    this.#ended = new Promise((resolve) =>
      this.#supervisor.once('close', () => {
        resolve()
      }),
    )
  }

  /** With busybox under each name, and the image of sandboxes; others are pulled from a registry of its own (registry.ts). */
  static async start(
    images: readonly Image[],
    options: ContainerdOptions = {},
  ): Promise<Containerd> {
    const folder = await mkdtemp(join(tmpdir(), 'nodescope-containerd-'))
    const busybox = findProgram('busybox') ?? ''
    const registry = await startRegistry(busybox)
    await mkdir(join(folder, 'cni'))
    // The registry that it asks, whatever the image's name says.
    await mkdir(join(folder, 'registries', '_default'), { recursive: true })
    await writeFile(join(folder, 'registries', '_default', 'hosts.toml'), hosts(registry.url))
    await writeFile(join(folder, 'config.toml'), configuration(folder, options))
    await writeFile(join(folder, 'cni', '10-pods.conflist'), JSON.stringify(network(folder)))
    const pause = { name: pauseImage, command: ['sleep', 'infinity'], user: '65535' }
    const archive = join(folder, 'images.tar')
    await writeFile(archive, busyboxArchive(busybox, [pause, ...images]))
    const containerd = new Containerd(folder, registry)
    try {
      await containerd.begin()
      await containerd.ctr('images', 'import', archive)
      return containerd
    } catch (error) {
      await containerd.stop()
      throw error
    }
  }

  /** Starts it, again after `kill`; its containers are still there. */
  async begin(): Promise<void> {
    this.#supervisor.stdin.write('start\n')
    const limit = Date.now() + readyWithinMs
    while (!(await this.#isServing())) {
      if (Date.now() > limit) throw new Error(`containerd does not start:\n${await this.log()}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** SIGKILL for containerd itself; its containers stay. */
  async kill(): Promise<void> {
    this.#supervisor.stdin.write('kill\n')
    while (await this.#isServing()) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  /** Its own client, in the namespace of CRI. */
  async ctr(...args: readonly string[]): Promise<string> {
    const given = ['--address', this.socketPath, '--namespace', 'k8s.io', ...args]
    const { stdout } = await run(findProgram('ctr') ?? '', given)
    return stdout
  }

  /** The end of its log. */
  async log(): Promise<string> {
    const text = await readFile(join(this.folder, 'containerd.log'), 'utf8').catch(() => '')
    return text.trimEnd().split('\n').slice(-25).join('\n')
  }

  /** Ends everything and removes the folder. Idempotent. */
  async stop(): Promise<void> {
    this.#supervisor.stdin.end()
    await this.#ended
    this.#registry.stop()
  }

  #isServing(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.socketPath)
      const finish = (isOpen: boolean) => () => {
        socket.destroy()
        resolve(isOpen)
      }
      socket.once('connect', finish(true))
      socket.once('error', finish(false))
    })
  }
}
