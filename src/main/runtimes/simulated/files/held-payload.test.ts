import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../clock/seeded-random.ts'
import type { HostFiles } from '../../../kubelet/host/host-files.ts'
import { AtomicWriter } from '../../../kubelet/volume/atomic-writer.ts'
import type { Payload } from '../../../kubelet/volume/file-projection.ts'
import { SimulatedHostFiles } from './simulated-host-files.ts'

const folder = '/volumes/token'

function payloadOf(files: Readonly<Record<string, string | Uint8Array>>): Payload {
  return new Map(Object.entries(files).map(([path, data]) => [path, { data, mode: 0o644 }]))
}

const payload = payloadOf({ token: 'abc', 'ca.crt': new Uint8Array([1, 2, 3]) })

/** A volume with the payload, and what writes it. */
async function written() {
  const files = new SimulatedHostFiles({ now: () => 0 })
  const random = seededRandom(1)
  const writer = new AtomicWriter({ files, clock: { now: () => 0 }, random })
  await files.makeFolder(folder)
  await writer.write(folder, payload)
  return { files, writer }
}

const tamperings: Readonly<Record<string, (files: HostFiles) => Promise<unknown>>> = {
  'a file has another content': (files) => files.write(`${folder}/token`, 'xyz'),
  'a file has another byte': (files) => files.write(`${folder}/ca.crt`, new Uint8Array([1, 2, 4])),
  'a file is gone': (files) => files.remove(`${folder}/..data/token`),
  'a file was added': (files) => files.write(`${folder}/..data/other`, ''),
  'a link is gone': (files) => files.remove(`${folder}/token`),
  'the link to the files is gone': (files) => files.remove(`${folder}/..data`),
  'everything is gone': (files) => files.remove(folder).then(() => files.makeFolder(folder)),
}

describe('AtomicWriter on the files of a simulated node', () => {
  it('knows at once that there is nothing to write', async () => {
    const { files, writer } = await written()
    expect(writer.isHeld(folder, payload)).toBe(true)
    expect(await writer.write(folder, payload)).toEqual({ ok: true, value: false })
    expect(await files.readText(`${folder}/token`)).toEqual({ ok: true, value: 'abc' })
  })

  it.each(Object.keys(tamperings))('writes the files again if %s', async (name) => {
    const { files, writer } = await written()
    await tamperings[name]?.(files)
    expect(writer.isHeld(folder, payload)).toBe(false)
    await writer.write(folder, payload)
    expect(writer.isHeld(folder, payload)).toBe(true)
    expect(await files.readText(`${folder}/token`)).toEqual({ ok: true, value: 'abc' })
  })

  it.each([
    ['a new value', payloadOf({ token: 'new', 'ca.crt': new Uint8Array([1, 2, 3]) })],
    ['one file less', payloadOf({ token: 'abc' })],
    ['a file in a folder', payloadOf({ token: 'abc', 'certs/ca.crt': '' })],
    ['a path that is not allowed', payloadOf({ token: 'abc', '..ca': '' })],
  ])('does not say so of a payload with %s', async (_, other) => {
    const { writer } = await written()
    expect(writer.isHeld(folder, other)).toBe(false)
  })
})
