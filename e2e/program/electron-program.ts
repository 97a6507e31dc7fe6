import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { _electron } from 'playwright/test'
import type { ElectronApplication, TestInfo } from 'playwright/test'
import type { Program } from './program.ts'
import { watchErrors, whenOpened } from './program.ts'
import { repository } from './repository.ts'
import { RunningProcess } from './running-process.ts'

/** The executable named by the environment (scripts/e2e.mjs sets it), else that of the installed package. */
function electronPath(): string {
  const given = process.env['E2E_ELECTRON']
  if (given !== undefined) return given
  const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
  const pathFile = join(folder, 'path.txt')
  if (!existsSync(pathFile)) throw new Error('The Electron binary is not installed.')
  return join(folder, 'dist', readFileSync(pathFile, 'utf8').trim())
}

function electronArguments(args: readonly string[]): string[] {
  const isRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0
  return [...(isRootOnLinux ? ['--no-sandbox'] : []), repository, ...args]
}

/** Starts Electron without its window, for starts that exit early. */
export function spawnElectron(args: readonly string[]): RunningProcess {
  const child = spawn(electronPath(), electronArguments(args), {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new RunningProcess(child)
}

async function countFocus(app: ElectronApplication): Promise<() => Promise<number>> {
  await app.evaluate(({ BrowserWindow }) => {
    const counted = globalThis as { focusCount?: number }
    counted.focusCount = 0
    BrowserWindow.getAllWindows()[0]?.on('focus', () => {
      counted.focusCount = (counted.focusCount ?? 0) + 1
    })
  })
  return () => app.evaluate(() => (globalThis as { focusCount?: number }).focusCount ?? 0)
}

/** Starts Electron, or the executable from the environment, with the built program. */
export async function startElectronProgram(
  dataFolder: string,
  args: readonly string[],
  testInfo: TestInfo,
): Promise<Program> {
  const app = await _electron.launch({
    executablePath: electronPath(),
    args: electronArguments(['--data-dir', dataFolder, ...args]),
    cwd: '/',
  })
  const running = new RunningProcess(app.process())
  // As playwright.config.ts says for the web host.
  const isTraced = process.env['CI'] === undefined || testInfo.retry > 0
  if (isTraced) await app.context().tracing.start({ screenshots: true, snapshots: true })
  const page = await app.firstWindow()
  const pageErrors = watchErrors(page)
  // The window opens before its page is loaded.
  await whenOpened(page)
  return {
    page,
    process: running,
    dataFolder,
    pageErrors,
    focusCount: await countFocus(app),
    chooseInMenu: async (id) => {
      await app.evaluate(({ Menu }, item) => {
        const found = Menu.getApplicationMenu()?.getMenuItemById(item)
        if (found === undefined || found === null) throw new Error(`The menu has no item ${item}.`)
        found.click()
      }, id)
    },
    stop: async () => {
      const hasFailed = testInfo.status !== testInfo.expectedStatus
      if (isTraced)
        await app
          .context()
          .tracing.stop(hasFailed ? { path: testInfo.outputPath('trace.zip') } : {})
      await app.close()
      await running.ended()
    },
  }
}
