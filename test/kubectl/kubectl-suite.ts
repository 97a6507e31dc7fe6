import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findKubectls, minorOf, type KubectlProgram } from './kubectl-programs.ts'
import { kubectlAt, type Kubectl } from './kubectl.ts'
import { startSandbox, type SandboxUnderTest } from './sandbox-under-test.ts'
import { newScene, type Scene } from './scenes.ts'

const kubectls = await findKubectls(process.env)

/** One kubectl against one sandbox, which tests of other versions use at the same time. */
export interface KubectlContext {
  /** 33 of v1.33.1. */
  readonly minor: number
  /** Begins every name that is not in a namespace of the test's own. */
  readonly prefix: string
  readonly sandbox: SandboxUnderTest
  readonly kubectl: Kubectl
  /** The same program with a token that the sandbox does not know. */
  readonly stranger: Kubectl
  /** A new namespace. */
  readonly scene: () => Promise<Scene>
}

class Suite {
  #folder = ''
  #sandbox: SandboxUnderTest | undefined
  readonly #kubectls = new Map<KubectlProgram, readonly [own: Kubectl, stranger: Kubectl]>()
  #scenes = 0

  async start(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'nodescope-kubectl-'))
    const sandbox = await startSandbox(this.#folder)
    this.#sandbox = sandbox
    for (const program of kubectls) {
      const own = await kubectlAt(program, this.#folder, sandbox.kubeconfig)
      const stranger = await kubectlAt(program, this.#folder, sandbox.wrongKubeconfig)
      this.#kubectls.set(program, [own, stranger])
    }
  }

  async stop(): Promise<void> {
    await this.#sandbox?.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  get sandbox(): SandboxUnderTest {
    if (this.#sandbox === undefined) throw new Error('the sandbox runs only while tests do')
    return this.#sandbox
  }

  contextOf(program: KubectlProgram): KubectlContext {
    const [kubectl, stranger] = this.#kubectls.get(program) ?? []
    if (kubectl === undefined || stranger === undefined) throw new Error('no such kubectl')
    const prefix = program.version.replaceAll(/[^\da-z]/g, '-')
    return {
      minor: minorOf(program),
      prefix,
      sandbox: this.sandbox,
      kubectl,
      stranger,
      scene: () => newScene(this.sandbox, `${prefix}-${this.#scenes++}`),
    }
  }
}

/** Adds a test. All of them run at once, so each keeps to a namespace of its own. */
export type AddTest = (title: string, test: (context: KubectlContext) => Promise<void>) => void

/**
 * Tests with every kubectl that is found, or with the oldest and the newest of them where versions do
 * not differ. Without any kubectl there is nothing to run, and nothing fails.
 */
export function describeKubectl(
  title: string,
  versions: 'every version' | 'oldest and newest',
  addTests: (test: AddTest) => void,
): void {
  const programs =
    versions === 'every version'
      ? kubectls
      : [...new Set([...kubectls.slice(0, 1), ...kubectls.slice(-1)])]
  describe.runIf(programs.length > 0)(title, { timeout: 120_000 }, () => {
    const suite = new Suite()
    beforeAll(() => suite.start())
    afterAll(() => suite.stop())
    describe.each(programs)('kubectl $version', (program) => {
      addTests((name, test) => {
        it.concurrent(name, () => test(suite.contextOf(program)))
      })
    })
    it('left nothing in the log of the server', () => {
      expect(suite.sandbox.logged).toEqual([])
    })
  })
}

/** Lines with one blank between columns, however wide they are. */
export function lines(output: string): readonly string[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' ').trimEnd())
}
