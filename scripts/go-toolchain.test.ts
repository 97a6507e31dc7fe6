import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { entriesOf, fetchToolchain, hashOf, isNewEnough, proxiesOf } from './go-toolchain.mjs'

// Two files, bin/go and README of m@v1, packed by Python; the hash was computed apart from this code.
const zip = Buffer.from(
  'UEsDBBQAAAAIALoRdl1Ie46zFwAAAEgAAAALAAAAbUB2MS9iaW4vZ29TVtRPyszTL87gSk3OyFdIz+dSJksEAFBLAwQUAAAACAC6EXZdBaah5QoAAAAIAAAACwAAAG1AdjEvUkVBRE1FK0pNTFHITeUCAFBLAQIUAxQAAAAIALoRdl1Ie46zFwAAAEgAAAALAAAAAAAAAAAAAACAAQAAAABtQHYxL2Jpbi9nb1BLAQIUAxQAAAAIALoRdl0FpqHlCgAAAAgAAAALAAAAAAAAAAAAAACAAUAAAABtQHYxL1JFQURNRVBLBQYAAAAAAgACAHIAAABzAAAAAAA=',
  'base64',
)
const toolchain = {
  version: 'v1',
  hash: 'h1:nAR2L0duWWGykk7TPqTIMoTLGK+06qrj//ayqGBeqYY=',
  platform: 'linux-x64',
}

describe('a toolchain of the module proxy', () => {
  let folder = ''
  let server: Server
  let url = ''
  const asked: string[] = []

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nodescope-go-'))
    asked.length = 0
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      const isFirst = request.url?.startsWith('/empty/') === true
      response.writeHead(isFirst ? 404 : 200).end(isFirst ? '' : zip)
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    // It listens on a port.
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  afterEach(async () => {
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  })

  it('is downloaded from the first proxy that has it, with executable programs', async () => {
    const target = join(folder, 'go')
    await fetchToolchain(toolchain, target, [`${url}/empty`, `${url}/`])
    expect(asked).toEqual([
      '/empty/golang.org/toolchain/@v/v1.zip',
      '/golang.org/toolchain/@v/v1.zip',
    ])
    expect(statSync(join(target, 'bin', 'go')).mode & 0o777).toBe(0o755)
    expect(statSync(join(target, 'README')).mode & 0o777).toBe(0o644)
  })

  it('is discarded if its hash differs', async () => {
    const target = join(folder, 'go')
    const other = { ...toolchain, hash: 'h1:other' }
    await expect(fetchToolchain(other, target, [url])).rejects.toThrow(
      `it has the hash ${toolchain.hash}, not the pinned one`,
    )
    expect(existsSync(target)).toBe(false)
  })
})

it('reads a zip', () => {
  const entries = entriesOf(zip)
  expect(entries.map(({ name }) => name)).toEqual(['m@v1/bin/go', 'm@v1/README'])
  expect(String(entries[1]?.content)).toBe('read me\n')
  expect(hashOf(entries)).toBe(toolchain.hash)
  expect(() => entriesOf(Buffer.from('<html>no</html>'))).toThrow('the download is not a zip file')
})

it.each([
  [undefined, ['https://proxy.golang.org']],
  ['https://a.example,https://b.example|direct', ['https://a.example', 'https://b.example']],
  ['off', []],
])('of GOPROXY %s it asks %j', (GOPROXY, proxies) => {
  expect(proxiesOf({ GOPROXY })).toEqual(proxies)
})

it.each([
  ['go1.26.8\n', '1.24.0', true],
  ['go1.24', '1.24.0', true],
  ['go1.19.8', '1.24.0', false],
  ['go2.0', '1.24.0', true],
  ['devel', '1.24.0', false],
])('%j serves where %s is wanted: %s', (version, wanted, isEnough) => {
  expect(isNewEnough(version, wanted)).toBe(isEnough)
})
