import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findKubectls, minorOf, type KubectlProgram } from './kubectl-programs.ts'
import { kubectlAt, type Kubectl } from './kubectl.ts'
import { startSandbox, type SandboxUnderTest } from './sandbox-under-test.ts'
import { createTestNamespace, type TestNamespace } from './test-namespace.ts'

const kubectls = await findKubectls(process.env)

/** One kubectl and the sandbox that the tests of all versions share. */
export interface KubectlContext {
  /** 33 of v1.33.1. */
  readonly minor: number
  /** The prefix of every name outside the namespaces of the test. */
  readonly prefix: string
  readonly sandbox: SandboxUnderTest
  readonly kubectl: Kubectl
  /** The same program with a token that the sandbox does not know. */
  readonly unauthorized: Kubectl
  /** A new namespace. */
  readonly newNamespace: () => Promise<TestNamespace>
}

class Suite {
  #folder = ''
  #sandbox: SandboxUnderTest | undefined
  readonly #kubectls = new Map<KubectlProgram, readonly [own: Kubectl, unauthorized: Kubectl]>()
  #namespaces = 0

  async start(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'nodescope-kubectl-'))
    const sandbox = await startSandbox(this.#folder)
    this.#sandbox = sandbox
    for (const program of kubectls) {
      const own = await kubectlAt(program, this.#folder, sandbox.kubeconfig)
      const unauthorized = await kubectlAt(program, this.#folder, sandbox.wrongKubeconfig)
      this.#kubectls.set(program, [own, unauthorized])
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
    const [kubectl, unauthorized] = this.#kubectls.get(program) ?? []
    if (kubectl === undefined || unauthorized === undefined) throw new Error('no such kubectl')
    const prefix = program.version.replaceAll(/[^\da-z]/g, '-')
    return {
      minor: minorOf(program),
      prefix,
      sandbox: this.sandbox,
      kubectl,
      unauthorized,
      newNamespace: () => createTestNamespace(this.sandbox, `${prefix}-${this.#namespaces++}`),
    }
  }
}

/** Adds a test. All tests run concurrently, so each uses its own namespace. */
export type AddTest = (title: string, test: (context: KubectlContext) => Promise<void>) => void

/**
 * Runs tests with every kubectl on this machine, or with the oldest and the newest if versions do not differ. Without a kubectl,
 * no test runs or fails.
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
    it('leaves the log of the server empty', () => {
      expect(suite.sandbox.logged).toEqual([])
    })
  })
}

/** The lines of a table with one blank between columns. */
export function lines(output: string): readonly string[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' ').trimEnd())
}
