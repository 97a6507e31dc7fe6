import { spawn } from 'node:child_process'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { repository } from './program/repository.ts'
import { hasProcesses, RunningProcess } from './program/running-process.ts'
import { endOf } from './program/spawn-host.ts'
import { spawnStartScript, spawnWebHost } from './program/web-program.ts'

// scripts/launch.mjs prints it before it starts Electron.
const asRoot =
  'Running as root: Electron starts without the Chromium sandbox (--no-sandbox). Start Nodescope as another user to use the sandbox.'

test('--ephemeral leaves nothing behind', async ({ folder }) => {
  const running = spawnWebHost(['--ephemeral'], { TMPDIR: folder })
  await running.fact('dashboard')
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^nodescope-[0-9a-f]{12}$/)])
  running.signal('SIGTERM')
  expect((await endOf(running)).code).toBe(0)
  expect(await readdir(folder)).toEqual([])
})

test('only this user can access the data folder, and copied examples are not overwritten', async ({
  folder,
}) => {
  const data = join(folder, 'data')
  const start = async (): Promise<void> => {
    const running = spawnWebHost(['--data-dir', data])
    await running.fact('dashboard')
    running.signal('SIGTERM')
    expect((await endOf(running)).code).toBe(0)
  }
  await start()
  expect((await stat(data)).mode & 0o777).toBe(0o700)
  const [example = ''] = await readdir(join(data, 'manifests'))
  expect(example).toMatch(/\.ya?ml$/)
  await rm(join(data, 'manifests', example))
  await start()
  expect(await readdir(join(data, 'manifests'))).not.toContain(example)
})

test('a port in use gives one sentence that names --port', async ({ program, folder }) => {
  const { port } = new URL(program.page.url())
  const second = spawnWebHost(['--port', port, '--data-dir', join(folder, 'other')])
  expect(await endOf(second)).toEqual({
    code: 1,
    said: `Port ${port} on 127.0.0.1 is in use: choose another with --port.`,
  })
})

test.describe('npm start', () => {
  test('prints only facts to stdout, forwards SIGTERM and leaves no process', async ({
    folder,
  }) => {
    const running = spawnStartScript(['--web', '--data-dir', 'data'], { INIT_CWD: folder })
    const dashboard = await running.fact('dashboard')
    expect(dashboard).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{32}$/)
    // A relative folder counts from where npm was called.
    expect(await readdir(join(folder, 'data'))).toContain('nodescope.lock')
    running.signal('SIGTERM')
    expect(await endOf(running)).toEqual({ code: 0, said: '' })
    for (const line of running.stdout.trimEnd().split('\n')) expect(line).toMatch(/^[a-z-]+ \S/)
    await expect.poll(() => hasProcesses(running.pid)).toBe(false)
  })

  test('ends when npm ends, although the shell between them forwards no signal', async ({
    folder,
  }) => {
    test.skip(process.platform === 'win32', 'no such shell there')
    const npm = new RunningProcess(
      spawn('npm', ['start', '--silent', '--', '--web', '--data-dir', join(folder, 'data')], {
        cwd: repository,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )
    try {
      await npm.fact('dashboard')
      npm.signal('SIGTERM')
      await expect.poll(() => hasProcesses(npm.pid)).toBe(false)
      expect(await readdir(join(folder, 'data'))).not.toContain('nodescope.lock')
    } finally {
      npm.destroy()
    }
  })

  test('exits with the exit code of the program', async () => {
    expect(await endOf(spawnStartScript(['--web', '--port', 'x']))).toEqual({
      code: 2,
      said: '--port needs a port from 0 to 65535, not "x".',
    })
  })

  test('serves a browser if there is no display, and prints the reason in one line', async ({
    folder,
  }) => {
    const running = spawnStartScript(['--data-dir', folder], {
      ELECTRON_EXEC_PATH: '',
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
    })
    await running.fact('dashboard')
    running.signal('SIGTERM')
    expect(await endOf(running)).toEqual({
      code: 0,
      said: 'The dashboard is for a browser: there is no display here.',
    })
  })

  test('serves a browser if Electron cannot run', async ({ folder }) => {
    const broken = join(folder, 'electron')
    await writeFile(broken, '#!/bin/sh\nexit 127\n', { mode: 0o755 })
    const running = spawnStartScript(['--data-dir', join(folder, 'data')], {
      ELECTRON_EXEC_PATH: broken,
    })
    await running.fact('dashboard')
    running.signal('SIGTERM')
    expect(await endOf(running)).toEqual({
      code: 0,
      said: [
        ...(process.getuid?.() === 0 ? [asRoot] : []),
        'Electron cannot run here (exit 127): the dashboard is for a browser.',
      ].join('\n'),
    })
  })
})
