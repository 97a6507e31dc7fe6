import { nodeClockHost } from '../../../clock/node-clock-host.ts'
import { VirtualClock } from '../../../clock/virtual-clock.ts'
import type { CommandLine } from '../shell/command-line.ts'
import { readCommand } from '../shell/command-line.ts'
import type { OutputStream } from '../shell/syntax/syntax.ts'
import { containerFiles } from '../files/container-root.ts'
import type { FileTree } from '../files/file-tree.ts'
import { ContainerNetwork } from '../network/container-network.ts'
import { OpenPorts } from '../network/listener.ts'
import { SimulatedNetwork } from '../network/simulated-network.ts'
import type { ProcessExit } from './container-process.ts'
import { ContainerProcess } from './container-process.ts'

interface FakeContainerOptions {
  /** Whether its output is wanted. */
  readonly hasOutput?: boolean
  /** Whether output is wanted as it happens. */
  readonly isWatched?: boolean
  /** More files, by path. */
  readonly files?: Readonly<Record<string, string>>
}

/** One command on its own clock, which starts at 0. */
export class FakeContainer {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  readonly process: ContainerProcess
  readonly unreadable: string[] = []
  exit: (ProcessExit & { readonly at: number }) | undefined

  readonly output: Record<OutputStream, string> = { stdout: '', stderr: '' }
  readonly files: FileTree

  constructor(line: Partial<CommandLine>, options: FakeContainerOptions = {}) {
    this.files = containerFiles({
      image: line.image ?? 'busybox:1.36',
      folder: '',
      sandbox: { hostname: 'web', resolvConf: '', address: '10.0.0.1' },
      mounts: [],
      mounted: [],
      clock: this.clock,
    })
    const network = new ContainerNetwork({
      place: { network: new SimulatedNetwork(), ports: new OpenPorts(), address: '10.0.0.1' },
      namespace: 'default',
      owner: { listenerOf: (listener) => listener },
    })
    for (const [path, text] of Object.entries(options.files ?? {})) {
      this.files.makeFolders(path.replace(/\/[^/]*$/, ''))
      this.files.write(path, text)
    }
    const append = (stream: OutputStream) => (text: string) => {
      this.output[stream] += text
    }
    this.process = new ContainerProcess({
      clock: this.clock,
      ...(options.hasOutput === true
        ? {
            streams: {
              stdout: append('stdout'),
              stderr: append('stderr'),
              ...(options.isWatched === false ? { isWatched: () => false } : {}),
            },
          }
        : {}),
      owner: {
        files: () => this.files,
        network: () => network,
        commandLine: '',
        folder: '',
        onExit: (exit) => {
          this.exit = { ...exit, at: this.clock.now() }
        },
        onUnreadable: (why) => this.unreadable.push(why),
      },
    })
    const command = readCommand({
      image: 'busybox:1.36',
      command: [],
      args: [],
      environment: new Map(),
      ...line,
    })
    this.process.start(command)
  }

  /** Advances the clock. */
  async seconds(count: number): Promise<void> {
    await this.clock.advance(Math.round(count * 1000))
  }
}

/** A script run by `sh -c` or `bash -c`. */
export function fakeShell(
  script: string,
  shell = 'sh',
  options: FakeContainerOptions = {},
): FakeContainer {
  return new FakeContainer({ command: [shell, '-c', script] }, options)
}
