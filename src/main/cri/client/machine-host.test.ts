import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { machineHost, parseResolverFile } from './machine-host.ts'

describe('machineHost', () => {
  it('makes folders, and says why it cannot', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'machine-'))
    const { makeFolder } = machineHost(folder, 'CGROUPFS')
    expect(await makeFolder(join(folder, 'a', 'b'))).toBeUndefined()
    expect(statSync(join(folder, 'a', 'b')).isDirectory()).toBe(true)
    writeFileSync(join(folder, 'file'), '')
    expect(await makeFolder(join(folder, 'file', 'b'))).toBe(
      `mkdir ${join(folder, 'file', 'b')}: ENOTDIR`,
    )
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
