import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Whether there is a kubectl on this machine. */
export const hasKubectl =
  spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0

/** Runs kubectl against a kubeconfig; its stdout, or an Error with its stderr. */
export async function kubectl(kubeconfig: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('kubectl', ['--kubeconfig', kubeconfig, ...args], {
    timeout: 45_000,
    // Neither the user's own kubeconfig nor caches of other servers.
    env: { ...process.env, KUBECONFIG: kubeconfig, KUBECACHEDIR: `${kubeconfig}.cache` },
  })
  return stdout
}
