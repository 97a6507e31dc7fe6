import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { machineHost, parseResolverFile } from './machine-host.ts'

describe('machineHost', () => {
  it('keeps what belongs to pods in its folder, and makes folders there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'machine-'))
    const { files, podLogsFolder, rootFolder } = machineHost(folder, 'CGROUPFS')
    expect([podLogsFolder, rootFolder]).toEqual([join(folder, 'pod-logs'), join(folder, 'kubelet')])
    expect(await files.makeFolder(join(podLogsFolder, 'a'))).toEqual({ ok: true })
    expect(statSync(join(podLogsFolder, 'a')).isDirectory()).toBe(true)
    rmSync(folder, { recursive: true })
  })
})

describe('parseResolverFile', () => {
  it('reads what the kubelet reads: all servers, the last search, each option once', () => {
    const text = `# a comment
nameserver 1.1.1.1
nameserver   8.8.8.8
search first.example
search example.org. . corp
options ndots:1 edns0
options ndots:2
`
    expect(parseResolverFile(text)).toEqual({
      servers: ['1.1.1.1', '8.8.8.8'],
      searches: ['example.org', 'corp'],
      options: ['ndots:2', 'edns0'],
    })
  })
})
