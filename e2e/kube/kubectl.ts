import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Whether there is a kubectl on this machine. */
export const hasKubectl =
  spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0

/** Runs kubectl against a kubeconfig; its stdout, or an Error with its stderr. */
export async function kubectl(kubeconfig: string, args: readonly string[]): Promise<string> {
  const own = ['--kubeconfig', kubeconfig, '--cache-dir', `${kubeconfig}.cache`]
  const { stdout } = await run('kubectl', [...own, ...args], { timeout: 45_000 })
  return stdout
}
