import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canUnshare } from './cri/real-kubelet.ts'

// Where user and mount namespaces are not allowed, no real kubelet can be started.

const root = resolve(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'nodescope-unshare-'))

beforeAll(() => {
  const file = join(folder, 'unshare')
  writeFileSync(
    file,
    '#!/bin/sh\necho "unshare: unshare failed: Operation not permitted" >&2\nexit 1\n',
  )
  chmodSync(file, 0o755)
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

describe.skipIf(process.platform !== 'linux')('without user namespaces', () => {
  it('kube:up refuses a real kubelet in one sentence, and starts nothing', () => {
    const env = { ...process.env, PATH: [folder, process.env['PATH']].join(delimiter) }
    const script = join(root, 'scripts', 'kube-up.mjs')
    const options = { cwd: root, env, encoding: 'utf8' } as const
    expect(spawnSync(process.execPath, [script, '--kubelet'], options)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'No real kubelet: user and mount namespaces are not allowed here (unshare -r -m).\n',
    })
  })

  it('the comparison of both kubelets is known to be impossible', () => {
    const path = process.env['PATH']
    process.env['PATH'] = folder
    try {
      expect(canUnshare()).toBe(false)
    } finally {
      process.env['PATH'] = path
    }
  })
})
