import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Processes } from './processes.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-processes-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('the programs of a control plane', () => {
  it('are reported with the end of their log if they exit early', async () => {
    const processes = new Processes(folder)
    processes.start('/bin/sh', ['-c', 'echo cannot listen >&2; exit 1'])
    await expect(processes.failed).rejects.toThrow('sh ended by itself. The last it said:\ncannot')
    await processes.stop()
  })

  it('exit on request without a failure', async () => {
    const processes = new Processes(folder)
    processes.start('/bin/sleep', ['60'])
    await processes.stop()
    const outcome = await Promise.race([processes.failed, Promise.resolve('no failure')])
    expect(outcome).toBe('no failure')
  })
})

describe('the guardian of a control plane', () => {
  it('kills the started processes and removes the folder if its parent dies', async () => {
    const orphan = spawn('/bin/sleep', ['60'], { stdio: 'ignore' })
    const ended = new Promise((done) => orphan.once('exit', (_, signal) => done(signal)))
    const guardian = spawn(process.execPath, [join(import.meta.dirname, 'guardian.mjs'), folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const over = new Promise((done) => guardian.once('exit', done))
    guardian.stdin.end(`started ${orphan.pid}\n`)
    expect(await ended).toBe('SIGKILL')
    await over
    expect(existsSync(folder)).toBe(false)
  })

  it('does nothing after a clean exit of its parent', async () => {
    const guardian = spawn(process.execPath, [join(import.meta.dirname, 'guardian.mjs'), folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const over = new Promise((done) => guardian.once('exit', done))
    guardian.stdin.end('farewell\n')
    await over
    expect(existsSync(folder)).toBe(true)
  })
})
