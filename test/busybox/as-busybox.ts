import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeContainer } from '../../src/main/runtimes/simulated/process/fake-container.ts'

/** What a command has printed, its status, and its folder after it. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
  readonly files: Readonly<Record<string, string>>
}

const busybox = process.env['NODESCOPE_BUSYBOX'] ?? '/usr/bin/busybox'

/** Whether busybox has all these programs. */
export function hasApplets(names: readonly string[]): boolean {
  const applets = spawnSync(busybox, ['--list'], { encoding: 'utf8' }).stdout
  // Absent where busybox is not installed.
  const lines = (applets as string | null)?.split('\n') ?? []
  return names.every((name) => lines.includes(name))
}

/** The command in the real busybox, in a folder with these files; `stdin` names one of them. */
export function inBusybox(
  command: readonly string[],
  files: Readonly<Record<string, string>>,
  stdin = '',
): Outcome {
  const cwd = mkdtempSync(join(tmpdir(), 'busybox-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  const options = {
    cwd,
    encoding: 'utf8',
    input: files[stdin] ?? '',
    env: { PATH: '', LC_ALL: 'C' },
  } as const
  const { stdout, stderr, status } = spawnSync(busybox, command, options)
  const after = Object.fromEntries(
    readdirSync(cwd).map((name) => [name, readFileSync(join(cwd, name), 'utf8')]),
  )
  rmSync(cwd, { recursive: true })
  return { stdout, stderr, status, files: after }
}

/** The same in a simulated container; a text is why it is not read. */
export async function inContainer(
  command: readonly string[],
  files: Readonly<Record<string, string>>,
  stdin = '/dev/null',
): Promise<Outcome | string> {
  const paths = Object.entries(files).map(([name, text]) => [`/tmp/${name}`, text] as const)
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const container = new FakeContainer(
    { command: ['sh', '-c', `cd /tmp; ${quoted} < ${stdin}`] },
    { hasOutput: true, files: Object.fromEntries(paths) },
  )
  await container.seconds(5)
  const [why] = container.unreadable
  if (why !== undefined) return why
  const after = Object.keys(files).map((name) => {
    const found = container.files.node(`/tmp/${name}`)
    return [name, found.ok && found.value.kind === 'file' ? String(found.value.data) : ''] as const
  })
  const { stdout, stderr } = container.output
  return {
    stdout,
    stderr,
    status: container.exit?.exitCode ?? null,
    files: Object.fromEntries(after),
  }
}
