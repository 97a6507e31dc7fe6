import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

test('a program that is killed while it writes loses nothing that it acknowledged', () => {
  const script = join(import.meta.dirname, '..', 'scripts', 'kill-state.mjs')
  const run = spawnSync(process.execPath, [script, '--rounds', '10', '--seed', '3'], {
    encoding: 'utf8',
  })
  expect(`${run.stdout}${run.stderr}`).toMatch(
    /^10 kills, [1-9]\d+ acknowledged writes, 0 lost\.$/m,
  )
  expect(run.status).toBe(0)
})
