import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { identityOf, isStillRunning } from './process-identity.ts'

const hasProc = existsSync('/proc/self/stat')

describe('process identity', () => {
  it('reports this process as running', () => {
    expect(isStillRunning(identityOf(process.pid), Date.now())).toBe(true)
  })

  it('reports an ended process as not running', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
    const identity = identityOf(child.pid ?? 0)
    const runs = isStillRunning(identity, Date.now())
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect([runs, isStillRunning(identity, Date.now())]).toEqual([true, false])
  })

  it.skipIf(!hasProc)('detects a reused process id', () => {
    const earlier = { ...identityOf(process.pid), birth: 'another-boot:1234' }
    expect(isStillRunning(earlier, Date.now())).toBe(false)
  })

  it.skipIf(!hasProc)('finds the start time after a command with spaces and brackets', async () => {
    const child = spawn('bash', ['-c', `exec -a 'a ) b (' sleep 60`], { stdio: 'ignore' })
    await once(child, 'spawn')
    const { birth } = identityOf(child.pid ?? 0)
    child.kill('SIGKILL')
    expect(birth).toMatch(/^[0-9a-f-]{36}:\d+$/)
  })

  it('without a start time, detects a process id from before the last boot', () => {
    const nameless = { pid: process.pid, birth: null }
    expect(isStillRunning(nameless, Date.now())).toBe(true)
    expect(isStillRunning(nameless, 0)).toBe(false)
  })
})
