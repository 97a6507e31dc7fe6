import { spawnElectron } from './electron-program.ts'
import type { RunningProcess } from './running-process.ts'
import { spawnWebHost } from './web-program.ts'

/** Starts the program on a host without its page. */
export function spawnHost(host: 'web' | 'electron', args: readonly string[]): RunningProcess {
  return host === 'electron' ? spawnElectron(args) : spawnWebHost(args)
}

/** Waits for a program to exit; returns its exit code and its output. */
export async function endOf(
  running: RunningProcess,
): Promise<{ readonly code: number | null; readonly said: string }> {
  try {
    const { code } = await running.ended()
    return { code, said: running.stderr.trim() }
  } finally {
    running.destroy()
  }
}
