import { execFile } from 'node:child_process'
import { delimiter } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

const mark = 'NODESCOPE_PATH='
const deadlineMs = 3000

/** PATH of the user's login shell; empty if it does not say in time. A program that a desktop starts has not read it. */
async function loginShellPath(environment: Environment): Promise<string> {
  const shell = environment['SHELL'] ?? ''
  if (shell === '' || process.platform === 'win32') return ''
  return await new Promise((resolve) => {
    const script = `printf '\\n${mark}%s\\n' "$PATH"`
    const options = { env: { ...environment }, timeout: deadlineMs, killSignal: 'SIGKILL' } as const
    const child = execFile(shell, ['-l', '-c', script], options, (error, stdout) => {
      const line = error === null ? stdout.split('\n').find((one) => one.startsWith(mark)) : ''
      resolve(line?.slice(mark.length) ?? '')
    })
    child.stdin?.end()
  })
}

/** The environment with what the login shell's PATH has besides. */
export async function withLoginPath(environment: Environment): Promise<Environment> {
  const folders = [environment['PATH'] ?? '', await loginShellPath(environment)]
    .flatMap((path) => path.split(delimiter))
    .filter((folder) => folder !== '')
  return { ...environment, PATH: [...new Set(folders)].join(delimiter) }
}
