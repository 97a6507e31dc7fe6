import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base } from 'playwright/test'
import type { Browser, TestInfo } from 'playwright/test'
import { KubeUser } from './kube/kube-user.ts'
import { startElectronProgram } from './program/electron-program.ts'
import type { Program } from './program/program.ts'
import { hasProcesses } from './program/running-process.ts'
import { startWebProgram } from './program/web-program.ts'

export { expect }

export interface HostOptions {
  /** The host of this project's tests. */
  readonly host: 'web' | 'electron'
}

interface ProgramFixtures {
  /** Arguments of the program in addition to its data folder; set with `test.use`. */
  readonly programArguments: readonly string[]
  /** A temporary folder of this test, removed afterwards. */
  readonly folder: string
  /** The running program, with its page open. Stopped afterwards, without leftovers. */
  readonly program: Program
  /** A user of the sandbox's API server, with kubectl if it is installed. */
  readonly kube: KubeUser
}

interface WorkerFixtures extends HostOptions {
  /** The browser for pages of the web host, launched on first use. */
  readonly launchedBrowser: () => Promise<Browser>
}

async function stopProgram(program: Program): Promise<void> {
  const { process } = program
  try {
    await program.stop()
    expect(await process.ended()).toEqual({ code: 0, signal: null })
    await expect
      .poll(() => hasProcesses(process.pid), { message: 'processes left behind' })
      .toBe(false)
  } finally {
    process.destroy()
  }
}

async function attachOutput(program: Program, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return
  const { stdout, stderr } = program.process
  await testInfo.attach('program output', { body: `${stdout}\n--- stderr\n${stderr}` })
}

export const test = base.extend<ProgramFixtures, WorkerFixtures>({
  host: ['web', { option: true, scope: 'worker' }],
  launchedBrowser: [
    async ({ playwright }, use) => {
      let browser: Promise<Browser> | undefined
      await use(() => (browser ??= playwright.chromium.launch()))
      await (await browser)?.close()
    },
    { scope: 'worker' },
  ],

  programArguments: [[], { option: true }],
  folder: async ({ host }, use) => {
    const folder = await mkdtemp(join(tmpdir(), `nodescope-e2e-${host}-`))
    await use(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  },

  program: async ({ host, folder, programArguments, launchedBrowser }, use, testInfo) => {
    const dataFolder = join(folder, 'data')
    const program =
      host === 'electron'
        ? await startElectronProgram(dataFolder, programArguments, testInfo)
        : await startWebProgram(await launchedBrowser(), dataFolder, programArguments)
    await use(program)
    await attachOutput(program, testInfo)
    await stopProgram(program)
  },

  kube: async ({ program }, use) => {
    await use(await KubeUser.read(join(program.dataFolder, 'sandbox.kubeconfig')))
  },
})
