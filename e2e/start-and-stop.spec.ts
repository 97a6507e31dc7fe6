import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { hasProcesses } from './program/running-process.ts'
import { endOf, spawnHost } from './program/spawn-host.ts'
import { spawnWebHost } from './program/web-program.ts'

test('SIGTERM ends the program quickly, with exit code 0 and no process left', async ({
  host,
  folder,
}) => {
  const running = spawnHost(host, ['--data-dir', join(folder, 'data')])
  try {
    await expect.poll(() => existsSync(join(folder, 'data', 'manifests'))).toBe(true)
    if (host === 'web') await running.fact('dashboard')
    const askedAt = Date.now()
    running.signal('SIGTERM')
    expect(await running.ended()).toEqual({ code: 0, signal: null })
    // Also on a busy machine: it does not wait for its pods, one of which has a grace period of 30 s.
    expect(Date.now() - askedAt).toBeLessThan(25_000)
    await expect.poll(() => hasProcesses(running.pid)).toBe(false)
    expect(existsSync(join(folder, 'data', 'nodescope.lock'))).toBe(false)
  } finally {
    running.destroy()
  }
})

test('SIGTERM ends the program while a read of the file system is blocked', async ({ folder }) => {
  test.skip(process.platform === 'win32', 'Windows has no such pipes')
  const data = join(folder, 'data')
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  // Like an unreachable network disk: opening a pipe waits for its other end, in a thread that cannot be canceled.
  const stuck = join(folder, 'stuck.mjs')
  await writeFile(
    stuck,
    `import { open } from 'node:fs'\nopen(${JSON.stringify(pipe)}, () => {})\n`,
  )
  const running = spawnWebHost(['--data-dir', data], { NODE_OPTIONS: `--import=${stuck}` })
  try {
    await running.fact('dashboard')
    running.signal('SIGTERM')
    expect(await running.ended()).toEqual({ code: null, signal: 'SIGKILL' })
    expect(existsSync(join(data, 'nodescope.lock'))).toBe(false)
  } finally {
    running.destroy()
  }
})

test('a second start with the same data folder does not affect the first', async ({
  program,
  host,
}) => {
  const second = spawnHost(host, ['--data-dir', program.dataFolder])
  const end = await endOf(second)
  if (host === 'web') {
    expect(end).toEqual({
      code: 1,
      said: `Another Nodescope (process ${program.process.pid}) uses the data folder ${program.dataFolder}: stop it, or choose another folder with --data-dir.`,
    })
  } else {
    expect(end.code).toBe(0)
    expect(second.stdout).toContain('its window comes to the front')
    await expect.poll(program.focusCount).toBeGreaterThan(0)
  }
  await expect(program.page).toHaveTitle('Nodescope')
})

test('a lock of a killed program is replaced', async ({ host, folder }) => {
  const data = join(folder, 'data')
  const first = spawnHost(host, ['--data-dir', data])
  await expect.poll(() => existsSync(join(data, 'nodescope.log'))).toBe(true)
  first.destroy()
  await first.ended()
  expect(existsSync(join(data, 'nodescope.lock'))).toBe(true)
  const second = spawnWebHost(['--data-dir', data])
  await second.fact('dashboard')
  second.signal('SIGTERM')
  expect((await endOf(second)).code).toBe(0)
})

test.describe('a failed start prints the reason in one sentence', () => {
  test('an unknown option', async ({ host }) => {
    expect(await endOf(spawnHost(host, ['--prot', '1']))).toEqual({
      code: 2,
      said: 'Unknown option --prot; --help lists all options.',
    })
  })

  test('an option of a node without a node', async ({ host }) => {
    const args = ['--kubeconfig', '/some/file', '--runtime', 'unix:///some/socket']
    expect(await endOf(spawnHost(host, args))).toEqual({
      code: 2,
      said: '--runtime is for a node that joins the cluster: also pass --node NAME, or omit it to look only.',
    })
  })

  test('a data folder that cannot be created', async ({ host, folder }) => {
    await writeFile(join(folder, 'file'), '')
    const path = join(folder, 'file', 'data')
    expect(await endOf(spawnHost(host, ['--data-dir', path]))).toEqual({
      code: 1,
      said: `The data folder ${path} cannot be used, a part of the path is a file: choose another with --data-dir.`,
    })
  })
})
