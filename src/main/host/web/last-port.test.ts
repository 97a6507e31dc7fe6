import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { lastPort, rememberPort } from './last-port.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'last-port-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

describe('the port of the last dashboard', () => {
  it('is reused by the next start', () => {
    expect(lastPort(folder)).toBeUndefined()
    rememberPort(folder, 'http://127.0.0.1:38213/#token', new FakeLog())
    expect(lastPort(folder)).toBe(38_213)
  })

  it.each(['', 'abc', '80', '70000', '38213.5', '-1'])(
    'is undefined if the file contains %j',
    (text) => {
      writeFileSync(join(folder, 'dashboard-port'), text)
      expect(lastPort(folder)).toBeUndefined()
    },
  )

  it('logs a failed write', () => {
    const log = new FakeLog()
    rememberPort(join(folder, 'missing'), 'http://127.0.0.1:38213/#token', log)
    expect(log.problems).toEqual(['cannot save the port of the dashboard'])
  })
})
