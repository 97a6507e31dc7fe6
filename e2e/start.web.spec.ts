import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { endOf } from './program/spawn-host.ts'
import { spawnWebHost } from './program/web-program.ts'

test('--ephemeral leaves nothing behind', async ({ folder }) => {
  const running = spawnWebHost(['--ephemeral'], { TMPDIR: folder })
  await running.fact('dashboard')
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^nodescope-[0-9a-f]{12}$/)])
  running.signal('SIGTERM')
  expect((await endOf(running)).code).toBe(0)
  expect(await readdir(folder)).toEqual([])
})

test('the data folder is for this user alone, and its examples are the user’s once copied', async ({
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

test('a taken port gets one sentence that names --port', async ({ program, folder }) => {
  const { port } = new URL(program.page.url())
  const second = spawnWebHost(['--port', port, '--data-dir', join(folder, 'other')])
  expect(await endOf(second)).toEqual({
    code: 1,
    said: `Port ${port} on 127.0.0.1 is taken: choose another with --port.`,
  })
})
