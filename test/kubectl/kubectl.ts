import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { KubectlProgram } from './kubectl-programs.ts'

export interface KubectlOutput {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const timeLimitMs = 120_000

/** A kubectl command under way. */
export class RunningKubectl {
  stdout = ''
  stderr = ''
  readonly done: Promise<KubectlOutput>
  readonly #child: ChildProcess
  #wake: () => void = () => undefined

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
      this.#wake()
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    const limit = setTimeout(() => child.kill('SIGKILL'), timeLimitMs)
    this.done = new Promise((resolve) => {
      child.once('close', (code) => {
        clearTimeout(limit)
        this.#wake()
        resolve({ code, stdout: this.stdout, stderr: this.stderr })
      })
    })
  }

  /** Resolves when it has printed this much; rejects when it ends without. */
  async printed(pattern: RegExp): Promise<void> {
    const ended = this.done.then(() => true)
    while (!pattern.test(this.stdout)) {
      const more = new Promise<false>((resolve) => {
        this.#wake = () => {
          resolve(false)
        }
      })
      const isOver = await Promise.race([more, ended])
      if (isOver && !pattern.test(this.stdout)) {
        throw new Error(`kubectl ended without ${pattern}: ${this.stdout}${this.stderr}`)
      }
    }
  }

  /** Ctrl-C. */
  async interrupt(): Promise<KubectlOutput> {
    this.#child.kill('SIGINT')
    return this.done
  }
}

/** One kubectl with a home of its own (an empty discovery cache) and a kubeconfig. */
export class Kubectl {
  readonly #program: KubectlProgram
  readonly #home: string
  readonly #kubeconfig: string

  constructor(program: KubectlProgram, home: string, kubeconfig: string) {
    this.#program = program
    this.#home = home
    this.#kubeconfig = kubeconfig
  }

  start(
    args: readonly string[],
    stdin = '',
    environment: Readonly<Record<string, string>> = {},
  ): RunningKubectl {
    const child = spawn(this.#program.path, args, {
      env: {
        HOME: this.#home,
        KUBECONFIG: this.#kubeconfig,
        PATH: process.env['PATH'] ?? '',
        ...environment,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // It may end without having read it.
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
    return new RunningKubectl(child)
  }

  run(args: readonly string[], stdin = ''): Promise<KubectlOutput> {
    return this.start(args, stdin).done
  }

  /** What it prints; throws with what it said when it fails. */
  async must(args: readonly string[], stdin = ''): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, stdin)
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${code}\n${stdout}${stderr}`)
    return stdout
  }
}

/** A kubectl with a home below the folder, so that runs of several versions do not share caches. */
export async function kubectlAt(
  program: KubectlProgram,
  folder: string,
  kubeconfig: string,
): Promise<Kubectl> {
  const home = join(folder, `home-${program.version}-${program.path.replaceAll('/', '_')}`)
  await mkdir(home, { recursive: true })
  return new Kubectl(program, home, kubeconfig)
}
