import { spawn } from 'node:child_process'
import type { Browser } from 'playwright/test'
import type { Program } from './program.ts'
import { watchErrors, whenOpened } from './program.ts'
import { repository } from './repository.ts'
import { RunningProcess } from './running-process.ts'

/** Starts the web host without a page. Its working folder is `/`: nothing may be read from there. */
export function spawnWebHost(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningProcess {
  return spawnNode(`${repository}/out/main/host.js`, args, environment)
}

/** What `npm start` runs. */
export function spawnStartScript(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningProcess {
  return spawnNode(`${repository}/scripts/start.mjs`, args, environment)
}

function spawnNode(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): RunningProcess {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: '/',
    env: { ...process.env, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new RunningProcess(child)
}

/** Starts the web host and opens the address that it prints. */
export async function startWebProgram(
  browser: Browser,
  dataFolder: string,
  args: readonly string[],
): Promise<Program> {
  const running = spawnWebHost(['--data-dir', dataFolder, ...args])
  const context = await browser.newContext()
  const page = await context.newPage()
  const pageErrors = watchErrors(page)
  await page.goto(await running.fact('dashboard'))
  await whenOpened(page)
  return {
    page,
    process: running,
    dataFolder,
    pageErrors,
    focusCount: () => Promise.resolve(0),
    stop: async () => {
      await context.close()
      running.signal('SIGTERM')
      await running.ended()
    },
  }
}
