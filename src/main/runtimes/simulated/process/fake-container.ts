import { nodeClockHost } from '../../../clock/node-clock-host.ts'
import { VirtualClock } from '../../../clock/virtual-clock.ts'
import type { CommandLine } from '../shell/command-line.ts'
import { readCommand } from '../shell/command-line.ts'
import type { ProcessExit } from './container-process.ts'
import { ContainerProcess } from './container-process.ts'

/** One command on its own clock, which starts at 0. */
export class FakeContainer {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  readonly process: ContainerProcess
  readonly unreadable: string[] = []
  exit: (ProcessExit & { readonly at: number }) | undefined

  constructor(line: Partial<CommandLine>) {
    this.process = new ContainerProcess({
      clock: this.clock,
      command: readCommand({
        image: 'busybox:1.36',
        command: [],
        args: [],
        environment: new Map(),
        ...line,
      }),
      owner: {
        onExit: (exit) => {
          this.exit = { ...exit, at: this.clock.now() }
        },
        onUnreadable: (why) => this.unreadable.push(why),
      },
    })
    this.process.start()
  }

  /** Advances the clock. */
  async seconds(count: number): Promise<void> {
    await this.clock.advance(Math.round(count * 1000))
  }
}

/** A script run by `sh -c` or `bash -c`. */
export function fakeShell(script: string, shell = 'sh'): FakeContainer {
  return new FakeContainer({ command: [shell, '-c', script] })
}
