import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { CommandCase } from '../../../../../test/commands/command-cases.ts'
import { commandCases, killAfter } from '../../../../../test/commands/command-cases.ts'
import { outputCases } from '../../../../../test/commands/output-cases.ts'
import type { Dialect } from './syntax/syntax.ts'

// Checks the table itself, against the shells of the machine, each as PID 1 of a PID namespace. In
// real time and as root, so only when asked for: NODESCOPE_REAL_SHELLS=1.
const isAskedFor = process.env['NODESCOPE_REAL_SHELLS'] === '1'

const shells: readonly { readonly argv: readonly string[]; readonly dialect: Dialect }[] = [
  { argv: ['dash'], dialect: 'sh' },
  { argv: [process.env['NODESCOPE_BUSYBOX'] ?? 'busybox', 'ash'], dialect: 'sh' },
  { argv: ['bash'], dialect: 'bash' },
]

const asFirstOfNamespace = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']

/** The process that unshare started: PID 1 of the new namespace. */
async function firstChild(pid: number): Promise<number> {
  for (;;) {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    if (child !== undefined && child !== '') return Number(child)
    await pause(2)
  }
}

async function runReal(
  argv: readonly string[],
  one: CommandCase,
): Promise<{ exitCode: number; at: number }> {
  const [program, ...rest] = [...asFirstOfNamespace, ...argv, '-c', one.script]
  const unshare = spawn(program ?? '', rest, { stdio: 'ignore' })
  const ended = new Promise<number>((resolve) => {
    unshare.on('exit', (code) => {
      resolve(code ?? -1)
    })
  })
  const startedAt = performance.now()
  const controller = new AbortController()
  let isKilled = false
  const signals = async (): Promise<void> => {
    if (one.term === undefined) return
    const main = await firstChild(unshare.pid ?? 0)
    await pause(one.term * 1000, undefined, { signal: controller.signal })
    process.kill(main, 'SIGTERM')
    await pause(killAfter * 1000, undefined, { signal: controller.signal })
    isKilled = true
    process.kill(main, 'SIGKILL')
  }
  // Aborted when the shell has ended.
  const sending = signals().catch(() => undefined)
  const exitCode = await ended
  const at = Math.round((performance.now() - startedAt) / 100) / 10
  controller.abort()
  await sending
  return { exitCode: isKilled ? 137 : exitCode, at }
}

function isInstalled(argv: readonly string[]): boolean {
  return spawnSync(argv[0] ?? '', [...argv.slice(1), '-c', ':']).status === 0
}

describe.concurrent('the table of commands, in real shells', () => {
  it.skipIf(isAskedFor)('is checked only when asked for', ({ skip }) => {
    skip('set NODESCOPE_REAL_SHELLS=1, as root on an idle machine')
  })
  for (const { argv, dialect } of isAskedFor ? shells : []) {
    const cases = commandCases.filter((one) => one.only === undefined || one.only === dialect)
    const title = `${argv.join(' ')} -c $script`
    it.runIf(isInstalled(argv)).for(cases)(title, { timeout: 30_000 }, async (one) => {
      const real = await runReal(argv, one)
      expect(real.exitCode).toBe(one.exitCode)
      expect(Math.abs(real.at - one.at)).toBeLessThanOrEqual(0.4)
    })
  }
})

const busybox = process.env['NODESCOPE_BUSYBOX'] ?? '/usr/bin/busybox'

/** A folder with busybox under the names of its applets. */
function appletFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'applets-'))
  const { stdout } = spawnSync(busybox, ['--list'], { encoding: 'utf8' })
  for (const name of stdout.split('\n').filter(Boolean)) symlinkSync(busybox, join(folder, name))
  return folder
}

describe('the table of outputs, in busybox', () => {
  it.runIf(isAskedFor).for(outputCases)('$script', ({ script, ...expected }) => {
    const applets = appletFolder()
    const cwd = mkdtempSync(join(tmpdir(), 'script-'))
    const { stdout, stderr, status } = spawnSync(join(applets, 'sh'), ['-c', script], {
      argv0: 'sh',
      cwd,
      encoding: 'utf8',
      env: { PATH: applets, HOME: '/root' },
    })
    rmSync(applets, { recursive: true })
    rmSync(cwd, { recursive: true })
    expect({ stdout, stderr, exitCode: status }).toEqual(expected)
  })
})
